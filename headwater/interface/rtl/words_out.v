// SPDX-License-Identifier: Apache-2.0
// The words that a core gives (keystream, text, tag) as words of 32 bits, the older bits lowest
// (TOP_FIRST: highest).
//
// A word of the core is shown unit by unit; it stays in the core, which holds it, until the last
// unit that counts has been taken. Units of less than 32 bits are gathered, one in each cycle,
// while the reader uses the word before. Behind a message, and before a tag, a word that is not
// full is filled up with zeros.
//
// Where units are words, a reader may take a word together with the one behind it, if both are of
// one word of the core.

module words_out #(
  parameter WIDTH = 64,                       // of the core's words
  parameter UNIT = 32,                        // divides 32 and WIDTH
  parameter TOP_FIRST = 0
) (
  input  wire                  clk,
  input  wire                  flush,         // what was gathered is forgotten
  input  wire      [WIDTH-1:0] payload,
  input  wire [WIDTH/UNIT-1:0] counts,        // units that count, the first one in bit 0
  input  wire                  last,          // of a message's text
  input  wire                  tag,
  input  wire                  valid,
  output wire                  ready,
  output wire           [31:0] word,
  output wire                  word_tag,
  output wire                  word_valid,
  input  wire                  word_ready,
  output wire           [31:0] after,         // the word behind `word`
  output wire                  after_valid,
  input  wire                  both,          // what is taken is two words; only while `after_valid`
  output wire            [7:0] level          // words that can be read without waiting
);
  localparam integer UNITS = WIDTH / UNIT;
  wire [UNIT-1:0] unit;
  wire [UNITS-1:0] left;                      // units that count, from the one that is shown on
  wire [UNIT-1:0] unit_after;
  wire unit_ready, final_unit;
  wire unit_counts = left[0];
  wire moves = valid & ~flush & (unit_ready | ~unit_counts);
  assign ready = moves & final_unit;

  generate
    if (UNITS == 1) begin : whole
      assign unit = payload;
      assign unit_after = {UNIT{1'b0}};
      assign left = counts;
      assign final_unit = 1'b1;
    end else begin : parts
      localparam PLACE_BITS = $clog2(UNITS);
      localparam integer LAST = UNITS - 1, ONE = 1, TWO = 2;
      localparam [PLACE_BITS-1:0] LAST_PLACE = LAST[PLACE_BITS-1:0];
      reg [PLACE_BITS-1:0] number;
      wire [PLACE_BITS-1:0] step = both ? TWO[PLACE_BITS-1:0] : ONE[PLACE_BITS-1:0];
      wire [PLACE_BITS-1:0] place = TOP_FIRST != 0 ? LAST_PLACE - number : number;
      wire [PLACE_BITS-1:0] behind = TOP_FIRST != 0 ? place - ONE[PLACE_BITS-1:0] : place + ONE[PLACE_BITS-1:0];
      wire [UNITS-1:0] left_behind = left >> (both ? 2'd2 : 2'd1);
      assign unit = payload[UNIT*place +: UNIT];
      assign unit_after = payload[UNIT*behind +: UNIT];
      assign left = counts >> number;
      assign final_unit = left_behind == {UNITS{1'b0}};
      always @(posedge clk)
        if (flush | ready) number <= {PLACE_BITS{1'b0}};
        else if (moves) number <= number + step;
    end

    if (UNIT == 32) begin : direct
      wire unused = &{1'b0, clk, last};
      assign word = unit;
      assign after = unit_after;
      assign word_tag = tag;
      assign word_valid = valid & unit_counts & ~flush;
      assign unit_ready = word_ready;
      if (UNITS == 1) begin : one
        wire unused_both = &{1'b0, both};
        assign after_valid = 1'b0;
        assign level = {7'd0, word_valid};
      end else begin : several
        assign after_valid = word_valid & left[1];
        reg [7:0] sum;
        integer place;
        always @* begin
          sum = 8'd0;
          for (place = 0; place < UNITS; place = place + 1) sum = sum + {7'd0, left[place]};
        end
        assign level = word_valid ? sum : 8'd0;
      end
    end else begin : pieces
      wire unused_both = &{1'b0, both, unit_after};
      assign after = 32'd0;
      assign after_valid = 1'b0;
      localparam integer PIECES = 32 / UNIT;
      localparam [5:0] ALL = PIECES[5:0];
      reg [31:0] gathered;
      reg [5:0] count;
      reg of_tag;                             // what is gathered
      reg over;                               // the message is, whose last word is to be filled up
      wire full = count == ALL;
      wire begun = count != 6'd0 & ~full;
      wire fills = begun & (over | (valid & tag & ~of_tag));
      wire takes = valid & unit_counts & unit_ready & ~flush;
      wire [UNIT-1:0] piece = fills ? {UNIT{1'b0}} : unit;
      assign word = gathered;
      assign word_tag = of_tag;
      assign word_valid = full & ~flush;
      assign unit_ready = (~full | word_ready) & ~fills;
      assign level = {7'd0, word_valid};
      always @(posedge clk) begin
        if (flush) gathered <= 32'd0;
        else if (takes | fills)
          gathered <= TOP_FIRST != 0 ? {gathered[31-UNIT:0], piece} : {piece, gathered[31:UNIT]};
        else if (full & word_ready) gathered <= 32'd0;
        if (flush) count <= 6'd0;
        else if (full & word_ready) count <= {5'd0, takes};
        else if (takes | fills) count <= count + 6'd1;
        if (takes) of_tag <= tag;
        if (flush) over <= 1'b0;
        else if (ready & last) over <= 1'b1;
        else if (~begun) over <= 1'b0;
      end
    end
  endgenerate
endmodule
