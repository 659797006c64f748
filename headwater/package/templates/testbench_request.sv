  task automatic access(input writes, input [7:0] register, input [31:0] word);
    begin
      pause;
      bus_req = 1'b1;
      bus_we = writes;
      bus_addr = register[7:2];
      bus_wdata = word;
      #1;
      while (!bus_gnt) tick;
      tick;
      bus_req = 1'b0;
    end
  endtask

  // The word is there a cycle after the grant.
  task automatic read(input [7:0] register, output [31:0] word);
    begin
      access(1'b0, register, 32'd0);
      if (bus_rvalid !== 1'b1) fail("rvalid", register, 32'd0, 32'd1);
      word = bus_rdata;
    end
  endtask

  task automatic write(input [7:0] register, input [31:0] word);
    access(1'b1, register, word);
  endtask

