// SPDX-License-Identifier: Apache-2.0
// The bus of the simulated system as a master of AXI4-Lite: one access at a time. A request is
// granted when its answer is there.

module axi4lite_master (
  input  wire        aclk,
  input  wire        aresetn,
  input  wire        bus_req,
  output wire        bus_gnt,
  input  wire        bus_we,
  input  wire  [7:2] bus_addr,
  input  wire [31:0] bus_wdata,
  output reg         bus_rvalid,
  output reg  [31:0] bus_rdata,
  output wire  [7:0] s_axi_awaddr,
  output wire  [2:0] s_axi_awprot,
  output wire        s_axi_awvalid,
  input  wire        s_axi_awready,
  output wire [31:0] s_axi_wdata,
  output wire  [3:0] s_axi_wstrb,
  output wire        s_axi_wvalid,
  input  wire        s_axi_wready,
  input  wire  [1:0] s_axi_bresp,
  input  wire        s_axi_bvalid,
  output wire        s_axi_bready,
  output wire  [7:0] s_axi_araddr,
  output wire  [2:0] s_axi_arprot,
  output wire        s_axi_arvalid,
  input  wire        s_axi_arready,
  input  wire [31:0] s_axi_rdata,
  input  wire  [1:0] s_axi_rresp,
  input  wire        s_axi_rvalid,
  output wire        s_axi_rready
);
  reg address_sent, data_sent, read_sent;
  wire writes = bus_req & bus_we, reads = bus_req & ~bus_we;

  assign s_axi_awaddr = {bus_addr, 2'b00};
  assign s_axi_awprot = 3'd0;
  assign s_axi_awvalid = writes & ~address_sent;
  assign s_axi_wdata = bus_wdata;
  assign s_axi_wstrb = 4'hf;
  assign s_axi_wvalid = writes & ~data_sent;
  assign s_axi_bready = 1'b1;
  assign s_axi_araddr = {bus_addr, 2'b00};
  assign s_axi_arprot = 3'd0;
  assign s_axi_arvalid = reads & ~read_sent;
  assign s_axi_rready = 1'b1;
  assign bus_gnt = s_axi_bvalid | s_axi_rvalid;

  always @(posedge aclk) begin
    address_sent <= aresetn & ~bus_gnt & (address_sent | (s_axi_awvalid & s_axi_awready));
    data_sent <= aresetn & ~bus_gnt & (data_sent | (s_axi_wvalid & s_axi_wready));
    read_sent <= aresetn & ~bus_gnt & (read_sent | (s_axi_arvalid & s_axi_arready));
    bus_rvalid <= aresetn & s_axi_rvalid;
    bus_rdata <= s_axi_rdata;
  end

  wire unused = &{1'b0, s_axi_bresp, s_axi_rresp};
endmodule
