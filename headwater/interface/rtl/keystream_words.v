// SPDX-License-Identifier: Apache-2.0
// The keystream words of a core as words of 32 bits, the older bits lowest (TOP_FIRST: highest).
//
// Wider words stay in the core, which holds them, until their last part is taken: nothing is
// stored. Narrower ones are gathered, one in each cycle, while their reader uses the word before.

module keystream_words #(
  parameter RADIX = 64,                       // divides 32, or is a multiple of it
  parameter TOP_FIRST = 0
) (
  input  wire             clk,
  input  wire             flush,              // keystream that was gathered is forgotten
  input  wire [RADIX-1:0] payload,
  input  wire             payload_valid,
  output wire             payload_ready,
  output wire      [31:0] word,
  output wire             word_valid,
  input  wire             word_ready,
  output wire       [7:0] level               // words that can be read without waiting
);
  generate
    if (RADIX == 32) begin : whole
      assign word = payload;
      assign word_valid = payload_valid & ~flush;
      assign payload_ready = word_ready & ~flush;
      assign level = {7'd0, word_valid};
      wire unused = &{1'b0, clk};
    end else if (RADIX > 32) begin : parts
      localparam integer PARTS = RADIX / 32;
      localparam [7:0] ALL = PARTS[7:0];
      reg [7:0] part;
      wire [7:0] place = TOP_FIRST != 0 ? ALL - 8'd1 - part : part;
      wire last = part == ALL - 8'd1;
      assign word = payload[32*place +: 32];
      assign word_valid = payload_valid & ~flush;
      assign payload_ready = word_ready & last & ~flush;
      assign level = word_valid ? ALL - part : 8'd0;
      always @(posedge clk)
        if (flush) part <= 8'd0;
        else if (word_valid & word_ready) part <= last ? 8'd0 : part + 8'd1;
    end else begin : pieces
      localparam integer PIECES = 32 / RADIX;
      localparam [5:0] ALL = PIECES[5:0];
      reg [31:0] gathered;
      reg [5:0] count;
      wire full = count == ALL;
      assign word = gathered;
      assign word_valid = full & ~flush;
      assign payload_ready = (~full | word_ready) & ~flush;
      assign level = {7'd0, word_valid};
      always @(posedge clk) begin
        if (flush) gathered <= 32'd0;
        else if (payload_valid & payload_ready)
          gathered <= TOP_FIRST != 0 ? {gathered[31-RADIX:0], payload} : {payload, gathered[31:RADIX]};
        if (flush) count <= 6'd0;
        else if (full & word_ready) count <= {5'd0, payload_valid};
        else if (payload_valid & payload_ready) count <= count + 6'd1;
      end
    end
  endgenerate
endmodule
