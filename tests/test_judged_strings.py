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


def verilog(name: str) -> str:
    cipher = find(name)
    return generate(cipher, Architecture.choose(cipher)).text


def chacha() -> str:
    return verilog("chacha20")


@pytest.mark.parametrize("name", ["chacha20", "aes_ctr", "uia1", "eea3", "sfinks", "vest4"])
def test_streams_are_found_by_names_and_behaviour(name: str, tmp_path: Path) -> None:
    """One port takes key and IV in words, in an order that is found, with zeros behind them, or as
    the lanes of the description."""
    verdict = judged(tmp_path, verilog(name), "", name)
    assert verdict.result("vectors") == YES
    assert verdict.key.startswith("load_payload takes ")


def test_messages_are_found_with_their_tags(tmp_path: Path) -> None:
    """Text and tag come out of ports of their own; every published vector passes, empty texts and
    data among them."""
    verdict = judged(tmp_path, verilog("ascon_aead128"), "", "ascon_aead128")
    assert verdict.layers[0].text == "113 published vectors pass"
    assert verdict.keystream.count("_payload") == 2
    assert verdict.rate == 128 / 12


STRANGER = """
module stranger (input aclk, input aresetn, input [31:0] s_axis_key_tdata,
    input s_axis_key_tvalid, output s_axis_key_tready, output [31:0] m_axis_tdata,
    output m_axis_tvalid, input m_axis_tready);
  chacha20_r32 core (.clk(aclk), .rst(!aresetn), .load_payload(s_axis_key_tdata),
    .load_valid(s_axis_key_tvalid), .load_ready(s_axis_key_tready),
    .keystream_payload(m_axis_tdata), .keystream_valid(m_axis_tvalid),
    .keystream_ready(m_axis_tready), .clear(1'b0));
endmodule
"""


def test_names_of_another_bus_are_known(tmp_path: Path) -> None:
    verdict = judged(tmp_path, verilog("chacha20") + STRANGER, 'top = "stranger"', "chacha20")
    assert verdict.result("vectors") == YES
    assert verdict.setup_cycles == 33


SWAPPED = "{load_payload[31:16], load_payload[7:0], load_payload[15:8]}"
"""Two bytes of a word exchanged: no order of bits that a core may have."""
WRONG = {
    "chacha20": {
        "rotation": ("x8 + {d1_q0[15:0], d1_q0[31:16]}", "x8 + {d1_q0[16:0], d1_q0[31:17]}"),
        "constant": ("61707865", "61707864"),
        "order": ("? load_payload :", f"? {SWAPPED} :"),
    },
    "aes_ctr": {
        "rotation": ("ROW_2_COLUMN_0 = 4'he", "ROW_2_COLUMN_0 = 4'hd"),
        "constant": ("ROUND_6 = 4'h6", "ROUND_6 = 4'h7"),
        "order": ("? load_payload :", "? {load_payload[3:0], load_payload[7:4]} :"),
    },
    "ascon_aead128": {
        "rotation": ("{c0[18:0], c0[63:19]}", "{c0[17:0], c0[63:18]}"),
        "constant": ("64'h00001000808c0001", "64'h00001000808c0000"),
        "order": ("? load_payload :", f"? {SWAPPED} :"),
    },
    "eea3": {
        "rotation": ("{w1[13:0], w2[31:16], w1[15:14]}", "{w1[12:0], w2[31:16], w1[15:13]}"),
        "constant": ("16'h3c4d", "16'h3c4c"),
        "order": (
            "? load_payload :",
            "? {load_payload[15:8], load_payload[3:0], load_payload[7:4]} :",
        ),
    },
    "poly1305": {
        "point": ("({load_payload, 96'h0}", "({load_payload ^ 32'h1, 96'h0}"),
        "pad": ("pad <= {load_payload,", "pad <= {load_payload ^ 32'h1,"),
        "order": ("pad <= {load_payload,", f"pad <= {{{SWAPPED},"),
    },
    "moustique": {
        "tap": ("(c & ~q[0])", "(c & ~q[1])"),
        "constant": ("wire q2 = ~(", "wire q2 = (~c ^ "),
        "order": ("key[0];", "key[1];"),
    },
    "vest4": {
        "tap": ("p[15] ^ p[16]", "p[14] ^ p[16]"),
        "constant": ("c0[2] ? ~c0[6]", "c0[2] ? c0[6]"),
        "order": ("? load_payload :", "? {load_payload[3:0], load_payload[7:4]} :"),
    },
}


@pytest.mark.parametrize(
    ("name", "fault"), [(name, fault) for name, faults in WRONG.items() for fault in faults]
)
def test_a_wrong_core_of_each_kind_is_refused(name: str, fault: str, tmp_path: Path) -> None:
    """The first wrong word is named."""
    text, (right, wrong) = verilog(name), WRONG[name][fault]
    assert right in text
    verdict = judged(tmp_path, text.replace(right, wrong, 1), "", name)
    assert verdict.result("vectors") == NO
    assert not verdict.passes
    assert re.search(r"word \d+ of \w+, at \w+_payload, of ", str([*verdict.lines()]))


def test_a_load_that_is_not_understood_is_no_mistake(tmp_path: Path) -> None:
    """Its first word has lengths, which nothing tells."""
    verdict = judged(tmp_path, verilog("phelix"), "", "phelix")
    assert verdict.result("vectors") == OPEN
    assert "of which some are not known" in verdict.layers[0].text


TEXTLESS = """
module textless (input clk, input rst, input [255:0] key, input [95:0] nonce, input start,
    input piece_valid, output reg [127:0] tag, output reg done);
  always @(posedge clk) begin
    done <= start & ~rst;
    tag <= key[127:0] ^ {32'h0, nonce};
  end
endmodule
"""


def test_a_core_whose_text_enters_nowhere_is_no_mistake(tmp_path: Path) -> None:
    verdict = judged(tmp_path, TEXTLESS, "", "chacha20_poly1305")
    assert verdict.result("vectors") == OPEN
    assert "by which input the text of a message enters" in verdict.layers[0].text


def test_words_of_a_core_of_ours(tmp_path: Path) -> None:
    """A word in each cycle; the data sheet says how many cycles the setup takes."""
    text = chacha()
    verdict = judged(tmp_path, text, STREAMED, "chacha20")
    assert {one.name: one.result for one in verdict.layers} == {
        "vectors": YES,
        "state": YES,
        "step": YES,
        "setup": OPEN,
    }
    assert verdict.passes
    assert verdict.rate == 32
    assert verdict.lacks is None
    assert re.search(r"setup takes 33 cycles", text)
    assert verdict.setup_cycles == 33


COUNTED = """
module counted (input clk, rst, input [31:0] key, input key_valid, output key_ready,
    input [31:0] word, input [2:0] bytes, input ad, last, word_valid, output word_ready,
    output [31:0] text_o, tag_o, output text_valid_o, tag_valid_o);
  wire [3:0] keep = (1 << bytes) - 1;
  ascon_aead128_r32 core (.clk(clk), .rst(rst), .load_payload(key), .load_valid(key_valid),
    .load_ready(key_ready), .data_in_payload(word), .data_in_keep(keep), .data_in_last(last),
    .data_in_ad(ad), .data_in_valid(word_valid), .data_in_ready(word_ready),
    .data_out_payload(text_o), .data_out_keep(), .data_out_last(), .data_out_valid(text_valid_o),
    .data_out_ready(1'b1), .tag_payload(tag_o), .tag_valid(tag_valid_o), .tag_ready(1'b1),
    .decrypt(1'b0), .clear(1'b0));
endmodule
"""
COUNTED_PORTS = """
top = "counted"
output = "text_o, tag_o"
[[stream]]
send = "key, iv"
data = "key"
valid = "key_valid"
ready = "key_ready"
[[stream]]
send = "ad"
data = "word"
valid = "word_valid"
ready = "word_ready"
end = "last"
count = "bytes"
set = { ad = 1 }
[[stream]]
send = "text"
data = "word"
valid = "word_valid"
ready = "word_ready"
end = "last"
count = "bytes"
"""


def test_bytes_of_a_word_may_be_counted(tmp_path: Path) -> None:
    """An input has their number; text and tag have ports of their own, which the file names."""
    text = verilog("ascon_aead128") + COUNTED
    verdict = judged(tmp_path, text, COUNTED_PORTS, "ascon_aead128")
    assert verdict.layers[0].text == "113 published vectors pass"
    assert verdict.keystream.startswith("text_o with text_valid_o")
    assert "tag_o" in verdict.keystream
    wrong = text.replace("<< bytes) - 1", "<< bytes) - 2")
    assert judged(tmp_path, wrong, COUNTED_PORTS, "ascon_aead128").result("vectors") == NO


def test_a_core_that_is_right_at_some_lengths_has_its_wrong_word_listed(tmp_path: Path) -> None:
    text = verilog("ascon_aead128") + COUNTED
    wrong = text.replace("(1 << bytes) - 1", "bytes == 1 ? 4'h3 : (1 << bytes) - 1")
    verdict = judged(tmp_path, wrong, COUNTED_PORTS, "ascon_aead128")
    assert verdict.result("vectors") == NO
    assert re.match(r"word \d+ of \w+, at \w+, of \S+$", verdict.wrong[0])
    assert verdict.layers[0].text == f"{verdict.wrong[0]} is wrong"


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
    if not toml:  # Without names that tell of a stream.
        text = text.replace("load_valid", "there")
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
