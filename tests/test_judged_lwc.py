# SPDX-License-Identifier: Apache-2.0
"""A core with the LWC hardware API, of which nothing is told: messages enter and leave in segments.
Its shell is written here from the document of the API; within it is a core of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.foreign.judging import judge
from headwater.foreign.lwc import data_words, encrypted, streams_of
from headwater.foreign.messages import Sample
from headwater.foreign.reading import read_core
from headwater.foreign.settings import Settings, settings_of
from headwater.foreign.verdict import NO, YES, Verdict

SHELL = """\
module LWC (input clk, rst, input [31:0] pdi_data, input pdi_valid, output pdi_ready,
            input [31:0] sdi_data, input sdi_valid, output sdi_ready,
            output [31:0] do_data, output do_valid, input do_ready, output do_last);
  localparam ACTIVATE = 0, ENCRYPT = 1, NONCE_HEADER = 2, KEY = 3, NONCE = 4, AD_HEADER = 5, AD = 6,
    TEXT_HEADER = 7, OUT_HEADER = 8, TEXT = 9, EMPTY = 10, TAG_HEADER = 11, TAG = 12, STATUS = 13;
  reg [3:0] at;
  reg [1:0] n;
  reg [2:0] taken;
  reg [15:0] left;
  reg [127:0] key;
  wire load_ready, in_ready, out_valid, tag_valid;
  wire [31:0] text, tag;
  wire [3:0] keep = at == EMPTY ? 0 : left > 3 ? 15 : (1 << left) - 1;
  wire last = at == EMPTY || (at == TEXT && left < 5);
  function [31:0] turned(input [31:0] word);
    turned = {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction
  ascon_aead128_r32 core (.clk(clk), .rst(rst), .clear(1'b0), .decrypt(1'b0),
    .load_payload(at == KEY ? turned(key[127:96]) : turned(pdi_data)),
    .load_valid(at == KEY ? taken == 6 : at == NONCE && pdi_valid), .load_ready(load_ready),
    .data_in_payload(turned(pdi_data)), .data_in_keep(keep), .data_in_last(last),
    .data_in_ad(at == AD), .data_in_valid(at == EMPTY || ((at == AD || at == TEXT) && pdi_valid)),
    .data_in_ready(in_ready), .data_out_payload(text), .data_out_valid(out_valid),
    .data_out_ready(at == TEXT && do_ready), .tag_payload(tag), .tag_valid(tag_valid),
    .tag_ready(at == TAG && do_ready));
  assign sdi_ready = taken != 6;
  wire header = at == ACTIVATE || at == ENCRYPT || at == NONCE_HEADER || at == AD_HEADER
    || at == TEXT_HEADER;
  assign pdi_ready = header || (at == NONCE && load_ready)
    || ((at == AD || at == TEXT) && in_ready);
  assign do_valid = at == OUT_HEADER || at == TAG_HEADER || at == STATUS
    || (at == TEXT && out_valid) || (at == TAG && tag_valid);
  assign do_data = at == OUT_HEADER ? {16'h5200, left} : at == TAG_HEADER ? 32'h83000010
    : at == STATUS ? 32'he0000000 : turned(at == TAG ? tag : text);
  assign do_last = at == STATUS;
  wire fed = pdi_valid && pdi_ready, left_is_over = fed && left < 5;
  always @(posedge clk)
    if (rst) begin
      at <= ACTIVATE;
      taken <= 0;
      n <= 0;
    end else begin
      if (sdi_valid && sdi_ready) begin
        taken <= taken + 1;
        key <= {key[95:0], sdi_data};
      end
      if (at == KEY && taken == 6 && load_ready) key <= {key[95:0], key[127:96]};
      if ((at == KEY && taken == 6 && load_ready) || (at == NONCE && fed)
          || (at == TAG && tag_valid && do_ready)) n <= n + 1;
      if (header && fed) left <= pdi_data[15:0];
      else if ((at == AD || at == TEXT) && fed) left <= left - 4;
      case (at)
        ACTIVATE, ENCRYPT, NONCE_HEADER: if (fed) at <= at + 1;
        KEY: if (taken == 6 && load_ready && n == 3) at <= NONCE;
        NONCE: if (fed && n == 3) at <= AD_HEADER;
        AD_HEADER: if (fed) at <= pdi_data[15:0] == 0 ? TEXT_HEADER : AD;
        AD: if (left_is_over) at <= TEXT_HEADER;
        TEXT_HEADER: if (fed) at <= OUT_HEADER;
        OUT_HEADER: if (do_ready) at <= left == 0 ? EMPTY : TEXT;
        TEXT: if (left_is_over) at <= TAG_HEADER;
        EMPTY: if (in_ready) at <= TAG_HEADER;
        TAG_HEADER: if (do_ready) at <= TAG;
        TAG: if (tag_valid && do_ready && n == 3) at <= STATUS;
        STATUS: if (do_ready) at <= ACTIVATE;
        default: at <= ACTIVATE;
      endcase
    end
endmodule
"""


def shell(*changes: tuple[str, str]) -> str:
    cipher = find("ascon_aead128")
    text = SHELL + generate(cipher, Architecture.choose(cipher)).text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def judged(folder: Path, text: str) -> Verdict:
    (folder / "core.v").write_text(text)
    return judge([folder / "core.v"], find("ascon_aead128"), Settings(top="LWC"))[0]


def test_messages_go_through_the_api(tmp_path: Path) -> None:
    verdict = judged(tmp_path, shell())
    assert verdict.result("vectors") == YES
    assert verdict.key == verdict.iv == "in segments of the LWC hardware API"
    # All published messages that are whole bytes, empty text and data among them.
    assert "others" not in verdict.layers[0].text
    # A block of four words, then eight rounds.
    assert verdict.rate == 128 / 12


@pytest.mark.parametrize(
    "change",
    [
        ("64'h00001000808c0001", "64'h00001000808c0000"),
        ("turned(at == TAG ? tag : text)", "text"),
        ("taken == 6 && load_ready) key <= {key[95:0], key[127:96]}", "taken == 7) key <= key"),
    ],
)
def test_what_is_wrong_is_refused(change: tuple[str, str], tmp_path: Path) -> None:
    verdict = judged(tmp_path, shell(change))
    assert verdict.result("vectors") == NO
    assert not verdict.passes


EMPTY = b"", b""
WORDS = [
    (32, (bytes(3), b"ab"), "70000000 20000000 d2000010 NONCE 12000003 00000000 47000002 61620000"),
    (32, (b"a", b""), "70000000 20000000 d2000010 NONCE 16000001 61000000 47000000"),
    (32, EMPTY, "70000000 20000000 d6000010 NONCE 16000000 47000000"),
    (8, (b"a", b"b"), "70 20 d2000010 NONCE 12000001 61 47000001 62"),
]


@pytest.mark.parametrize(("width", "strings", "words"), WORDS)
def test_words(width: int, strings: tuple[bytes, bytes], words: str, tmp_path: Path) -> None:
    """Against words written down by hand."""
    text = SHELL.replace("[31:0] pdi_data", f"[{width - 1}:0] pdi_data").split("  localparam")[0]
    text += "  reg r; always @(posedge clk) r <= pdi_data[0] ^ r; assign do_valid = r; endmodule"
    (tmp_path / "core.v").write_text(text)
    netlist = read_core([tmp_path / "core.v"], Settings()).netlist
    streams = streams_of(netlist)
    assert streams
    nonce, key = bytes(range(16)), bytes(range(16, 32))
    ad, message = strings
    sample = Sample("", {"key": key, "iv": nonce, "ad": ad, "text": message}, {"tag": b""})
    made = encrypted(sample, netlist, streams).strings
    assert made["pdi"] == bytes.fromhex(words.replace("NONCE", nonce.hex()).replace(" ", ""))
    assert made["sdi"] == bytes.fromhex("40000000 c7000010") + key


def test_words_that_come() -> None:
    """Of two runs: a header of five bytes of text, the text, a status."""
    words = [0x52000005, 0x01020304, 0x05000000, 0x83000004, 0x0A0B0C0D, 0xE0000000]
    came = (
        (cycle, [3 * (word >> bit & 1) for bit in range(32)]) for cycle, word in enumerate(words)
    )
    kept = [
        (cycle, sum((bit & 1) << place for place, bit in enumerate(bits)))
        for cycle, bits in data_words(came, 3)
    ]
    assert kept == [(1, 0x01020304), (2, 0x05000000), (4, 0x0A0B0C0D)]


def test_words_of_the_api_are_not_told() -> None:
    given = {"stream": [{"send": "pdi", "data": "pdi_data", "valid": "pdi_valid"}]}
    with pytest.raises(InputError, match=r"^pdi in x\.toml must be left out: words of the LWC"):
        settings_of(given, "x.toml")
