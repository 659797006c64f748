// SPDX-License-Identifier: Apache-2.0
// Key and IV, written into registers, as a packet of bytes: START has its length, LOAD takes the next
// four bytes, the first one lowest. Request and grant, read data one cycle after the grant.
//
// A word that the core does not take within ${patience} cycles is dropped and sets LATE. Nothing that is
// written to LOAD is stored here, and LOAD reads as zero.

module key_port (
  input  wire        clk,
  input  wire        rst,
  input  wire        bus_req,
  output wire        bus_gnt,
  input  wire        bus_we,
  input  wire  [7:2] bus_addr,
  input  wire [31:0] bus_wdata,
  output reg         bus_rvalid,
  output reg  [31:0] bus_rdata,
  output wire        irq,
  output wire        clear,
  output wire        abandon,                 // the bytes of a load that has begun will not come
{% if controls %}
  output reg  [${controls - 1}:0] control,
{% endif %}
  output wire [31:0] load_data,
  output wire  [3:0] load_keep,
  output wire        load_last,
  output wire        load_valid,
  input  wire        load_ready,
  input  wire        busy,
  input  wire        loaded,
  input  wire        ended,                   // the core takes its last load word
  input  wire        over                     // a message is over
);
{% for name, number in addresses.items() %}
  localparam [7:2] ${name} = 6'd${number};
{% endfor %}
  localparam [15:0] LONGEST = 16'd${patience};
  wire writes = bus_req & bus_we, reads = bus_req & ~bus_we;
  reg [15:0] left;                            // bytes that are to come
  reg [15:0] waited;
  reg late;
  reg [1:0] enabled, happened;                // bit 0: a load is complete, 1: a message is over
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
{% for name, expression in read.items() %}
      ${name}: value = ${expression};
{% endfor %}
      default: value = 32'd0;
    endcase
  end

  wire [1:0] seen = writes & bus_addr == IRQ_STATUS ? {${field.IRQ_STATUS.DONE}, ${field.IRQ_STATUS.LOADED}} : 2'd0;
  always @(posedge clk) begin
    if (rst) begin
      bus_rvalid <= 1'b0;
      bus_rdata <= 32'd0;
      left <= 16'd0;
      waited <= 16'd0;
      late <= 1'b0;
{% if controls %}
      control <= ${controls}'d0;
{% endif %}
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
{% if controls %}
      if (writes & bus_addr == CONTROL) control <= bus_wdata[${controls - 1}:0];
{% endif %}
      if (writes & bus_addr == IRQ_ENABLE) enabled <= {${field.IRQ_ENABLE.DONE}, ${field.IRQ_ENABLE.LOADED}};
      happened <= clear ? 2'd0 : (happened & ~seen) | {over, ended};
    end
  end
endmodule
