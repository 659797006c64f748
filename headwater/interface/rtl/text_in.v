// SPDX-License-Identifier: Apache-2.0
// A text in words of 32 bits as the words of a core's data stream. Of each word only the first
// bytes count that its marks say, and of the last byte of a message not the spare bits. What counts
// is put together without a gap, in units of ${unit} bits, whatever words it came in.
//
{% if unit == 32 and units > 1 %}
// A word enters the core's word at once, and as many as this holds can wait behind it. So whoever puts
// does not wait for who reads, as long as no more words are under way than the core needs to give one.
{% elif unit < 32 %}
// A cycle takes one unit, from a copy of the word.
{% endif %}
// What has left is overwritten with zeros.
{% set high = units - 1 %}

module text_in (
  input  wire        clk,
  input  wire        flush,                   // what waits here is forgotten
  input  wire [31:0] text_word,
  input  wire  [4:0] text_marks,              // last, associated data, bytes (0 to 4)
  input  wire  [2:0] text_spare,              // bits of the last byte that do not count
  input  wire        text_valid,
  output wire        text_ready,
  output wire [${width - 1}:0] payload,
  output wire [${width // keep - 1}:0] keep,
{% if ad %}
  output wire [${high}:0] ad,                 // the first unit in bit 0
{% endif %}
  output wire        last,
  output wire        valid,
  input  wire        ready
);
{% set marks = unit // keep %}
  wire text_last = text_marks[4];
{% if ad %}
  wire text_ad = text_marks[3];
{% else %}
  wire unused_ad = &{1'b0, text_marks[3]};
{% endif %}
  wire [5:0] text_bits = {text_marks[2:0], 3'd0} - (text_last ? {3'd0, text_spare} : 6'd0);

  // A unit, and how many of its bits count.
  wire [${unit - 1}:0] unit;
  wire [5:0] unit_bits;
  wire ${"unit_ad, " if ad}unit_last, unit_valid, unit_ready;
  wire [${marks - 1}:0] marks = {
{% for mark in range(marks) %}
    unit_bits > 6'd${keep * (mark if top_first else marks - 1 - mark)}${"," if not loop.last}
{% endfor %}
  };

{% if unit == 32 and units == 1 %}
  assign unit = text_word;
  assign unit_bits = text_bits;
{% if ad %}
  assign unit_ad = text_ad;
{% endif %}
  assign unit_last = text_last;
  assign unit_valid = text_valid;
  assign text_ready = unit_ready & ~flush;
{% elif unit == 32 %}
{% set all = 40 if ad else 39 %}
  wire [${all - 1}:0] put = {text_word, text_bits, ${"text_ad, " if ad}text_last};
  wire [${all - 1}:0] waiting;
  wire waits, room;
  wire [3:0] unused_level;
  assign {unit, unit_bits, ${"unit_ad, " if ad}unit_last} = waits ? waiting : put;
  assign unit_valid = waits | text_valid;
  assign text_ready = room & ~flush;

  word_fifo #(
    .WIDTH(${all})
  ) behind (
    .clk(clk),
    .flush(flush),
    .in(put),
    .in_valid(text_valid & (waits | ~unit_ready)),
    .in_ready(room),
    .out(waiting),
    .out_valid(waits),
    .out_ready(unit_ready),
    .level(unused_level)
  );
{% else %}
  reg [31:0] rest;
  reg [5:0] left;                             // its bits that count
  reg ${"rest_ad, " if ad}rest_last, held;
  wire final_unit = left <= 6'd${unit};
  wire leaves = held & unit_ready;
  assign unit = rest[${"31:%d" % (32 - unit) if top_first else "%d:0" % (unit - 1)}];
  assign unit_bits = final_unit ? left : 6'd${unit};
{% if ad %}
  assign unit_ad = rest_ad;
{% endif %}
  assign unit_last = rest_last & final_unit;
  assign unit_valid = held;
  assign text_ready = ~flush & ~held;
  always @(posedge clk) begin
    if (flush | (leaves & final_unit)) rest <= 32'd0;
    else if (text_valid & text_ready) rest <= text_word;
    else if (leaves) rest <= ${"{rest[%d:0], %d'd0}" % (31 - unit, unit) if top_first else "{%d'd0, rest[31:%d]}" % (unit, unit)};
    if (flush) held <= 1'b0;
    else if (text_valid & text_ready) held <= 1'b1;
    else if (leaves & final_unit) held <= 1'b0;
    if (text_valid & text_ready) begin
      left <= text_bits;
{% if ad %}
      rest_ad <= text_ad;
{% endif %}
      rest_last <= text_last;
    end else if (leaves) left <= left - 6'd${unit};
  end
{% endif %}

{% if units == 1 and unit < 32 %}
  // A word without bits that is not the last is passed over.
  wire empty = unit_bits == 6'd0 & ~unit_last;
  assign payload = unit;
  assign keep = marks;
{% if ad %}
  assign ad = unit_ad;
{% endif %}
  assign last = unit_last;
  assign valid = unit_valid & ~empty & ~flush;
  assign unit_ready = ready | empty;
{% else %}
{% set place = "%d - each" % high if top_first else "each" %}
{% set marked = width // keep %}
  reg [${width - 1}:0] all;
  reg [${marked - 1}:0] all_marks;
{% if ad %}
  reg [${high}:0] all_ad;
{% endif %}
  reg all_last, full;
  wire leaves_word = full & ready;
  wire counts = unit_valid & unit_ready & (unit_last | unit_bits != 6'd0);
{% if units > 1 %}
  reg [${place_bits - 1}:0] place;            // of the unit that comes next
  wire [${place_bits - 1}:0] enters = leaves_word ? ${place_bits}'d0 : place;
  integer each;
{% endif %}
  assign payload = all;
  assign keep = all_marks;
{% if ad %}
  assign ad = all_ad;
{% endif %}
  assign last = all_last;
  assign valid = full & ~flush;
  assign unit_ready = ~full | leaves_word;
  always @(posedge clk) begin
    if (flush | leaves_word) begin
      all <= ${width}'d0;
      all_marks <= ${marked}'d0;
{% if ad %}
      all_ad <= ${units}'d0;
{% endif %}
      all_last <= 1'b0;
      full <= 1'b0;
{% if units > 1 %}
      place <= ${place_bits}'d0;
{% endif %}
    end
    if (counts & ~flush) begin
{% if units > 1 %}
      for (each = 0; each < ${units}; each = each + 1)
        if (each[${place_bits - 1}:0] == enters) begin
          all[${unit} * (${place}) +: ${unit}] <= unit;
          all_marks[${marks} * (${place}) +: ${marks}] <= marks;
{% if ad %}
          all_ad[each] <= unit_ad;
{% endif %}
        end
      full <= unit_last | enters == ${place_bits}'d${high};
      place <= enters + ${place_bits}'d1;
{% else %}
      all <= unit;
      all_marks <= marks;
{% if ad %}
      all_ad <= unit_ad;
{% endif %}
      full <= 1'b1;
{% endif %}
      all_last <= unit_last;
    end
  end
{% endif %}
endmodule
