// SPDX-License-Identifier: Apache-2.0
// 32-bit words from a bus, an instruction or a FIFO become the ${count} load words of a core.
//
// A load begins with the word that is marked `first`, whatever was loaded before; words after the
// last one are taken and ignored.
{% if width < 32 and parts > 1 %}
// A word holds as many load words as fit, the first one ${"highest" if top_first else "lowest"}.
{% elif width > 32 %}
// Several words make one load word, the first one ${"highest" if top_first else "lowest"}.
{% endif %}
// Nothing that is stored here can be read: it leaves towards the core alone.

module load_words (
  input  wire        clk,
  input  wire        rst,
  input  wire        clear,                   // forget the load
  input  wire [31:0] word,
  input  wire        first,
  input  wire        valid,
  output wire        ready,
  output wire        loaded,                  // the load is complete
  output wire        abandon,                 // a load that was begun ends here: to the core's clear
  output wire [${width - 1}:0] payload,
{% if marks_last %}
  output wire        payload_last,
{% endif %}
  output wire        payload_valid,
  input  wire        payload_ready
);
  reg [${count_bits - 1}:0] taken;            // load words that the core has taken
  reg underway;                               // the word on the input has begun to be used
{% if width > 32 %}
  reg [${part_bits - 1}:0] part;              // of the load word that comes next
  wire begun = taken != ${count_bits}'d0 | part != ${part_bits}'d0;
{% else %}
  wire begun = taken != ${count_bits}'d0;
{% endif %}
  wire restart = valid & first & ~underway & begun;
  wire busy = valid & ~restart & ~loaded;
  wire moves = payload_valid & payload_ready;

  assign loaded = taken == ${count_bits}'d${count};
  assign abandon = restart & ~loaded;
{% if marks_last or (width < 32 and parts > 1) %}
  wire final_word = taken == ${count_bits}'d${count - 1};
{% endif %}
{% if marks_last %}
  assign payload_last = final_word;
{% endif %}

  always @(posedge clk) begin
    if (rst | clear | restart) begin
      taken <= ${count_bits}'d0;
      underway <= 1'b0;
    end else begin
      if (moves) taken <= taken + ${count_bits}'d1;
      if (ready) underway <= 1'b0;
      else if (moves) underway <= 1'b1;
    end
  end

{% if parts == 1 %}
  assign ready = valid & ~restart & (loaded | payload_ready);
  assign payload_valid = busy;
  assign payload = word[${width - 1}:0];
{% if width < 32 %}

  wire unused = &{1'b0, word[31:${width}]};
{% endif %}
{% elif width < 32 %}
  reg [${part_bits - 1}:0] piece;             // of the word
  wire ends_word = piece == ${part_bits}'d${parts - 1} | final_word;
{% if top_first %}
  wire [${part_bits - 1}:0] place = ${part_bits}'d${parts - 1} - piece;
{% else %}
  wire [${part_bits - 1}:0] place = piece;
{% endif %}
  assign ready = valid & ~restart & (loaded | (ends_word & payload_ready));
  assign payload_valid = busy;
  assign payload = word[${width} * place +: ${width}];
  always @(posedge clk)
    if (rst | clear | restart | ready) piece <= ${part_bits}'d0;
    else if (moves) piece <= piece + ${part_bits}'d1;
{% if 32 % width %}

  wire unused = &{1'b0, word[31:${width * parts}]};
{% endif %}
{% else %}
{% set kept = 32 * parts - 32 %}
  reg [${kept - 1}:0] kept;
  wire [${32 * parts - 1}:0] joined = ${"{kept, word}" if top_first else "{word, kept}"};
  wire final_part = part == ${part_bits}'d${parts - 1};
  wire keeps = ready & ~loaded & ~final_part;
  assign ready = valid & ~restart & (loaded | payload_ready | ~payload_valid);
  assign payload_valid = busy & final_part;
  assign payload = joined[${width - 1}:0];
  always @(posedge clk) begin
    if (rst | clear | restart | moves) part <= ${part_bits}'d0;
    else if (keeps) part <= part + ${part_bits}'d1;
    // Parts of a key do not stay behind.
    if (rst | clear | restart | moves) kept <= ${kept}'d0;
    else if (keeps) kept <= ${"joined[%d:0]" % (kept - 1) if top_first else "joined[%d:32]" % (32 * parts - 1)};
  end
{% if width % 32 %}

  wire unused = &{1'b0, joined[${32 * parts - 1}:${width}]};
{% endif %}
{% endif %}
endmodule
