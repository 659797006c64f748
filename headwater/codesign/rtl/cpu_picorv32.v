// SPDX-License-Identifier: Apache-2.0
// PicoRV32 with barrel shifter and fast multiplier: one memory port for both, and the co-processor
// interface. Reads take a cycle more than its memory interface would allow.

module cpu (
  input  wire        clk,
  input  wire        rst,
  input  wire        irq,
  output wire        ibus_req,
  input  wire        ibus_gnt,
  output wire [31:2] ibus_addr,
  input  wire        ibus_rvalid,
  input  wire [31:0] ibus_rdata,
  output wire        dbus_req,
  input  wire        dbus_gnt,
  output wire        dbus_we,
  output wire [31:2] dbus_addr,
  output wire  [3:0] dbus_be,
  output wire [31:0] dbus_wdata,
  input  wire        dbus_rvalid,
  input  wire [31:0] dbus_rdata,
  output wire        cmd_valid,
  input  wire        cmd_ready,
  output wire  [9:0] cmd_function,
  output wire [31:0] cmd_first,
  output wire [31:0] cmd_second,
  input  wire        rsp_valid,
  output wire        rsp_ready,
  input  wire [31:0] rsp_result,
  input  wire [31:0] rsp_second
);
  localparam [6:0] CUSTOM_0 = 7'h0b;

  wire mem_valid, mem_instr, pcpi_valid;
  wire [31:0] mem_addr, pcpi_insn;
  wire [3:0] mem_wstrb;
  reg reading;                                // a read has been granted, its data comes now
  reg sent;                                   // the instruction has been accepted

  wire mine = pcpi_valid & pcpi_insn[6:0] == CUSTOM_0;
  assign dbus_we = mem_wstrb != 4'd0;
  assign ibus_req = mem_valid & mem_instr & ~reading;
  assign dbus_req = mem_valid & ~mem_instr & ~reading;
  assign ibus_addr = mem_addr[31:2];
  assign dbus_addr = mem_addr[31:2];
  assign dbus_be = mem_wstrb;
  assign cmd_valid = mine & ~sent;
  assign cmd_function = {pcpi_insn[31:25], pcpi_insn[14:12]};
  assign rsp_ready = 1'b1;

  always @(posedge clk) begin
    reading <= ~rst & ((ibus_req & ibus_gnt) | (dbus_req & dbus_gnt & ~dbus_we));
    sent <= ~rst & ~rsp_valid & (sent | (cmd_valid & cmd_ready));
  end

  picorv32 #(
    .ENABLE_COUNTERS(0), .ENABLE_COUNTERS64(0), .BARREL_SHIFTER(1), .ENABLE_PCPI(1),
    .ENABLE_FAST_MUL(1), .ENABLE_DIV(1), .PROGADDR_RESET(32'h80)
  ) core (
    .clk(clk), .resetn(~rst), .trap(),
    .mem_valid(mem_valid), .mem_instr(mem_instr),
    .mem_ready(reading ? ibus_rvalid | dbus_rvalid : dbus_req & dbus_gnt & dbus_we),
    .mem_addr(mem_addr), .mem_wdata(dbus_wdata), .mem_wstrb(mem_wstrb),
    .mem_rdata(mem_instr ? ibus_rdata : dbus_rdata),
    .mem_la_read(), .mem_la_write(), .mem_la_addr(), .mem_la_wdata(), .mem_la_wstrb(),
    .pcpi_valid(pcpi_valid), .pcpi_insn(pcpi_insn), .pcpi_rs1(cmd_first), .pcpi_rs2(cmd_second),
    .pcpi_wr(mine & rsp_valid), .pcpi_rd(rsp_result), .pcpi_wait(mine),
    .pcpi_ready(mine & rsp_valid),
    .irq(32'd0), .eoi(), .trace_valid(), .trace_data()
  );

  wire unused = &{1'b0, irq};
endmodule
