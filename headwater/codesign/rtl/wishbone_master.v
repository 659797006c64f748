// SPDX-License-Identifier: Apache-2.0
// The bus of the simulated system as a master of Wishbone B4, classic cycles. A request is granted
// when it is acknowledged.

module wishbone_master (
  input  wire        clk,
  input  wire        rst,
  input  wire        bus_req,
  output wire        bus_gnt,
  input  wire        bus_we,
  input  wire  [7:2] bus_addr,
  input  wire [31:0] bus_wdata,
  output reg         bus_rvalid,
  output reg  [31:0] bus_rdata,
  output wire        wb_cyc_i,
  output wire        wb_stb_i,
  output wire        wb_we_i,
  output wire  [7:2] wb_adr_i,
  output wire  [3:0] wb_sel_i,
  output wire [31:0] wb_dat_i,
  input  wire [31:0] wb_dat_o,
  input  wire        wb_ack_o,
  input  wire        wb_err_o
);
  assign wb_cyc_i = bus_req;
  assign wb_stb_i = bus_req;
  assign wb_we_i = bus_we;
  assign wb_adr_i = bus_addr;
  assign wb_sel_i = 4'hf;
  assign wb_dat_i = bus_wdata;
  assign bus_gnt = wb_ack_o | wb_err_o;

  always @(posedge clk) begin
    bus_rvalid <= ~rst & wb_ack_o & ~bus_we;
    bus_rdata <= wb_dat_o;
  end
endmodule
