// SPDX-License-Identifier: Apache-2.0
// A word goes on as its pieces, the lowest first, one in each cycle. Pieces of which nothing counts
// are passed over, but for the only one of an empty packet. Nothing is stored: the word stays where
// it is until its last piece is taken, and the next word follows without a gap.

module stream_split #(
  parameter PIECES = 2,
  parameter DATA = 8,                         // bits of a piece
{% if "out_ad" not in unread %}
  parameter AD = 1,                           // its marks of associated data
{% endif %}
  parameter KEEP = 1                          // its marks of bits that count
) (
  input  wire                   clk,
  input  wire                   flush,
  input  wire [PIECES*DATA-1:0] in_data,
  input  wire [PIECES*KEEP-1:0] in_keep,
{% if "out_ad" not in unread %}
  input  wire   [PIECES*AD-1:0] in_ad,
{% endif %}
  input  wire                   in_last,
  input  wire                   in_valid,
  output wire                   in_ready,
  output wire        [DATA-1:0] out_data,
{% if "out_keep" not in unread %}
  output wire        [KEEP-1:0] out_keep,
{% endif %}
{% if "out_ad" not in unread %}
  output wire          [AD-1:0] out_ad,
{% endif %}
  output wire                   out_last,
  output wire                   out_valid,
  input  wire                   out_ready
);
  // Bits of a number below `count`.
  function integer bits_below(input integer count);
    for (bits_below = 0; 1 << bits_below < count; bits_below = bits_below + 1) ;
  endfunction
  localparam integer BITS = bits_below(PIECES);
  reg [BITS-1:0] place;
  wire [PIECES-1:0] counts;
  genvar each;
  generate
    for (each = 0; each < PIECES; each = each + 1) begin : counted
      assign counts[each] = |in_keep[KEEP*each +: KEEP];
    end
  endgenerate
  wire [PIECES-1:0] rest = counts >> place;
  wire ends = ~|rest[PIECES-1:1];
  wire offers = rest[0] | (in_last & ends);
  wire moves = out_ready | ~offers;

  wire [PIECES*DATA-1:0] data = in_data >> (DATA * place);
  assign out_data = data[DATA-1:0];
{% if "out_keep" not in unread %}
  wire [PIECES*KEEP-1:0] keep = in_keep >> (KEEP * place);
  assign out_keep = keep[KEEP-1:0];
{% endif %}
{% if "out_ad" not in unread %}
  wire [PIECES*AD-1:0] ad = in_ad >> (AD * place);
  assign out_ad = ad[AD-1:0];
{% endif %}
  wire unused = &{1'b0, data${", keep" if "out_keep" not in unread}${", ad" if "out_ad" not in unread}};
  assign out_last = in_last & ends;
  assign out_valid = in_valid & offers;
  assign in_ready = moves & ends;

  always @(posedge clk)
    if (flush | (in_valid & in_ready)) place <= {BITS{1'b0}};
    else if (in_valid & moves) place <= place + 1'b1;
endmodule
