// SPDX-License-Identifier: Apache-2.0
// Compares the words of a tag with those that are expected. The result stays until the next load.

module tag_check (
  input  wire        clk,
  input  wire        flush,                   // the result is forgotten
  input  wire        compares,
  input  wire        missed,                  // a word was expected and never came
  input  wire [31:0] expected,
  input  wire [31:0] word,
  output wire        complete,                // a comparison ends
  output wire        ok,
  output reg         bad
);
{% if words > 1 %}
  reg [${count_bits - 1}:0] compared;         // words of the tag
  wire all = compared == ${count_bits}'d${words};
  assign complete = missed | (compares & compared == ${count_bits}'d${words - 1});

  always @(posedge clk)
    if (flush) compared <= ${count_bits}'d0;
    else if (compares & ~all) compared <= compared + ${count_bits}'d1;
{% else %}
  reg all;                                    // words of the tag, as far as is known
  assign complete = missed | ${"(compares & ~all)" if words else "compares"};

  always @(posedge clk)
    if (flush) all <= 1'b0;
    else if (compares) all <= 1'b1;
{% endif %}
  assign ok = all & ~bad;

  always @(posedge clk)
    if (flush) bad <= 1'b0;
    else if (missed | (compares & expected != word)) bad <= 1'b1;
endmodule
