// SPDX-License-Identifier: Apache-2.0
// A text in words of 32 bits as the words of a core's data stream. Of each word only the first
// bytes count that its marks say, and of the last byte of a message not the spare bits. What counts
// is put together without a gap, unit by unit, whatever words it came in.
//
// Units of 32 bits enter the core's word at once; where it holds several, as many can wait behind it.
// Of shorter ones a cycle takes one, from a copy of the 32-bit word. So whoever puts does not wait
// for who reads, as long as no more words are under way than the core needs to give one. What has
// left is overwritten with zeros.

module text_in #(
  parameter WIDTH = 32,                       // of the core's words
  parameter UNIT = 32,                        // divides 32 and WIDTH; one mark of associated data each
  parameter KEEP = 8,                         // bits that one bit of `keep` stands for; divides UNIT
  parameter TOP_FIRST = 0
) (
  input  wire                  clk,
  input  wire                  flush,         // what waits here is forgotten
  input  wire           [31:0] text_word,
  input  wire            [4:0] text_marks,    // last, associated data, bytes (0 to 4)
  input  wire            [2:0] text_spare,    // bits of the last byte that do not count
  input  wire                  text_valid,
  output wire                  text_ready,
  output wire      [WIDTH-1:0] payload,
  output wire [WIDTH/KEEP-1:0] keep,
  output wire [WIDTH/UNIT-1:0] ad,            // the first unit in bit 0
  output wire                  last,
  output wire                  valid,
  input  wire                  ready
);
  localparam integer UNITS = WIDTH / UNIT, MARKS = UNIT / KEEP;
  wire text_last = text_marks[4], text_ad = text_marks[3];
  wire [5:0] text_bits = {text_marks[2:0], 3'd0} - (text_last ? {3'd0, text_spare} : 6'd0);

  wire [UNIT-1:0] unit;
  wire [5:0] unit_bits;                       // how many of them count
  wire unit_ad, unit_last, unit_valid, unit_ready;
  wire [MARKS-1:0] marks;
  genvar mark;

  generate
    for (mark = 0; mark < MARKS; mark = mark + 1) begin : marked
      localparam integer PLACE = TOP_FIRST != 0 ? MARKS - 1 - mark : mark;
      localparam integer BEFORE = KEEP * mark;
      assign marks[PLACE] = unit_bits > BEFORE[5:0];
    end

    if (UNIT == 32 && UNITS > 1) begin : several
      wire [39:0] put = {text_word, text_bits, text_ad, text_last};
      wire [39:0] waiting;
      wire waits, room;
      wire [3:0] unused_level;
      assign {unit, unit_bits, unit_ad, unit_last} = waits ? waiting : put;
      assign unit_valid = waits | text_valid;
      assign text_ready = room & ~flush;
      word_fifo #(.WIDTH(40)) behind (
        .clk(clk), .flush(flush), .in(put), .in_valid(text_valid & (waits | ~unit_ready)),
        .in_ready(room), .out(waiting), .out_valid(waits), .out_ready(unit_ready),
        .level(unused_level));
      wire unused = &{1'b0, unused_level};
    end else if (UNIT == 32) begin : whole
      assign unit = text_word;
      assign unit_bits = text_bits;
      assign unit_ad = text_ad;
      assign unit_last = text_last;
      assign unit_valid = text_valid;
      assign text_ready = unit_ready & ~flush;
    end else begin : cut
      localparam integer SIZE = UNIT;
      reg [31:0] rest;
      reg [5:0] left;                         // its bits that count
      reg rest_ad, rest_last, held;
      wire final_unit = left <= SIZE[5:0];
      wire leaves = held & unit_ready;
      assign unit = TOP_FIRST != 0 ? rest[31 -: UNIT] : rest[UNIT-1:0];
      assign unit_bits = final_unit ? left : SIZE[5:0];
      assign unit_ad = rest_ad;
      assign unit_last = rest_last & final_unit;
      assign unit_valid = held;
      assign text_ready = ~flush & ~held;
      always @(posedge clk) begin
        if (flush | (leaves & final_unit)) rest <= 32'd0;
        else if (text_valid & text_ready) rest <= text_word;
        else if (leaves) rest <= TOP_FIRST != 0 ? {rest[31-UNIT:0], {UNIT{1'b0}}} :
                                                  {{UNIT{1'b0}}, rest[31:UNIT]};
        if (flush) held <= 1'b0;
        else if (text_valid & text_ready) held <= 1'b1;
        else if (leaves & final_unit) held <= 1'b0;
        if (text_valid & text_ready) begin
          left <= text_bits;
          rest_ad <= text_ad;
          rest_last <= text_last;
        end else if (leaves) left <= left - SIZE[5:0];
      end
    end

    if (UNITS == 1 && UNIT < 32) begin : alone
      // A word without bits that is not the last is passed over.
      wire empty = unit_bits == 6'd0 & ~unit_last;
      assign payload = unit;
      assign keep = marks;
      assign ad = unit_ad;
      assign last = unit_last;
      assign valid = unit_valid & ~empty & ~flush;
      assign unit_ready = ready | empty;
    end else begin : joined
      localparam integer LAST = UNITS - 1;
      localparam [5:0] LAST_PLACE = LAST[5:0];
      reg [WIDTH-1:0] all;
      reg [WIDTH/KEEP-1:0] all_marks;
      reg [UNITS-1:0] all_ad;
      reg all_last, full;
      reg [5:0] place;                        // of the unit that comes next
      wire leaves = full & ready;
      wire [5:0] enters = leaves ? 6'd0 : place;
      wire counts = unit_valid & unit_ready & (unit_last | unit_bits != 6'd0);
      assign payload = all;
      assign keep = all_marks;
      assign ad = all_ad;
      assign last = all_last;
      assign valid = full & ~flush;
      assign unit_ready = ~full | leaves;
      integer each;
      always @(posedge clk) begin
        if (flush | leaves) begin
          all <= {WIDTH{1'b0}};
          all_marks <= {WIDTH/KEEP{1'b0}};
          all_ad <= {UNITS{1'b0}};
          all_last <= 1'b0;
          full <= 1'b0;
          place <= 6'd0;
        end
        if (counts & ~flush) begin
          for (each = 0; each < UNITS; each = each + 1)
            if (each[5:0] == enters) begin
              all[UNIT*(TOP_FIRST != 0 ? LAST - each : each) +: UNIT] <= unit;
              all_marks[MARKS*(TOP_FIRST != 0 ? LAST - each : each) +: MARKS] <= marks;
              all_ad[each] <= unit_ad;
            end
          all_last <= unit_last;
          full <= unit_last | enters == LAST_PLACE;
          place <= enters + 6'd1;
        end
      end
    end
  endgenerate
endmodule
