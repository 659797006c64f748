// SPDX-License-Identifier: Apache-2.0
// Key and IV, written into registers, as a packet of bytes: START has its length, LOAD takes the next
// four bytes, the first one lowest. Request and grant, read data one cycle after the grant.
//
// A word that the core does not take within PATIENCE cycles is dropped and sets LATE. Nothing that is
// written to LOAD is stored here, and LOAD reads as zero.

module key_port #(
  parameter PATIENCE = 16384,
  parameter [7:2] STATUS = 1, START = 2, LOAD = 3, CONTROL = 6, IRQ_ENABLE = 7, IRQ_STATUS = 8,
  parameter [7:2] IDENTITY = 12, PARAMETERS = 13, VERSION = 14, OPTIONS = 15,
  parameter [31:0] IDENTITY_IS = 0, PARAMETERS_ARE = 0, VERSION_IS = 0, OPTIONS_ARE = 0,
  parameter CONTROLS = 1
) (
  input  wire                clk,
  input  wire                rst,
  input  wire                bus_req,
  output wire                bus_gnt,
  input  wire                bus_we,
  input  wire          [7:2] bus_addr,
  input  wire         [31:0] bus_wdata,
  output reg                 bus_rvalid,
  output reg          [31:0] bus_rdata,
  output wire                irq,
  output wire                clear,
  output wire                abandon,         // the bytes of a load that has begun will not come
  output reg  [CONTROLS-1:0] control,
  output wire         [31:0] load_data,
  output wire          [3:0] load_keep,
  output wire                load_last,
  output wire                load_valid,
  input  wire                load_ready,
  input  wire                busy,
  input  wire                loaded,
  input  wire                ended,           // the core takes its last load word
  input  wire                over             // a message is over
);
  localparam [15:0] LONGEST = PATIENCE;
  wire writes = bus_req & bus_we, reads = bus_req & ~bus_we;
  reg [15:0] left;                            // bytes that are to come
  reg [15:0] waited;
  reg late;
  reg [1:0] enabled, happened;                // of a load that is complete, of a message that is over
  wire too_late = waited == LONGEST;
  wire starts = writes & bus_addr == START;
  wire taken = load_valid & load_ready;

  assign clear = writes & bus_addr == STATUS;
  assign abandon = starts & left != 16'd0;
  assign load_data = bus_wdata;
  assign load_last = left <= 16'd4;
  assign load_keep = load_last ? 4'hf >> (3'd4 - left[2:0]) : 4'hf;
  assign load_valid = writes & bus_addr == LOAD & left != 16'd0 & ~too_late;
  assign bus_gnt = bus_req & (~load_valid | load_ready);
  assign irq = |(enabled & happened);

  reg [31:0] value;
  always @* begin
    case (bus_addr)
      STATUS: value = {21'd0, loaded, busy, late, 8'd0};
      CONTROL: value = {{32-CONTROLS{1'b0}}, control};
      IRQ_ENABLE: value = {28'd0, enabled[1], 1'b0, enabled[0], 1'b0};
      IRQ_STATUS: value = {28'd0, happened[1], 1'b0, happened[0], 1'b0};
      IDENTITY: value = IDENTITY_IS;
      PARAMETERS: value = PARAMETERS_ARE;
      VERSION: value = VERSION_IS;
      OPTIONS: value = OPTIONS_ARE;
      default: value = 32'd0;
    endcase
  end

  wire [1:0] seen = writes & bus_addr == IRQ_STATUS ? {bus_wdata[3], bus_wdata[1]} : 2'd0;
  always @(posedge clk) begin
    if (rst) begin
      bus_rvalid <= 1'b0;
      bus_rdata <= 32'd0;
      left <= 16'd0;
      waited <= 16'd0;
      late <= 1'b0;
      control <= {CONTROLS{1'b0}};
      enabled <= 2'd0;
      happened <= 2'd0;
    end else begin
      bus_rvalid <= bus_gnt & ~bus_we;
      bus_rdata <= reads ? value : 32'd0;
      waited <= load_valid & ~load_ready ? waited + 16'd1 : 16'd0;
      if (clear) late <= 1'b0;
      else if (too_late) late <= 1'b1;
      if (clear) left <= 16'd0;
      else if (starts) left <= bus_wdata[15:0];
      else if (taken) left <= load_last ? 16'd0 : left - 16'd4;
      if (writes & bus_addr == CONTROL) control <= bus_wdata[CONTROLS-1:0];
      if (writes & bus_addr == IRQ_ENABLE) enabled <= {bus_wdata[3], bus_wdata[1]};
      happened <= clear ? 2'd0 : (happened & ~seen) | {over, ended};
    end
  end
endmodule
