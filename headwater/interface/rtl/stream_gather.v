// SPDX-License-Identifier: Apache-2.0
// Pieces are put together to a word, the first one lowest, one in each cycle. The last piece of a
{% if "out_ad" not in unread %}
// packet completes its word; what is missing is zero. So does, with BREAKS, a piece of the other
// part (associated data, text): it begins the next word. What has left is overwritten with zeros.
{% else %}
// packet completes its word; what is missing is zero. What has left is overwritten with zeros.
{% endif %}

module stream_gather #(
  parameter PIECES = 2,
  parameter DATA = 8,                         // bits of a piece
  parameter KEEP = 1,                         // its marks of bits that count
{% if "out_ad" not in unread %}
  parameter AD = 1,                           // its marks of associated data
  parameter BREAKS = 0,
{% endif %}
  parameter FIRST = 0                         // pieces that are left zero in the first word of a packet
) (
  input  wire                   clk,
  input  wire                   flush,
  input  wire        [DATA-1:0] in_data,
  input  wire        [KEEP-1:0] in_keep,
{% if "out_ad" not in unread %}
  input  wire          [AD-1:0] in_ad,
{% endif %}
  input  wire                   in_last,
  input  wire                   in_valid,
  output wire                   in_ready,
  output reg  [PIECES*DATA-1:0] out_data,
{% if "out_keep" not in unread %}
  output reg  [PIECES*KEEP-1:0] out_keep,
{% endif %}
{% if "out_ad" not in unread %}
  output reg    [PIECES*AD-1:0] out_ad,
{% endif %}
{% if "out_last" not in unread %}
  output wire                   out_last,
{% endif %}
  output wire                   out_valid,
  input  wire                   out_ready
);
  // Bits of a number below `count`.
  function integer bits_below(input integer count);
    for (bits_below = 0; 1 << bits_below < count; bits_below = bits_below + 1) ;
  endfunction
  localparam integer BITS = bits_below(PIECES + 1);
  localparam [BITS-1:0] ALL = PIECES[BITS-1:0], BEGIN = FIRST[BITS-1:0];
  reg [BITS-1:0] count;
  reg last;
{% if "out_ad" not in unread %}
  wire other_part = BREAKS != 0 && in_valid && count != BEGIN && in_ad[0] != out_ad[0];
{% endif %}
  wire leaves = out_valid & out_ready;
  wire [BITS-1:0] place = ~leaves ? count : last ? BEGIN : {BITS{1'b0}};

{% if "out_last" not in unread %}
  assign out_last = last;
{% endif %}
  assign out_valid = count == ALL | last${" | other_part" if "out_ad" not in unread};
  assign in_ready = ~out_valid | out_ready;

  wire taken = in_valid & in_ready & ~flush;
  always @(posedge clk)
    if (taken) begin
      last <= in_last;
      count <= place + {{BITS-1{1'b0}}, |in_keep};
    end else if (flush | leaves) begin
      last <= 1'b0;
      count <= flush ? BEGIN : place;
    end

  genvar each;
  generate
    for (each = 0; each < PIECES; each = each + 1) begin : piece
      wire enters = taken & place == each[BITS-1:0];
      always @(posedge clk)
        if (enters) begin
          out_data[DATA*each +: DATA] <= in_data;
{% if "out_keep" not in unread %}
          out_keep[KEEP*each +: KEEP] <= in_keep;
{% endif %}
{% if "out_ad" not in unread %}
          out_ad[AD*each +: AD] <= in_ad;
{% endif %}
        end else if (flush | leaves) begin
          out_data[DATA*each +: DATA] <= {DATA{1'b0}};
{% if "out_keep" not in unread %}
          out_keep[KEEP*each +: KEEP] <= {KEEP{1'b0}};
{% endif %}
{% if "out_ad" not in unread %}
          out_ad[AD*each +: AD] <= {AD{1'b0}};
{% endif %}
        end
    end
  endgenerate
endmodule
