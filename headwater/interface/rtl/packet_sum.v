// SPDX-License-Identifier: Apache-2.0
// The packet that leaves: the text with the keystream added, beat by beat. Lanes that do not count are
// zero, so that no bit of keystream leaves by itself. A packet without a text gives a beat without a
// byte, as does one whose front was bad.

module packet_sum #(
  parameter LANES = 1                         // bytes of a beat
) (
  input  wire               none,             // the packet has ended, and has no text
  input  wire [8*LANES-1:0] text_data,
  input  wire   [LANES-1:0] text_keep,
  input  wire               text_last,
  input  wire               text_valid,
  output wire               text_ready,
  input  wire [8*LANES-1:0] key_data,
  input  wire               key_valid,
  output wire               key_ready,
  output wire [8*LANES-1:0] out_data,
  output wire   [LANES-1:0] out_keep,
  output wire               out_last,
  output wire               out_valid,
  input  wire               out_ready,
  output wire               over
);
  wire counts = |text_keep;
  wire offers = counts ? key_valid : text_last;

  assign out_valid = none | (text_valid & offers);
  assign out_last = none | text_last;
  assign out_keep = none ? {LANES{1'b0}} : text_keep;
  assign text_ready = ~none & (counts | text_last ? offers & out_ready : 1'b1);
  assign key_ready = ~none & text_valid & counts & out_ready;
  assign over = out_valid & out_ready & out_last;

  genvar lane;
  generate
    for (lane = 0; lane < LANES; lane = lane + 1) begin : of_lane
      assign out_data[8*lane +: 8] =
        (text_data[8*lane +: 8] ^ key_data[8*lane +: 8]) & {8{out_keep[lane] & out_valid}};
    end
  endgenerate
endmodule
