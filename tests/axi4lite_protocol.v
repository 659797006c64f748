// SPDX-License-Identifier: Apache-2.0
// What AXI4-Lite properties of answers, whatever the master, the core and the reset do.
module protocol (
  input wire clk, input wire rst,
  input wire [7:0] awaddr, input wire awvalid, input wire [31:0] wdata, input wire [3:0] wstrb,
  input wire wvalid, input wire bready, input wire [7:0] araddr, input wire arvalid,
  input wire rready, input wire gnt, input wire [31:0] core_data
);
  wire awready, wready, bvalid, arready, rvalid, req, we;
  wire [1:0] bresp, rresp;
  wire [31:0] rdata, bus_wdata;
  wire [7:2] addr;
  reg given, reset_seen = 1'b0;

  axi4lite_port port (
    .clk(clk), .rst(rst), .s_axi_awaddr(awaddr), .s_axi_awprot(3'd0), .s_axi_awvalid(awvalid),
    .s_axi_awready(awready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb), .s_axi_wvalid(wvalid),
    .s_axi_wready(wready), .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(bready),
    .s_axi_araddr(araddr), .s_axi_arprot(3'd0), .s_axi_arvalid(arvalid), .s_axi_arready(arready),
    .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid), .s_axi_rready(rready),
    .bus_req(req), .bus_gnt(gnt & req), .bus_we(we), .bus_addr(addr), .bus_wdata(bus_wdata),
    .bus_rvalid(given), .bus_rdata(core_data)
  );

  // Addresses, data and reads that were taken and not answered; answers that were not taken.
  reg [2:0] addresses, data, reads;
  reg write_waits, read_waits;
  reg [1:0] response;
  reg [31:0] answer;
  always @(posedge clk) begin
    reset_seen <= 1'b1;
    given <= ~rst & req & gnt & ~we;
    write_waits <= ~rst & bvalid & ~bready;
    read_waits <= ~rst & rvalid & ~rready;
    response <= bresp;
    answer <= rdata;
    if (rst) begin
      addresses <= 3'd0;
      data <= 3'd0;
      reads <= 3'd0;
    end else begin
      addresses <= addresses + (awvalid & awready) - (bvalid & bready);
      data <= data + (wvalid & wready) - (bvalid & bready);
      reads <= reads + (arvalid & arready) - (rvalid & rready);
    end
  end

  always @* begin
    assume (reset_seen | rst);
    if (reset_seen & ~rst) begin
      if (write_waits) assert (bvalid & bresp == response);
      if (read_waits) assert (rvalid & rdata == answer & rresp == 2'b00);
      assert (addresses == {2'd0, ~awready} + {2'd0, bvalid});
      assert (data == {2'd0, ~wready} + {2'd0, bvalid});
      assert (reads == {2'd0, ~arready} + {2'd0, given} + {2'd0, rvalid});
      assert (reads <= 3'd2);
    end
  end
endmodule
