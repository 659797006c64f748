// SPDX-License-Identifier: Apache-2.0
// Wishbone B4, classic cycles, 32 bits, to request and grant. A read is acknowledged one cycle
// after its grant, when its data is there. Accesses to less than a word end with an error and do
// nothing.

module wishbone_port (
  input  wire        clk,
  input  wire        rst,
  input  wire        wb_cyc_i,
  input  wire        wb_stb_i,
  input  wire        wb_we_i,
  input  wire  [7:2] wb_adr_i,
  input  wire  [3:0] wb_sel_i,
  input  wire [31:0] wb_dat_i,
  output wire [31:0] wb_dat_o,
  output wire        wb_ack_o,
  output wire        wb_err_o,
  output wire        bus_req,
  input  wire        bus_gnt,
  output wire        bus_we,
  output wire  [7:2] bus_addr,
  output wire [31:0] bus_wdata,
  input  wire        bus_rvalid,
  input  wire [31:0] bus_rdata
);
  wire asked = wb_cyc_i & wb_stb_i & ~rst;
  wire whole = wb_sel_i == 4'hf;

  assign bus_req = asked & whole & ~bus_rvalid;
  assign bus_we = wb_we_i;
  assign bus_addr = wb_adr_i;
  assign bus_wdata = wb_dat_i;
  assign wb_dat_o = bus_rdata;
  assign wb_ack_o = asked & whole & (bus_rvalid | (bus_we & bus_gnt));
  assign wb_err_o = asked & ~whole;

  wire unused = &{1'b0, clk};
endmodule
