// SPDX-License-Identifier: Apache-2.0
// VexRiscv (FullCfu): Wishbone on both sides, and the CFU bus with a second result.

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
  wire ibus_cyc, ibus_stb, dbus_cyc, dbus_stb;
  wire [2:0] ibus_cti, dbus_cti;
  wire [31:2] ibus_adr, dbus_adr;
  localparam [2:0] GOES_ON = 3'b010;          // of a burst that fills a line: one more address follows

  // A read has been granted, its data comes in this cycle; a write is over with its grant. In a
  // burst the next read is requested while the data of the one before comes.
  reg ibus_reading, dbus_reading;
  always @(posedge clk) begin
    ibus_reading <= ~rst & ibus_req & ibus_gnt;
    dbus_reading <= ~rst & dbus_req & dbus_gnt & ~dbus_we;
  end
  assign ibus_req = ibus_cyc & ibus_stb & (~ibus_reading | ibus_cti == GOES_ON);
  assign dbus_req = dbus_cyc & dbus_stb & (~dbus_reading | dbus_cti == GOES_ON);
  assign ibus_addr = ibus_adr + {29'd0, ibus_reading};
  assign dbus_addr = dbus_adr + {29'd0, dbus_reading};

  VexRiscv core (
    .externalResetVector(32'h80), .timerInterrupt(irq), .softwareInterrupt(1'b0),
    .externalInterruptArray(32'h0),
    .CfuPlugin_bus_cmd_valid(cmd_valid), .CfuPlugin_bus_cmd_ready(cmd_ready),
    .CfuPlugin_bus_cmd_payload_function_id(cmd_function),
    .CfuPlugin_bus_cmd_payload_inputs_0(cmd_first),
    .CfuPlugin_bus_cmd_payload_inputs_1(cmd_second),
    .CfuPlugin_bus_rsp_valid(rsp_valid), .CfuPlugin_bus_rsp_ready(rsp_ready),
    .CfuPlugin_bus_rsp_payload_outputs_0(rsp_result),
    .CfuPlugin_bus_rsp_payload_outputs_1(rsp_second),
    .iBusWishbone_CYC(ibus_cyc), .iBusWishbone_STB(ibus_stb),
    .iBusWishbone_ACK(ibus_reading & ibus_rvalid), .iBusWishbone_WE(),
    .iBusWishbone_ADR(ibus_adr), .iBusWishbone_DAT_MISO(ibus_rdata), .iBusWishbone_DAT_MOSI(),
    .iBusWishbone_SEL(), .iBusWishbone_ERR(1'b0), .iBusWishbone_CTI(ibus_cti), .iBusWishbone_BTE(),
    .dBusWishbone_CYC(dbus_cyc), .dBusWishbone_STB(dbus_stb),
    .dBusWishbone_ACK(dbus_we ? dbus_req & dbus_gnt : dbus_reading & dbus_rvalid),
    .dBusWishbone_WE(dbus_we), .dBusWishbone_ADR(dbus_adr),
    .dBusWishbone_DAT_MISO(dbus_rdata), .dBusWishbone_DAT_MOSI(dbus_wdata),
    .dBusWishbone_SEL(dbus_be), .dBusWishbone_ERR(1'b0), .dBusWishbone_CTI(dbus_cti), .dBusWishbone_BTE(),
    .clk(clk), .reset(rst)
  );
endmodule
