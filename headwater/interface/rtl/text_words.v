// SPDX-License-Identifier: Apache-2.0
// A text in words of 32 bits through a core that encrypts and authenticates whole words: they are
// put together to transfers, and the words of text and tag that come out are handed on one by one.

module text_words #(
  parameter WORDS = 1                         // of 32 bits in a transfer
) (
  input  wire                clk,
  input  wire                flush,           // what waits here is forgotten
  input  wire         [31:0] text_word,
  input  wire          [4:0] text_marks,      // last, associated data, bytes (0 to 4)
  input  wire                text_valid,
  output wire                text_ready,
  output reg  [32*WORDS-1:0] in_payload,
  output reg   [4*WORDS-1:0] in_keep,
  output reg     [WORDS-1:0] in_ad,
  output reg                 in_last,
  output wire                in_valid,
  input  wire                in_ready,
  input  wire [32*WORDS-1:0] out_payload,
  input  wire  [4*WORDS-1:0] out_keep,
  input  wire                out_valid,
  output wire                out_ready,
  input  wire [32*WORDS-1:0] tag_payload,
  input  wire    [WORDS-1:0] tag_keep,
  input  wire                tag_valid,
  output wire                tag_ready,
  output wire         [31:0] word,
  output wire                word_valid,
  input  wire                word_ready
);
  localparam [3:0] LAST_PLACE = WORDS - 1;
  reg full;                                   // the transfer is complete
  reg [3:0] place, leaving;
  wire leaves = full & in_ready;
  wire [3:0] bytes = 4'hf >> (3'd4 - text_marks[2:0]);

  assign in_valid = full & ~flush;
  assign text_ready = (~full | leaves) & ~flush;

  integer each;
  always @(posedge clk) begin
    if (flush | leaves) begin
      in_payload <= {32*WORDS{1'b0}};
      in_keep <= {4*WORDS{1'b0}};
      in_ad <= {WORDS{1'b0}};
      in_last <= 1'b0;
      full <= 1'b0;
      place <= 4'd0;
    end
    if (text_valid & text_ready) begin
      for (each = 0; each < WORDS; each = each + 1)
        if (each[3:0] == (leaves ? 4'd0 : place)) begin
          in_payload[32*each +: 32] <= text_word;
          in_keep[4*each +: 4] <= bytes;
          in_ad[each] <= text_marks[3];
        end
      in_last <= text_marks[4];
      full <= text_marks[4] | (leaves ? WORDS == 1 : place == LAST_PLACE);
      place <= leaves ? 4'd1 : place + 4'd1;
    end
  end

  // The words of a transfer that comes out; those that do not count are passed over.
  wire [32*WORDS-1:0] payload = out_valid ? out_payload : tag_payload;
  wire [WORDS-1:0] counts;
  genvar one;
  generate
    for (one = 0; one < WORDS; one = one + 1) begin : counted
      assign counts[one] = out_valid ? |out_keep[4*one +: 4] : tag_keep[one];
    end
  endgenerate
  wire [3:0] shown = WORDS == 1 ? 4'd0 : leaving;
  wire valid = (out_valid | tag_valid) & ~flush;
  wire [WORDS-1:0] rest = counts >> shown;
  assign word = payload[32*shown +: 32];
  assign word_valid = valid & rest[0];
  wire moves = valid & (word_ready | ~rest[0]);
  wire ends = moves & shown == LAST_PLACE;
  assign out_ready = ends;
  assign tag_ready = ends & ~out_valid;

  always @(posedge clk)
    if (flush | ends) leaving <= 4'd0;
    else if (moves) leaving <= leaving + 4'd1;
endmodule
