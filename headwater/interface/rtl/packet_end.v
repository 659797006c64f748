// SPDX-License-Identifier: Apache-2.0
// The packet that leaves: the text, the tag of the core unless one was received, and a word of 32 bits,
// the lowest byte first, that says how the message went: 1 good; else 2 another tag was received, 4 the
// packet was too short, 8 too long, 16 its header not legal or a lane missing. A tag leaves only once
// the whole packet has come and was as its header says.

module packet_end #(
  parameter LANES = 1,                        // bytes of a beat
  parameter TEXT = 1,                         // whether text leaves
  parameter TAG = 1                           // whether there is a tag
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               receives,         // a tag comes and is compared
  input  wire               complete,         // the packet was as its header says
  input  wire               abort,            // it was not
  input  wire         [2:0] reason,
  input  wire [8*LANES-1:0] text_data,
  input  wire   [LANES-1:0] text_keep,
  input  wire               text_last,
  input  wire               text_valid,
  output wire               text_ready,
  input  wire [8*LANES-1:0] tag_data,
  input  wire   [LANES-1:0] tag_keep,
  input  wire               tag_last,
  input  wire               tag_valid,
  output wire               tag_ready,
  input  wire [8*LANES-1:0] received_data,
  input  wire               received_valid,
  output wire               received_ready,
  output wire [8*LANES-1:0] out_data,
  output wire   [LANES-1:0] out_keep,
  output wire               out_last,
  output wire               out_valid,
  input  wire               out_ready,
  output reg                aborted,
  output wire               over
);
  localparam [1:0] PART_TEXT = 2'd0, PART_TAG = 2'd1, PART_STATUS = 2'd2;
  localparam [1:0] BEHIND_TEXT = TAG != 0 ? PART_TAG : PART_STATUS;
  localparam [1:0] FIRST = TEXT != 0 ? PART_TEXT : BEHIND_TEXT;
  localparam [1:0] LAST_WORD = LANES == 1 ? 2'd3 : LANES == 2 ? 2'd1 : 2'd0;
  localparam STATUS_BYTES = LANES < 4 ? LANES : 4;
  reg [1:0] part, word;
  reg other;
  reg [2:0] told;
  wire in_text = part == PART_TEXT, in_tag = part == PART_TAG, in_status = part == PART_STATUS;

  wire both = in_tag & receives & tag_valid & received_valid;
  wire tag_leaves = in_tag & ~receives & complete;
  integer lane;
  reg differs;
  always @* begin
    differs = 1'b0;
    for (lane = 0; lane < LANES; lane = lane + 1)
      if (tag_keep[lane] & tag_data[8*lane +: 8] != received_data[8*lane +: 8]) differs = 1'b1;
  end

  wire [4:0] verdict = aborted ? {told, 2'b00} : {3'd0, other, ~other};
  // Only the lowest byte of the word is not zero.
  wire [8*LANES-1:0] status;
  assign status[7:0] = word == 2'd0 ? {3'd0, verdict} : 8'd0;
  genvar place;
  generate
    for (place = 1; place < LANES; place = place + 1) begin : above
      assign status[8*place +: 8] = 8'd0;
    end
  endgenerate

  assign text_ready = in_text & out_ready;
  assign tag_ready = both | (tag_leaves & out_ready);
  assign received_ready = both;
  assign out_valid = in_text ? text_valid : in_tag ? tag_leaves & tag_valid : complete | aborted;
  assign out_data = in_text ? text_data : in_tag ? tag_data : status;
  assign out_keep = in_text ? text_keep : in_tag ? tag_keep : {LANES{1'b1}} >> (LANES - STATUS_BYTES);
  assign out_last = in_status & word == LAST_WORD;
  assign over = out_valid & out_ready & out_last;

  always @(posedge clk)
    if (rst | over) begin
      part <= FIRST;
      word <= 2'd0;
      other <= 1'b0;
      aborted <= 1'b0;
      told <= 3'd0;
    end else if (abort) begin
      part <= PART_STATUS;
      aborted <= 1'b1;
      told <= reason;
    end else if (in_text & text_valid & text_ready & text_last) part <= BEHIND_TEXT;
    else if (in_tag & tag_valid & tag_ready) begin
      other <= other | (receives & differs);
      if (tag_last) part <= PART_STATUS;
    end else if (in_status & out_valid & out_ready) word <= word + 2'd1;
endmodule
