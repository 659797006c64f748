// SPDX-License-Identifier: Apache-2.0
// Pieces are put together to a word, the first one lowest, one in each cycle. The last piece of a
// packet completes its word; what is missing is zero. So does, with BREAKS, a piece of the other
// part (associated data, text): it begins the next word. What has left is overwritten with zeros.

module stream_gather #(
  parameter PIECES = 2,
  parameter DATA = 8,                         // bits of a piece
  parameter KEEP = 1,                         // its marks of bits that count
  parameter AD = 1,                           // its marks of associated data
  parameter FIRST = 0,                        // pieces that are left zero in the first word of a packet
  parameter BREAKS = 0
) (
  input  wire                   clk,
  input  wire                   flush,
  input  wire        [DATA-1:0] in_data,
  input  wire        [KEEP-1:0] in_keep,
  input  wire          [AD-1:0] in_ad,
  input  wire                   in_last,
  input  wire                   in_valid,
  output wire                   in_ready,
  output reg  [PIECES*DATA-1:0] out_data,
  output reg  [PIECES*KEEP-1:0] out_keep,
  output reg    [PIECES*AD-1:0] out_ad,
  output reg                    out_last,
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
  wire other_part = BREAKS != 0 && in_valid && count != BEGIN && in_ad[0] != out_ad[0];
  wire leaves = out_valid & out_ready;
  wire [BITS-1:0] place = ~leaves ? count : out_last ? BEGIN : {BITS{1'b0}};

  assign out_valid = count == ALL | out_last | other_part;
  assign in_ready = ~out_valid | out_ready;

  wire taken = in_valid & in_ready & ~flush;
  always @(posedge clk)
    if (taken) begin
      out_last <= in_last;
      count <= place + {{BITS-1{1'b0}}, |in_keep};
    end else if (flush | leaves) begin
      out_last <= 1'b0;
      count <= flush ? BEGIN : place;
    end

  genvar each;
  generate
    for (each = 0; each < PIECES; each = each + 1) begin : piece
      wire enters = taken & place == each[BITS-1:0];
      always @(posedge clk)
        if (enters) begin
          out_data[DATA*each +: DATA] <= in_data;
          out_keep[KEEP*each +: KEEP] <= in_keep;
          out_ad[AD*each +: AD] <= in_ad;
        end else if (flush | leaves) begin
          out_data[DATA*each +: DATA] <= {DATA{1'b0}};
          out_keep[KEEP*each +: KEEP] <= {KEEP{1'b0}};
          out_ad[AD*each +: AD] <= {AD{1'b0}};
        end
    end
  endgenerate
endmodule
