// SPDX-License-Identifier: Apache-2.0
// Ibex with a single-cycle multiplier, a branch target ALU and a write-back stage, without caches.
// It has no custom instructions.

module cpu import ibex_pkg::*; (
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
  // Its first instruction is 0x80 behind the boot address.
  localparam [31:0] BOOT = 32'h0;

  wire [31:0] instr_addr, data_addr, rdata_a, rdata_b, wdata;
  wire [4:0] raddr_a, raddr_b, waddr;
  wire we, dummy_id, dummy_wb;
  logic [TagSize-1:0] no_tag [IC_NUM_WAYS];
  logic [BUS_SIZE*IC_LINE_BEATS-1:0] no_line [IC_NUM_WAYS];
  assign no_tag = '{default: '0};
  assign no_line = '{default: '0};

  assign ibus_addr = instr_addr[31:2];
  assign dbus_addr = data_addr[31:2];
  assign {cmd_valid, cmd_function, cmd_first, cmd_second, rsp_ready} = '0;

  // A store is answered, too.
  reg stored;
  always @(posedge clk) stored <= ~rst & dbus_req & dbus_gnt & dbus_we;

  localparam int unsigned TagSize = IC_TAG_SIZE;

  // A message of the core refers to this name.
  ibex_core #(
    .RV32M(RV32MSingleCycle), .BranchTargetALU(1'b1), .WritebackStage(1'b1)
  ) u_ibex_core (
    .clk_i(clk), .rst_ni(~rst), .hart_id_i(32'd0), .boot_addr_i(BOOT),
    .instr_req_o(ibus_req), .instr_gnt_i(ibus_gnt), .instr_rvalid_i(ibus_rvalid),
    .instr_addr_o(instr_addr), .instr_rdata_i(ibus_rdata), .instr_err_i(1'b0),
    .data_req_o(dbus_req), .data_gnt_i(dbus_gnt), .data_rvalid_i(dbus_rvalid | stored),
    .data_we_o(dbus_we), .data_be_o(dbus_be), .data_addr_o(data_addr), .data_wdata_o(dbus_wdata),
    .data_rdata_i(dbus_rdata), .data_err_i(1'b0),
    .dummy_instr_id_o(dummy_id), .dummy_instr_wb_o(dummy_wb), .rf_raddr_a_o(raddr_a),
    .rf_raddr_b_o(raddr_b), .rf_waddr_wb_o(waddr), .rf_we_wb_o(we), .rf_wdata_wb_ecc_o(wdata),
    .rf_rdata_a_ecc_i(rdata_a), .rf_rdata_b_ecc_i(rdata_b),
    .ic_tag_req_o(), .ic_tag_write_o(), .ic_tag_addr_o(), .ic_tag_wdata_o(),
    .ic_tag_rdata_i(no_tag), .ic_data_req_o(), .ic_data_write_o(), .ic_data_addr_o(),
    .ic_data_wdata_o(), .ic_data_rdata_i(no_line), .ic_scr_key_valid_i(1'b1), .ic_scr_key_req_o(),
    .irq_software_i(1'b0), .irq_timer_i(irq), .irq_external_i(1'b0), .irq_fast_i(15'd0),
    .irq_nm_i(1'b0), .irq_pending_o(), .debug_req_i(1'b0), .crash_dump_o(),
    .double_fault_seen_o(), .fetch_enable_i(IbexMuBiOn), .alert_minor_o(),
    .alert_major_internal_o(), .alert_major_bus_o(), .core_busy_o()
  );

  ibex_register_file_ff registers (
    .clk_i(clk), .rst_ni(~rst), .test_en_i(1'b0), .dummy_instr_id_i(dummy_id),
    .dummy_instr_wb_i(dummy_wb), .raddr_a_i(raddr_a), .rdata_a_o(rdata_a), .raddr_b_i(raddr_b),
    .rdata_b_o(rdata_b), .waddr_a_i(waddr), .wdata_a_i(wdata), .we_a_i(we), .err_o()
  );
endmodule
