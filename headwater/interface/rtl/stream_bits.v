// SPDX-License-Identifier: Apache-2.0
// Which bits of a beat count, from its marks of bytes and the number of bits of the last byte that do
// not: the first bit of each byte is its bit 0 here.

module stream_bits #(
  parameter BYTES = 1
) (
  input  wire   [BYTES-1:0] bytes,
  input  wire               last,
  input  wire         [2:0] spare,
  output wire [8*BYTES-1:0] bits
);
  wire [7:0] partial = 8'hff >> spare;
  wire [BYTES-1:0] behind = bytes >> 1;
  genvar each;
  generate
    for (each = 0; each < BYTES; each = each + 1) begin : of_byte
      wire cut = last & ~behind[each];
      assign bits[8*each +: 8] = {8{bytes[each]}} & (cut ? partial : 8'hff);
    end
  endgenerate
endmodule
