// SPDX-License-Identifier: Apache-2.0
// The registers that software sets and reads without waiting: direction, interrupts, spare bits,
// and what this coprocessor is.

module settings #(
  parameter [31:0] IDENTITY_IS = 0, PARAMETERS_ARE = 0, VERSION_IS = 0, OPTIONS_ARE = 0,
  parameter TEXTS = 0, TAGS = 0, DECRYPTS = 0, DMAS = 0, // what there is
  parameter [7:2] CONTROL = 6, IRQ_ENABLE = 7, IRQ_STATUS = 8, TEXT_SPARE = 10,
  parameter [7:2] IDENTITY = 12, PARAMETERS = 13, VERSION = 14, OPTIONS = 15
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        clear,
  input  wire        flush,                   // no key is loaded, or a load begins
  input  wire  [7:2] address,
  input  wire        written,
  input  wire [31:0] value,
  output reg  [31:0] given,
  input  wire        word_valid,
  input  wire        word_tag,
  input  wire        loaded,
  input  wire        compared,                // a comparison with a tag is complete
  input  wire        dma_busy,
  output reg         decrypt,                 // for the core: constant while a key is loaded
  output wire  [2:0] spare,
  output wire        irq
);
  localparam [3:0] EVENTS = {DMAS != 0, TAGS != 0, 1'b1, 1'b0}; // the others are states, or nothing
  localparam [3:0] SOURCES = EVENTS | 4'b0001;

  reg [3:0] enabled, happened, earlier;
  reg decrypts;
  reg [2:0] spare_bits;
  wire [3:0] now = {~dma_busy, word_valid & word_tag, loaded, 1'b0};
  wire [3:0] happens = (now & ~earlier) | {1'b0, compared, 2'b00};
  wire [3:0] seen = {happened[3:1], word_valid};
  wire [3:0] cleared = written & address == IRQ_STATUS ? value[3:0] : 4'd0;
  assign irq = |(enabled & seen);
  assign spare = spare_bits;

  always @(posedge clk) begin
    if (rst) begin
      enabled <= 4'd0;
      decrypts <= 1'b0;
      spare_bits <= 3'd0;
    end else if (written) begin
      if (address == IRQ_ENABLE) enabled <= value[3:0] & SOURCES;
      if (DECRYPTS != 0 & address == CONTROL) decrypts <= value[0];
      if (TEXTS != 0 & address == TEXT_SPARE) spare_bits <= value[2:0];
    end
    earlier <= rst ? 4'b1000 : now;
    happened <= rst | clear ? 4'd0 : ((happened & ~cleared) | happens) & EVENTS;
    if (rst) decrypt <= 1'b0;
    else if (flush) decrypt <= decrypts;
  end

  always @*
    case (address)
      CONTROL: given = {31'd0, decrypts};
      IRQ_ENABLE: given = {28'd0, enabled};
      IRQ_STATUS: given = {28'd0, seen};
      TEXT_SPARE: given = {29'd0, spare_bits};
      IDENTITY: given = IDENTITY_IS;
      PARAMETERS: given = PARAMETERS_ARE;
      VERSION: given = VERSION_IS;
      OPTIONS: given = OPTIONS_ARE;
      default: given = 32'd0;
    endcase

  wire unused = &{1'b0, value[31:4]};
endmodule
