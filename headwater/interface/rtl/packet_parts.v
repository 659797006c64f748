// SPDX-License-Identifier: Apache-2.0
// The body of a packet cut into its parts by the lengths in its header: associated data, text, and a tag
// where one has been received. A beat that holds bytes of several parts goes on once for each of them,
// with the others not counted. A part of no bytes does not go on, but for the only one of a message.
//
// Header, the lowest byte of each number first: bytes 0 to 3 associated data, 4 to 7 text, in bytes; bit
// 0 of byte 8: a tag has been received; bits 2 to 0 of byte 9: bits of the last byte of text that do
// not count.

module packet_parts #(
  parameter LANES = 1,                        // bytes of a beat
  parameter FIELD_BITS = 80,                  // bits of the header that are stored
  parameter TAG_BYTES = 0,
  parameter AD = 1,                           // whether there is associated data
  parameter SPARE = 0,                        // whether a text may end within a byte
  parameter SENDS = 1,                        // whether a packet may have no tag
  parameter RECEIVES = 1,                     // whether it may have one
  parameter DER = 0                           // whether the length of associated data precedes it
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               over,             // everything has been done for the packet
  input  wire [8*LANES-1:0] in_data,
  input  wire   [LANES-1:0] in_keep,
  input  wire               field_taken,
  input  wire               in_valid,         // of the body
  output wire               in_ready,
  input  wire               passed,           // the header is known
  input  wire               ended,            // the last beat of the packet has been taken
  input  wire               bad,              // the front is bad
  input  wire               early,
  output wire [8*LANES-1:0] out_data,
  output wire   [LANES-1:0] out_keep,
  output wire [2*LANES-1:0] out_part,         // bit 0 associated data, bit 1 a tag, of each lane
  output wire               out_last,         // of its part
  output wire               out_valid,
  input  wire               out_ready,
  output wire               textless,
  output wire               receives,
{% if "spare" not in unread %}
  output wire         [2:0] spare,
{% endif %}
  output wire               complete,         // the packet was as its header says
  output wire               failed,           // it was not, or the header is not legal
  output wire         [2:0] reason            // bit 0 too short, 1 too long, 2 header or lanes
);
  localparam [15:0] TAG = TAG_BYTES;
  reg [FIELD_BITS-1:0] fields;
  reg opened, illegal, too_long, text_done;
  reg [4:0] used;                             // bytes of the beat that have gone on
  reg [15:0] tag_left;
  wire [31:0] ad = fields[31:0], text = fields[63:32];
  wire wrong = illegal | too_long;

  assign textless = text == 32'd0;
  assign receives = fields[64];
{% if "spare" in unread %}
  wire [2:0] spare;
{% endif %}
  assign spare = fields[74:72];

  wire legal = (AD != 0 | ad == 32'd0) & (receives ? RECEIVES != 0 : SENDS != 0)
             & (spare == 3'd0 | (SPARE != 0 & ~textless)) & ~|{fields[79:75], fields[71:65]};

  // The length before associated data: one byte, or their number and up to four, the highest first.
  reg prefixed;
  reg [2:0] prefix_place;
  wire [2:0] size = |ad[31:24] ? 3'd4 : |ad[23:16] ? 3'd3 : |ad[15:8] ? 3'd2 : 3'd1;
  wire brief = ad < 32'd128;
  wire [31:0] shifted = ad >> {size - prefix_place, 3'd0};
  wire [7:0] prefix = brief ? ad[7:0] : prefix_place == 3'd0 ? {5'b10000, size} : shifted[7:0];
  wire prefix_last = brief | prefix_place == size;

  wire in_prefix = DER != 0 & ~prefixed;
  wire in_ad = ~in_prefix & ad != 32'd0;
  wire in_text = ~in_prefix & ad == 32'd0 & ~text_done;
  wire in_tag = ~in_prefix & ad == 32'd0 & text_done & tag_left != 16'd0;
  wire finished = opened & ~(in_prefix | in_ad | in_text | in_tag);

  integer lane;
  reg [4:0] count;
  always @* begin
    count = 5'd0;
    for (lane = 0; lane < LANES; lane = lane + 1) count = count + {4'd0, in_keep[lane]};
  end
  wire gap = in_valid & |(in_keep & (in_keep + {{LANES-1{1'b0}}, 1'b1}));
  wire [4:0] have = in_valid ? count - used : 5'd0;
  wire [31:0] need = in_ad ? ad : in_text ? text : {16'd0, tag_left};
  wire ends = need <= {27'd0, have};
  wire [4:0] moved = in_prefix | finished ? 5'd0 : ends ? need[4:0] : have;

  wire [31:0] rest = need - {27'd0, moved};
  wire goes = opened & ~wrong & ~gap;
  assign out_data = in_prefix ? {LANES{prefix}} : in_data;
  assign out_keep = in_prefix ? {LANES{1'b1}} >> (LANES - 1) : ~({LANES{1'b1}} << moved) << used;
  assign out_part = {LANES{in_tag, in_prefix | in_ad}};
  assign out_last = in_prefix ? prefix_last & ad == 32'd0 : ends;
  assign out_valid = goes & (in_prefix | (in_text & textless) | moved != 5'd0);
  assign in_ready = opened & ~ended &
    (wrong | gap | finished | have == 5'd0 | (out_valid & out_ready & used + moved == count));

  wire missing = in_ad | in_tag | (in_text & ~textless);
  assign complete = finished & ended & ~wrong & ~bad;
  assign failed = ended & (bad | (opened & (wrong | missing)));
  assign reason = {bad ? ~early : illegal, ~bad & too_long & ~illegal, bad ? early : ~wrong};

  wire moves = out_valid & out_ready;
  wire [FIELD_BITS+8*LANES-1:0] joined = {in_data, fields};
  wire unused = &{1'b0, joined[8*LANES-1:0], shifted[31:8]};
  always @(posedge clk)
    if (rst | over) begin
      opened <= 1'b0;
      illegal <= 1'b0;
      too_long <= 1'b0;
      prefixed <= 1'b0;
      prefix_place <= 3'd0;
      text_done <= 1'b0;
      used <= 5'd0;
      fields <= {FIELD_BITS{1'b0}};
      tag_left <= 16'd0;
    end else begin
      if (field_taken) fields <= joined[8*LANES +: FIELD_BITS];
      else if (moves & in_ad) fields[31:0] <= rest;
      else if (moves & in_text) fields[63:32] <= rest;
      if (passed & ~opened) begin
        opened <= 1'b1;
        illegal <= ~legal;
        tag_left <= receives ? TAG : 16'd0;
      end
      if (opened & gap) illegal <= 1'b1;
      if (finished & have != 5'd0) too_long <= 1'b1;
      if (moves & in_prefix) begin
        prefix_place <= prefix_place + 3'd1;
        prefixed <= prefix_last;
      end
      if (moves & out_last & (in_text | textless)) text_done <= 1'b1;
      if (moves & in_tag) tag_left <= rest[15:0];
      if (in_valid & in_ready) used <= 5'd0;
      else if (moves) used <= used + moved;
    end
endmodule
