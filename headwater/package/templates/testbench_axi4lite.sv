  // Address and data in either order.
  task automatic write(input [7:0] register, input [31:0] word);
    reg address_left, data_left, address_taken, data_taken;
    begin
      pause;
      {address_left, data_left} = 2'b11;
      s_axi_awaddr = register;
      s_axi_wdata = word;
      s_axi_wstrb = 4'hf;
      while (address_left | data_left) begin
        if (address_left & chance[0]) s_axi_awvalid = 1'b1;
        if (data_left & chance[3]) s_axi_wvalid = 1'b1;
        #1;
        address_taken = s_axi_awvalid & s_axi_awready;
        data_taken = s_axi_wvalid & s_axi_wready;
        tick;
        if (address_taken) {s_axi_awvalid, address_left} = 2'b00;
        if (data_taken) {s_axi_wvalid, data_left} = 2'b00;
      end
      pause;
      s_axi_bready = 1'b1;
      #1;
      while (!s_axi_bvalid) tick;
      if (s_axi_bresp !== 2'b00) fail("bresp", register, {30'd0, s_axi_bresp}, 32'd0);
      tick;
      s_axi_bready = 1'b0;
    end
  endtask

  task automatic read(input [7:0] register, output [31:0] word);
    begin
      pause;
      s_axi_arvalid = 1'b1;
      s_axi_araddr = register;
      #1;
      while (!s_axi_arready) tick;
      tick;
      s_axi_arvalid = 1'b0;
      pause;
      s_axi_rready = 1'b1;
      #1;
      while (!s_axi_rvalid) tick;
      if (s_axi_rresp !== 2'b00) fail("rresp", register, {30'd0, s_axi_rresp}, 32'd0);
      word = s_axi_rdata;
      tick;
      s_axi_rready = 1'b0;
    end
  endtask

