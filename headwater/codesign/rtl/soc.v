// SPDX-License-Identifier: Apache-2.0
// A processor with its memory, and a coprocessor's place: behind custom instructions, on the bus,
// and as a master that writes into memory. The coprocessor itself is outside.
//
// All buses: request and grant, read data one cycle after the grant.
//   00000000  RAM, one cycle, one port for instructions and one for data
//   80000000  the coprocessor, each access later by `wait_states` cycles
//   f0000000  marks for the harness; f0000004 acknowledges the timer's interrupt

module soc #(
  parameter RAM_WORDS = 65536
) (
  input  wire        clk,
  input  wire        rst,
  input  wire  [7:0] wait_states,
  input  wire [15:0] timer_period,            // cycles from interrupt to interrupt; 0 for none
  output wire        mark_valid,
  output wire [31:0] mark,
  output wire        cmd_valid,
  input  wire        cmd_ready,
  output wire  [9:0] cmd_function,
  output wire [31:0] cmd_first,
  output wire [31:0] cmd_second,
  input  wire        rsp_valid,
  output wire        rsp_ready,
  input  wire [31:0] rsp_result,
  input  wire [31:0] rsp_second,
  output wire        bus_req,
  input  wire        bus_gnt,
  output wire        bus_we,
  output wire  [7:2] bus_addr,
  output wire [31:0] bus_wdata,
  input  wire        bus_rvalid,
  input  wire [31:0] bus_rdata,
  input  wire        dma_req,
  output wire        dma_gnt,
  input  wire [31:2] dma_addr,
  input  wire [31:0] dma_wdata
);
  localparam BITS = $clog2(RAM_WORDS);
  reg [31:0] ram [0:RAM_WORDS-1] /* verilator public */;

  wire        ibus_req, dbus_req, dbus_we;
  wire [31:2] ibus_addr, dbus_addr;
  wire  [3:0] dbus_be;
  wire [31:0] dbus_wdata, dbus_rdata;
  reg  [31:0] ibus_rdata, ram_rdata;
  reg         ibus_rvalid, ram_rvalid;
  wire        dbus_gnt;
  reg         irq;

  cpu processor (
    .clk(clk), .rst(rst), .irq(irq),
    .ibus_req(ibus_req), .ibus_gnt(ibus_req), .ibus_addr(ibus_addr), .ibus_rvalid(ibus_rvalid),
    .ibus_rdata(ibus_rdata),
    .dbus_req(dbus_req), .dbus_gnt(dbus_gnt), .dbus_we(dbus_we), .dbus_addr(dbus_addr),
    .dbus_be(dbus_be), .dbus_wdata(dbus_wdata), .dbus_rvalid(ram_rvalid | bus_rvalid),
    .dbus_rdata(dbus_rdata),
    .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_function(cmd_function), .cmd_first(cmd_first),
    .cmd_second(cmd_second), .rsp_valid(rsp_valid), .rsp_ready(rsp_ready), .rsp_result(rsp_result),
    .rsp_second(rsp_second)
  );

  wire to_ram = dbus_addr[31:28] == 4'h0;
  wire to_coprocessor = dbus_addr[31:28] == 4'h8;
  wire to_harness = ~to_ram & ~to_coprocessor;

  // The coprocessor's bus, slower by the wait states.
  reg [7:0] waited;
  wire due = waited == wait_states;
  assign bus_req = dbus_req & to_coprocessor & due;
  assign bus_we = dbus_we;
  assign bus_addr = dbus_addr[7:2];
  assign bus_wdata = dbus_wdata;
  always @(posedge clk)
    if (rst | ~(dbus_req & to_coprocessor) | dbus_gnt) waited <= 8'd0;
    else if (~due) waited <= waited + 8'd1;

  assign dbus_gnt = dbus_req & (to_coprocessor ? due & bus_gnt : 1'b1);
  assign dbus_rdata = bus_rvalid ? bus_rdata : ram_rdata;
  assign mark_valid = dbus_req & dbus_we & to_harness & ~dbus_addr[2];
  assign mark = dbus_wdata;

  // Memory: DMA writes in the cycles that the processor leaves.
  wire cpu_uses = dbus_req & to_ram;
  wire writes = cpu_uses ? dbus_we : dma_req;
  wire [BITS-1:0] data_word = cpu_uses ? dbus_addr[BITS+1:2] : dma_addr[BITS+1:2];
  wire [31:0] written = cpu_uses ? dbus_wdata : dma_wdata;
  wire [3:0] enabled = {4{writes}} & (cpu_uses ? dbus_be : 4'hf);
  assign dma_gnt = dma_req & ~cpu_uses;

  always @(posedge clk) begin
    ibus_rvalid <= ibus_req & ~rst;
    ram_rvalid <= dbus_req & ~dbus_we & ~to_coprocessor & ~rst;
    if (ibus_req) ibus_rdata <= ram[ibus_addr[BITS+1:2]];
    if (cpu_uses) ram_rdata <= ram[data_word];
    if (enabled[0]) ram[data_word][7:0] <= written[7:0];
    if (enabled[1]) ram[data_word][15:8] <= written[15:8];
    if (enabled[2]) ram[data_word][23:16] <= written[23:16];
    if (enabled[3]) ram[data_word][31:24] <= written[31:24];
  end

  // The timer: an interrupt that stays until it is acknowledged.
  reg [15:0] timer;
  wire rings = timer == timer_period & timer_period != 16'd0;
  always @(posedge clk) begin
    timer <= rst | rings ? 16'd0 : timer + 16'd1;
    if (rst | (dbus_req & dbus_we & to_harness & dbus_addr[2])) irq <= 1'b0;
    else if (rings) irq <= 1'b1;
  end

  wire unused = &{1'b0, ibus_addr[31:BITS+2], dma_addr[31:BITS+2]};
endmodule
