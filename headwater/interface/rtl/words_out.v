// SPDX-License-Identifier: Apache-2.0
// The words that a core gives (keystream, text, tag) as words of 32 bits, the older bits ${"highest" if top_first else "lowest"}.
//
{% if unit < 32 %}
// A word of the core stays in the core, which holds it, until the last unit of ${unit} bits that counts
// has been taken. Units are gathered, one in each cycle, while the reader uses the word before.
{% if text %}
// Behind a message, and before a tag, a word that is not full is filled up with zeros.
{% endif %}
{% elif units > 1 %}
// A word of the core is shown in parts of 32 bits; it stays in the core, which holds it, until the
// last part that counts has been taken.
{% endif %}
{% if two %}
// A reader may take a part together with the one behind it, if both are of one word of the core.
{% endif %}
{% set high = units - 1 %}
{% set extra = "both" if place_bits == 1 else "{%d'd0, both}" % (place_bits - 1) %}

module words_out (
{% if units > 1 or unit < 32 %}
  input  wire        clk,
{% endif %}
  input  wire        flush,                   // what was gathered is forgotten
  input  wire [${width - 1}:0] payload,
{% if counts %}
  input  wire [${high}:0] counts,             // units that count, the first one in bit 0
{% endif %}
{% if text and unit < 32 %}
  input  wire        last,                    // of a message's text
{% endif %}
{% if tag %}
  input  wire        tag,
{% endif %}
  input  wire        valid,
  output wire        ready,
  output wire [31:0] word,
{% if tag %}
  output wire        word_tag,
{% endif %}
  output wire        word_valid,
  input  wire        word_ready,
{% if two %}
  output wire [31:0] after,                   // the word behind `word`
  output wire        after_valid,
  input  wire        both,                    // what is taken is two words; only while `after_valid`
{% endif %}
  output wire  [7:0] level                    // words that can be read without waiting
);
  wire unit_ready;
{% if units == 1 %}
  wire [${unit - 1}:0] unit = payload;
{% if counts %}
  wire unit_counts = counts[0];
{% endif %}
{% else %}
  // What of the word is shown.
  reg [${place_bits - 1}:0] number;
{% if top_first %}
  wire [${place_bits - 1}:0] place = ${place_bits}'d${high} - number;
{% else %}
  wire [${place_bits - 1}:0] place = number;
{% endif %}
  wire [${unit - 1}:0] unit = payload[${unit} * place +: ${unit}];
{% if two %}
  wire [${place_bits - 1}:0] behind = place ${"-" if top_first else "+"} ${place_bits}'d1;
  wire [${unit - 1}:0] unit_after = payload[${unit} * behind +: ${unit}];
{% endif %}
{% if counts %}
  wire [${high}:0] left = counts >> number;   // units that count, from the one that is shown on
  wire unit_counts = left[0];
  wire final_unit = left[${high}:1] == ${high}'d0;
{% elif two %}
  wire final_unit = number + ${extra} == ${place_bits}'d${high};
{% else %}
  wire final_unit = number == ${place_bits}'d${high};
{% endif %}
{% endif %}
{% set passing = "(unit_ready | ~unit_counts)" if counts else "unit_ready" %}
  wire moves = valid & ~flush & ${passing};
  assign ready = moves${" & final_unit" if units > 1};
{% if units > 1 %}
  always @(posedge clk)
    if (flush | ready) number <= ${place_bits}'d0;
    else if (moves) number <= number + ${"%s + " % extra if two}${place_bits}'d1;
{% endif %}

{% if unit == 32 %}
  assign word = unit;
{% if tag %}
  assign word_tag = tag;
{% endif %}
  assign word_valid = valid${" & unit_counts" if counts} & ~flush;
  assign unit_ready = word_ready;
{% if two %}
  assign after = unit_after;
  assign after_valid = word_valid & number != ${place_bits}'d${high};
{% endif %}
{% if units == 1 %}
  assign level = {7'd0, word_valid};
{% elif counts %}
  reg [7:0] sum;
  integer each;
  always @* begin
    sum = 8'd0;
    for (each = 0; each < ${units}; each = each + 1) sum = sum + {7'd0, left[each]};
  end
  assign level = word_valid ? sum : 8'd0;
{% else %}
  assign level = word_valid ? 8'd${units} - {${8 - place_bits}'d0, number} : 8'd0;
{% endif %}
{% else %}
  reg [31:0] gathered;
  reg [5:0] count;
  wire full = count == 6'd${pieces};
  wire takes = valid${" & unit_counts" if counts} & unit_ready & ~flush;
{% if text %}
  reg over;                                   // the message is, whose last word is to be filled up
{% if tag %}
  reg of_tag;                                 // what is gathered
  assign word_tag = of_tag;
{% endif %}
  wire begun = count != 6'd0 & ~full;
  wire fills = begun & ${"(over | (valid & tag & ~of_tag))" if tag else "over"};
  wire [${unit - 1}:0] piece = fills ? ${unit}'d0 : unit;
  wire enters = takes | fills;
{% else %}
  wire [${unit - 1}:0] piece = unit;
  wire enters = takes;
{% endif %}
  assign word = gathered;
  assign word_valid = full & ~flush;
  assign unit_ready = (~full | word_ready)${" & ~fills" if text};
  assign level = {7'd0, word_valid};
  always @(posedge clk) begin
    if (flush) gathered <= 32'd0;
    else if (enters) gathered <= ${"{gathered[%d:0], piece}" % (31 - unit) if top_first else "{piece, gathered[31:%d]}" % unit};
    else if (full & word_ready) gathered <= 32'd0;
    if (flush) count <= 6'd0;
    else if (full & word_ready) count <= {5'd0, takes};
    else if (enters) count <= count + 6'd1;
{% if text %}
{% if tag %}
    if (takes) of_tag <= tag;
{% endif %}
    if (flush) over <= 1'b0;
    else if (ready & last) over <= 1'b1;
    else if (~begun) over <= 1'b0;
{% endif %}
  end
{% endif %}
endmodule
