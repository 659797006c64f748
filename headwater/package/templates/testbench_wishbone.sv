  task automatic access(input writes, input [7:0] register, input [31:0] given, output [31:0] word);
    begin
      pause;
      wb_cyc_i = 1'b1;
      wb_stb_i = 1'b1;
      wb_we_i = writes;
      wb_adr_i = register[7:2];
      wb_sel_i = 4'hf;
      wb_dat_i = given;
      #1;
      while (!wb_ack_o && !wb_err_o) tick;
      if (wb_err_o) fail("error", register, 32'd1, 32'd0);
      word = wb_dat_o;
      tick;
      wb_cyc_i = 1'b0;
      wb_stb_i = 1'b0;
    end
  endtask

  task automatic read(input [7:0] register, output [31:0] word);
    access(1'b0, register, 32'd0, word);
  endtask

  task automatic write(input [7:0] register, input [31:0] word);
    reg [31:0] unused;
    access(1'b1, register, word, unused);
  endtask

