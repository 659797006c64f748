# SPDX-License-Identifier: Apache-2.0
"""AES as a block cipher: single blocks in files of CAVP and ACVP, and cores that others wrote."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from headwater.algebra.sbox import SR
from headwater.cipher.aes import AES
from headwater.cipher.catalogue import find
from headwater.errors import InputError
from headwater.foreign.interface import Interface
from headwater.foreign.judging import judge
from headwater.foreign.settings import Settings
from headwater.foreign.verdict import NO, YES
from headwater.kinds.reading import Keystream
from headwater.verify.vector_files import read_file

KEY = bytes(range(16))
PLAIN = bytes.fromhex("00112233445566778899aabbccddeeff")
CIPHERTEXT = bytes.fromhex("69c4e0d86a7b0430d8cdb78070b4c55a")
"""FIPS 197, appendix C.1."""

BYTES = "\n".join(f"    8'd{place}: s = 8'd{entry};" for place, entry in enumerate(SR.entries))
CORE = f"""
module somebodys (input clk, input rst, input start, input [127:0] key, input [127:0] block,
                  output reg [127:0] result, output reg done);
  function [7:0] s(input [7:0] a);
    case (a)
{BYTES}
    endcase
  endfunction
  function [7:0] d(input [7:0] a); d = {{a[6:0], 1'b0}} ^ (a[7] ? 8'h1b : 8'h00); endfunction
  function [31:0] m(input [7:0] a, input [7:0] b, input [7:0] c, input [7:0] e);
    m = {{d(a) ^ d(b) ^ b ^ c ^ e, a ^ d(b) ^ d(c) ^ c ^ e, a ^ b ^ d(c) ^ d(e) ^ e,
         d(a) ^ a ^ b ^ c ^ d(e)}};
  endfunction
  reg [127:0] x, k;
  reg [7:0] rc;
  reg [3:0] n;
  wire [31:0] t = {{s(k[23:16]) ^ rc, s(k[15:8]), s(k[7:0]), s(k[31:24])}};
  wire [31:0] k0 = k[127:96] ^ t, k1 = k0 ^ k[95:64], k2 = k1 ^ k[63:32], k3 = k2 ^ k[31:0];
  reg [127:0] b, y;
  integer i, j;
  always @* begin
    for (i = 0; i < 4; i = i + 1)
      for (j = 0; j < 4; j = j + 1)
        b[127 - 32 * i - 8 * j -: 8] = s(x[127 - 32 * ((i + j) % 4) - 8 * j -: 8]);
    for (i = 0; i < 4; i = i + 1)
      y[127 - 32 * i -: 32] = m(b[127 - 32 * i -: 8], b[119 - 32 * i -: 8],
                                b[111 - 32 * i -: 8], b[103 - 32 * i -: 8]);
  end
  always @(posedge clk)
    if (rst) begin
      done <= 0; n <= 0; x <= 0; k <= 0; rc <= 0; result <= 0;
    end else if (start) begin
      x <= block ^ key; k <= key; rc <= 1; n <= 1; done <= 0;
    end else if (n != 0) begin
      x <= (n == 10 ? b : y) ^ {{k0, k1, k2, k3}};
      k <= {{k0, k1, k2, k3}}; rc <= d(rc); n <= n == 10 ? 0 : n + 1;
      if (n == 10) begin
        result <= b ^ {{k0, k1, k2, k3}}; done <= 1;
      end
    end
endmodule
"""


def test_the_first_block_is_the_iv_encrypted_and_the_second_one_the_first() -> None:
    stream = Keystream(AES, key=KEY, iv=PLAIN)
    assert stream.read(128) == CIPHERTEXT
    assert stream.read(128) == Keystream(AES, key=KEY, iv=CIPHERTEXT).read(128)


@pytest.mark.parametrize(("change", "expected"), [(None, YES), (("rc <= 1;", "rc <= 2;"), NO)])
def test_a_block_core_with_start_and_done(
    change: tuple[str, str] | None, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "core.v").write_text(CORE.replace(*change) if change else CORE)
    verdict, _ = judge([tmp_path / "core.v"], find("aes"), Settings())
    layers = {one.name: one for one in verdict.layers}
    assert layers["vectors"].result == expected


@pytest.mark.parametrize(("width", "bits"), [(128, 128), (192, 192), (256, 256), (512, 128)])
def test_the_input_for_the_key_says_which_keys_are_tried(width: int, bits: int) -> None:
    netlist: Any = SimpleNamespace(ports={"k": ("input", width)})
    given = Interface(netlist, {"k": "key"}, (), (), ("out",), "")
    assert given.variant(AES).key_bits == bits
    assert replace(given, steady={"k": "key, zeros[0:128]"}).variant(AES).key_bits == 128


ENTRY = {
    "id": "a",
    "origin": "published: x",
    "key": KEY.hex(),
    "key_bits": 128,
    "plaintext": PLAIN.hex(),
    "ciphertext": CIPHERTEXT.hex(),
}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"plaintext": "00" * 15}, "must have 128 plaintext bits, not 15 bytes"),
        ({"plaintext": ""}, "must have 128 plaintext bits, not 0 bytes"),
        ({"plaintext": "00" * 40}, "must have 256 plaintext bits, not 40 bytes"),
        ({"ciphertext": "00" * 32}, "must have 128 ciphertext bits, not 32 bytes"),
        ({"iterations": 0}, "must be a whole number of at least 1, not 0"),
    ],
)
def test_what_is_no_block(changes: dict[str, object], said: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    head = {"cipher": "aes", "kind": "block-cipher", "bit_order": "msb_first"}
    path.write_text(json.dumps(head | {"vectors": [ENTRY | changes]}))
    with pytest.raises(InputError, match=said):
        read_file(path, AES)
