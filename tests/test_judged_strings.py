# SPDX-License-Identifier: Apache-2.0
"""Cores of blocks, words and messages, judged by published vectors through ports that a file
names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hand_written import core

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.foreign.judging import judge
from headwater.foreign.settings import read_settings
from headwater.foreign.strings import _rate
from headwater.foreign.verdict import NO, OPEN, YES, Verdict

STREAMED = """
[[stream]]
send = "key, iv, zeros[0:32]"
data = "load_payload"
valid = "load_valid"
ready = "load_ready"
"""


def judged(folder: Path, text: str, toml: str, cipher: str) -> Verdict:
    (folder / "core.v").write_text(text)
    (folder / "ports.toml").write_text(toml)
    settings = read_settings(folder / "ports.toml")
    return judge([folder / "core.v"], find(cipher), settings)[0]


def chacha() -> str:
    cipher = find("chacha20")
    return generate(cipher, Architecture.choose(cipher)).text


def test_words_of_a_core_of_ours(tmp_path: Path) -> None:
    """A word in each cycle; the data sheet says how many cycles the setup takes."""
    text = chacha()
    verdict = judged(tmp_path, text, STREAMED, "chacha20")
    assert {one.name: one.result for one in verdict.layers} == {
        "vectors": YES,
        "state": OPEN,
        "step": OPEN,
        "setup": OPEN,
    }
    assert verdict.passes
    assert verdict.rate == 32
    assert verdict.lacks is None
    assert re.search(r"setup takes 33 cycles", text)
    assert verdict.setup_cycles == 33


WORDS = """
module words (input clk, rst_n, input [79:0] key, iv, output reg [15:0] word, output busy);
  wire z, valid;
  reg [3:0] n;
  reg some;
  somebodys core (clk, rst_n, key, iv, z, valid);
  assign busy = !(some && n == 0);
  always @(posedge clk)
    if (!rst_n) begin
      n <= 0;
      some <= 0;
    end else if (valid) begin
      n <= n + 1;
      some <= some | (n == 15);
      word <= {z, word[15:1]};
    end
endmodule
"""
BUSY = """
top = "words"
output = "word"
valid = "!busy"
[[session]]
cycles = 2
set = { rst_n = 0, key = "key", iv = "iv" }
[[session]]
cycles = 700
set = { rst_n = 1 }
"""


def test_words_of_a_cipher_of_bits(tmp_path: Path) -> None:
    """They are taken as they come, wherever zero says so, and a long session is not given up."""
    text = core("bivium") + WORDS
    verdict = judged(tmp_path, text, BUSY, "bivium")
    assert verdict.result("vectors") == YES
    assert verdict.result("state") == OPEN
    assert (verdict.rate, verdict.keystream) == (
        1,
        "word with !busy, the lowest bit is the first",
    )
    wrong = judged(tmp_path, text, BUSY.replace("!", ""), "bivium")
    assert not wrong.passes


def test_a_wrong_constant(tmp_path: Path) -> None:
    text = chacha()
    assert "61707865" in text
    verdict = judged(tmp_path, text.replace("61707865", "61707864"), STREAMED, "chacha20")
    assert verdict.result("vectors") == NO
    assert not verdict.passes


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("", r'^no input is known to take the key, of .*; add the line: key = "\.\.\."'),
        (STREAMED.replace("key, iv", "keys"), "^what enters load_payload must be bits such as"),
        (STREAMED.replace("load_valid", "valid"), "^stream of the ports must be one of"),
        (STREAMED.replace("valid =", "vald ="), "^line of a stream in .* must be one of"),
        (STREAMED.replace("key,", "key[0:512],"), "^none of 11 published vectors of chacha20 fits"),
    ],
)
def test_a_wrong_file(toml: str, sentence: str, tmp_path: Path) -> None:
    text = "module m (input clk, input [31:0] load_payload, input load_valid, output load_ready,"
    text += " output reg [31:0] z); always @(posedge clk) z <= load_payload; endmodule"
    with pytest.raises(InputError, match=sentence):
        judged(tmp_path, text, toml, "chacha20")


@pytest.mark.parametrize(
    ("cycles", "rate"),
    [
        # Four words of a block follow each other, and the next block comes twelve cycles later.
        ((56, 57, 58, 59, 68, 69, 70, 71), 128 / 12),
        ((5, 6, 7, 8), 32.0),
        ((5, 28), None),
        ((5, 6, 9), None),
    ],
)
def test_rate(cycles: tuple[int, ...], rate: float | None) -> None:
    assert _rate(cycles, 32) == rate
