// SPDX-License-Identifier: Apache-2.0
// Which bytes of a beat count, and how many bits of the last one do not, from the bits that count,
// which are the first ones of the beat: the first bit of each byte is its bit 0 here.

module stream_bytes #(
  parameter BYTES = 1
) (
  input  wire [8*BYTES-1:0] bits,
  output reg    [BYTES-1:0] bytes,
  output reg          [2:0] spare
);
  integer each, used;
  always @* begin
    spare = 3'd0;
    for (each = 0; each < BYTES; each = each + 1) begin
      bytes[each] = bits[8*each];
      for (used = 1; used < 8; used = used + 1)
        if (bits[8*each + used - 1] & ~bits[8*each + used]) spare = spare | ~used[2:0] + 3'd1;
    end
  end
endmodule
