// SPDX-License-Identifier: Apache-2.0
// Compares the words of a tag with those that are expected. The result stays until the next load.

module tag_check #(
  parameter WORDS = 0                         // of a tag; 0 where its length is not fixed
) (
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
  localparam integer ALL = WORDS == 0 ? 1 : WORDS, LAST = ALL - 1, ONE = 1;
  localparam COUNT_BITS = $clog2(ALL + 1);
  reg [COUNT_BITS-1:0] compared;
  wire all = compared == ALL[COUNT_BITS-1:0];

  assign complete = missed | (compares & (WORDS == 0 | compared == LAST[COUNT_BITS-1:0]));
  assign ok = all & ~bad;

  always @(posedge clk) begin
    if (flush) compared <= {COUNT_BITS{1'b0}};
    else if (compares & ~all) compared <= compared + ONE[COUNT_BITS-1:0];
    if (flush) bad <= 1'b0;
    else if (missed | (compares & expected != word)) bad <= 1'b1;
  end
endmodule
