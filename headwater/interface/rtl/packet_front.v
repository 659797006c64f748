// SPDX-License-Identifier: Apache-2.0
// The front of a packet, in whole beats: a header, an IV, and bytes that fill up. What is behind it is
// the body. A packet that ends before, or has a beat there of which not every lane counts, is bad: its
// rest is taken and dropped.

module packet_front #(
  parameter LANES = 1,                        // bytes of a beat
  parameter HEADER_BEATS = 0,
{% if "field_taken" not in unread %}
  parameter FIELD_BEATS = 0,                  // the first ones of the header, which are read
{% endif %}
  parameter IV_BYTES = 1,
  parameter FRONT_BEATS = 16
) (
  input  wire             clk,
  input  wire             rst,
  input  wire             allowed,            // a packet may begin
  input  wire             over,               // everything has been done for the packet
  input  wire [LANES-1:0] in_keep,
  input  wire             in_last,
  input  wire             in_valid,
  output wire             in_ready,
{% if "field_taken" not in unread %}
  output wire             field_taken,        // a beat of the header
{% endif %}
  output wire [LANES-1:0] iv_keep,
  output wire             iv_last,
  output wire             iv_valid,
  input  wire             iv_ready,
  output wire             body_valid,
  input  wire             body_ready,
  output wire             begun,
{% if "passed" not in unread %}
  output wire             passed,             // the whole front has been taken
{% endif %}
{% if "bad" not in unread %}
  output reg              bad,
{% endif %}
{% if "early" not in unread %}
  output reg              early,              // it is bad, as it ended before its body
{% endif %}
  output reg              ended               // the last beat of the packet has been taken
);
  localparam IV_BEATS = (IV_BYTES + LANES - 1) / LANES, REST = IV_BYTES - (IV_BEATS - 1) * LANES;
  localparam [7:0] FRONT = FRONT_BEATS, IV = HEADER_BEATS;
  localparam [7:0] LAST = FRONT_BEATS - 1, IV_LAST = HEADER_BEATS + IV_BEATS - 1;
  localparam [LANES-1:0] LAST_KEEP = {LANES{1'b1}} >> (LANES - REST);
{% if "bad" in unread %}
  reg bad;
{% endif %}
{% if "passed" in unread %}
  wire passed;
{% endif %}
  reg [7:0] place;
  wire [7:0] next = place + 8'd1;
  wire in_front = place != FRONT;
  wire in_iv = next > IV & place <= IV_LAST;
  wire open = (place != 8'd0 | allowed) & ~ended;
  wire empty = ~(|in_keep | in_last);
  wire fits = &in_keep & (~in_last | place == LAST);
  wire counts = in_front & open & ~bad & ~empty;
  wire taken = in_valid & in_ready;

  assign begun = place != 8'd0 | bad;
  assign passed = ~in_front & ~bad;
{% if "field_taken" not in unread %}
  localparam [7:0] FIELDS = FIELD_BEATS;
  assign field_taken = in_valid & counts & fits & next <= FIELDS;
{% endif %}
  assign iv_keep = place == IV_LAST ? LAST_KEEP : {LANES{1'b1}};
  assign iv_last = place == IV_LAST;
  assign iv_valid = in_valid & counts & fits & in_iv;
  assign body_valid = in_valid & passed & ~ended;
  assign in_ready = bad ? ~ended : in_front ? open & (empty | ~fits | ~in_iv | iv_ready) : body_ready & ~ended;

  always @(posedge clk)
    if (rst | over) begin
      place <= 8'd0;
      ended <= 1'b0;
      bad <= 1'b0;
{% if "early" not in unread %}
      early <= 1'b0;
{% endif %}
    end else if (taken) begin
      ended <= in_last;
      if (counts) begin
        if (fits) place <= next;
        bad <= ~fits;
{% if "early" not in unread %}
        early <= ~fits & in_last;
{% endif %}
      end
    end
endmodule
