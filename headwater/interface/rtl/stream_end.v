// SPDX-License-Identifier: Apache-2.0
// Makes a packet of the first COUNT words of a stream. Those behind it stay where they are, until the
// next packet begins.

module stream_end #(
  parameter COUNT = 1
) (
  input  wire clk,
  input  wire restart,
  input  wire in_valid,
  output wire in_ready,
  output wire out_last,
  output wire out_valid,
  input  wire out_ready
);
  localparam [15:0] ALL = COUNT[15:0];
  reg [15:0] passed;
  wire open = passed != ALL;

  assign out_last = passed == ALL - 16'd1;
  assign out_valid = in_valid & open;
  assign in_ready = out_ready & open;

  always @(posedge clk)
    if (restart) passed <= 16'd0;
    else if (out_valid & out_ready) passed <= passed + 16'd1;
endmodule
