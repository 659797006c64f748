// SPDX-License-Identifier: Apache-2.0
// A FIFO of eight words. What leaves it, or is flushed, is overwritten with zeros.

module word_fifo #(
  parameter WIDTH = 32
) (
  input  wire             clk,
  input  wire             flush,
  input  wire [WIDTH-1:0] in,
  input  wire             in_valid,
  output wire             in_ready,
  output wire [WIDTH-1:0] out,
  output wire             out_valid,
  input  wire             out_ready,
  output wire       [3:0] level
);
  reg [WIDTH-1:0] words [0:7];
  reg [3:0] written, read;
  assign level = written - read;
  assign in_ready = level != 4'd8;
  assign out_valid = level != 4'd0;
  assign out = words[read[2:0]];

  integer place;
  always @(posedge clk) begin
    if (flush) begin
      written <= 4'd0;
      read <= 4'd0;
      for (place = 0; place < 8; place = place + 1) words[place] <= {WIDTH{1'b0}};
    end else begin
      if (out_valid & out_ready) begin
        words[read[2:0]] <= {WIDTH{1'b0}};
        read <= read + 4'd1;
      end
      if (in_valid & in_ready) begin
        words[written[2:0]] <= in;
        written <= written + 4'd1;
      end
    end
  end
endmodule
