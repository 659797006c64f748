// SPDX-License-Identifier: Apache-2.0
// Sends characters: a start bit, eight bits from the lowest on, a stop bit.

module uart_tx #(
  parameter CYCLES = 217                      // of a bit
) (
  input  wire       clk,
  input  wire       rst,
  input  wire [7:0] char,
  input  wire       char_valid,
  output wire       char_ready,
  output wire       tx
);
  reg [15:0] age = 16'd0;                     // cycles of the present bit
  reg [3:0] left = 4'd0;                      // bits to come, the present one included
  reg [8:0] bits = 9'd0;                      // inverted, so that an idle line is zeros
  wire bit_ends = age == CYCLES - 1;
  assign tx = ~bits[0];
  assign char_ready = left == 4'd0;
  always @(posedge clk)
    if (rst) begin
      age <= 16'd0;
      left <= 4'd0;
      bits <= 9'd0;
    end else if (left != 4'd0) begin
      age <= bit_ends ? 16'd0 : age + 16'd1;
      if (bit_ends) begin
        bits <= bits >> 1;
        left <= left - 4'd1;
      end
    end else if (char_valid) begin
      bits <= {~char, 1'b1};
      left <= 4'd10;
    end
endmodule
