# SPDX-License-Identifier: Apache-2.0
"""Trivium and Bivium in Verilog as somebody writes it who knows the paper alone, with mistakes on
request."""

from __future__ import annotations

_TRIVIUM = """\
module somebodys (input clk, input rst_n, input [79:0] key, input [79:0] iv,
                  output z, output reg valid);
  reg [288:1] s;
  reg [10:0] rounds;
  wire t1 = s[66] ^ s[93];
  wire t2 = s[162] ^ s[177];
  wire t3 = s[243] ^ s[288];
  assign z = t1 ^ t2 ^ t3;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      rounds <= 0;
      valid <= 0;
      s <= 0;
    end else if (rounds == 0) begin
      s <= {3'b111, 112'b0, iv, 13'b0, key};
      rounds <= 1;
    end else begin
      s <= {s[287:178], t2 ^ s[175] & s[176] ^ s[264], s[176:94], t1 ^ s[91] & s[92] ^ s[171],
            s[92:1], t3 ^ s[286] & s[287] ^ s[69]};
      if (rounds == 1152) valid <= 1;
      else rounds <= rounds + 1;
    end
endmodule
"""

_BIVIUM = """\
module somebodys (input clk, input rst_n, input [79:0] key, input [79:0] iv,
                  output z, output reg valid);
  reg [177:1] s;
  reg [10:0] rounds;
  wire t1 = s[66] ^ s[93];
  wire t2 = s[162] ^ s[177];
  assign z = t1 ^ t2;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      rounds <= 0;
      valid <= 0;
      s <= 0;
    end else if (rounds == 0) begin
      s <= {4'b0, iv, 13'b0, key};
      rounds <= 1;
    end else begin
      s <= {s[176:94], t1 ^ s[91] & s[92] ^ s[171], s[92:1], t2 ^ s[175] & s[176] ^ s[69]};
      if (rounds == 708) valid <= 1;
      else rounds <= rounds + 1;
    end
endmodule
"""


def core(cipher: str, *changes: tuple[str, str]) -> str:
    """The text of a core, with every one of these texts replaced by another."""
    text = {"trivium": _TRIVIUM, "bivium": _BIVIUM}[cipher]
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text
