// SPDX-License-Identifier: Apache-2.0
// A key, kept for all packets until another one comes: whole beats, the last one filled in part where
// the key is no multiple of a beat. A key of another length is dropped, and then there is none.

module packet_key #(
  parameter LANES = 4,                        // bytes of a beat
  parameter BYTES = 16
) (
  input  wire               clk,
  input  wire               rst,
  input  wire               abandon,          // the rest of a key that has begun will not come
  input  wire               allowed,          // nothing uses the key
  input  wire [8*LANES-1:0] in_data,
  input  wire   [LANES-1:0] in_keep,
  input  wire               in_last,
  input  wire               in_valid,
  output wire               in_ready,
  output wire [8*BYTES-1:0] key,
  output reg                whole,            // there is a key
{% if "ended" not in unread %}
  output wire               ended,            // all of it has come
{% endif %}
  output wire               changes           // another one comes
);
  localparam BEATS = (BYTES + LANES - 1) / LANES, REST = BYTES - (BEATS - 1) * LANES;
  localparam [7:0] LAST = BEATS - 1;
  localparam [LANES-1:0] LAST_KEEP = {LANES{1'b1}} >> (LANES - REST);
  reg [8*BEATS*LANES-1:0] held;
  reg [7:0] place;
  reg wrong;
  wire [8*(BEATS+1)*LANES-1:0] joined = {in_data, held};
  wire unused = &{1'b0, joined[8*LANES-1:0]};
  wire counts = (|in_keep) | in_last;
  wire taken = in_valid & in_ready & counts;
  wire fits = place == LAST ? in_last & in_keep == LAST_KEEP : ~in_last & (&in_keep);

  assign in_ready = allowed | ~counts;
  assign key = held[8*BYTES-1:0];
  assign changes = in_valid | wrong | place != 8'd0;
{% if "ended" in unread %}
  wire ended;
{% endif %}
  assign ended = taken & in_last & fits & ~wrong;

  always @(posedge clk)
    if (rst | (taken & (wrong | ~fits))) held <= {8*BEATS*LANES{1'b0}};
    else if (taken) held <= joined[8*LANES +: 8*BEATS*LANES];

  always @(posedge clk)
    if (rst) begin
      place <= 8'd0;
      whole <= 1'b0;
      wrong <= 1'b0;
    end else if (abandon) begin
      place <= 8'd0;
      wrong <= 1'b0;
    end else if (taken) begin
      place <= in_last | wrong | ~fits ? 8'd0 : place + 8'd1;
      whole <= ended;
      wrong <= (wrong | ~fits) & ~in_last;
    end
endmodule
