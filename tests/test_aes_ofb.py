# SPDX-License-Identifier: Apache-2.0
"""AES-128-OFB: the description and its model, cycles and words of cores, proofs."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from random import Random

import pytest
from command_line import as_process
from needs import needs_osu018, needs_sta
from proven import assert_proven

from headwater.algebra.word import IntegerWord
from headwater.cipher import aes_ofb
from headwater.cipher.aes_ofb import AES_OFB, SBOX, block_of, bytes_of_block
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.kinds.aes import bit
from headwater.kinds.aes.facts import AesFacts
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.measure.stimulus import stimulus
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove
from headwater.verify.segments import Segment


def chosen(radix: int, **options: str) -> Architecture:
    return Architecture.choose(AES_OFB, radix=radix, options=options)


def key_and_iv(seed: int) -> tuple[bytes, bytes]:
    source = Random(seed)
    return source.randbytes(16), source.randbytes(16)


# The description


def test_example_of_fips_197() -> None:
    """Appendix C.1."""
    key = block_of(bytes(range(16)))
    text = block_of(bytes.fromhex("00112233445566778899aabbccddeeff"))
    made = aes_ofb.cipher(text, key)
    assert bytes_of_block(made).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"


def test_key_expansion_of_fips_197() -> None:
    """Appendix A.1: the words of the last round key."""
    key = block_of(bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c"))
    constant = IntegerWord(aes_ofb.FIRST_CONSTANT, 8)
    for _ in range(aes_ofb.ROUNDS):
        last = constant.value
        key = aes_ofb.next_round_key(key, constant, aes_ofb.substitute_word, lambda word: word)
        constant = aes_ofb.double(constant)
    assert [word.value for word in key] == [0xD014F9A8, 0xC9EE2589, 0xE13F0CC8, 0xB6630CA6]
    assert last == 0x36


def test_mixing_of_a_column() -> None:
    """One of the columns of FIPS 197, appendix B, round 1."""
    assert aes_ofb.mix_column(IntegerWord(0xD4BF5D30, 32)).value == 0x046681E5


def test_mixing_keeps_a_column_of_equal_bytes() -> None:
    """What the byte core relies on, which adds the image of zero behind MixColumns."""
    word = IntegerWord(0x01010101 * SBOX.entries[0], 32)
    assert aes_ofb.mix_column(word).value == word.value


# The model


@pytest.mark.parametrize("seed", range(3))
def test_model_is_the_description(seed: int) -> None:
    key, iv = key_and_iv(seed)
    expected, block = b"", block_of(iv)
    for _ in range(3):
        block = aes_ofb.cipher(block, block_of(key))
        expected += bytes_of_block(block)
    assert Keystream(AES_OFB, key=key, iv=iv).read(384) == expected


# The architecture


@pytest.mark.parametrize(
    ("radix", "cycles", "setup", "clear"),
    [(1, 2976, 1728, 257), (8, 160, 176, 33), (32, 40, 45, 9), (128, 10, 12, 3)],
)
def test_timing(radix: int, cycles: int, setup: int, clear: int) -> None:
    facts = facts_of(AES_OFB, chosen(radix))
    assert isinstance(facts, AesFacts)
    assert (facts.cycles_per_block, facts.setup_cycles, facts.clear_cycles) == (
        cycles,
        setup,
        clear,
    )
    assert facts.bits_per_cycle == 128 / cycles
    sheet = datasheet(AES_OFB, facts.architecture)
    assert (sheet["cycles_per_block"], sheet["setup_cycles"]) == (cycles, setup)
    words = 128 // radix
    values = {
        "key_bits": 128,
        "iv_bits": 128,
        "load_width": radix,
        "radix": radix,
        "cycles_per_block": cycles,
    }
    assert eval(sheet["setup_formula"], {}, values) == setup
    assert facts.message_cycles(0) == 0
    assert facts.message_cycles(128) == words
    assert facts.message_cycles(129) == cycles + 1
    assert facts.words_in(300) == words * -(-300 // cycles) + 1


def test_words_are_those_of_fips_197() -> None:
    """The first byte of a word is on top, in the load and in the keystream."""
    facts = facts_of(AES_OFB, chosen(32))
    key, iv = bytes(range(16)), bytes(range(16, 32))
    assert facts.load_words(key, iv)[:5] == [
        0x00010203,
        0x04050607,
        0x08090A0B,
        0x0C0D0E0F,
        0x10111213,
    ]
    made = stimulus(AES_OFB, chosen(32), 2)
    assert len(made.load_words) == 8
    assert all(word < 1 << 32 for word in made.words)


# What is proven


OF_BITS = {
    "setup",
    "load",
    "bytes",
    "mixing",
    "pass",
    "back",
    "output",
    "session",
    "silence",
    "clear",
    "sbox",
}

PROVEN = [
    (1, {}, OF_BITS | {"hold"}),
    (1, {"stall": "none", "clear": "instant", "sbox": "small"}, OF_BITS - {"bytes", "back"}),
    (8, {}, ("setup", "session", "hold", "silence", "clear", "sbox", "load", "round", "output")),
    (
        32,
        {"stall": "none"},
        ("setup", "session", "silence", "clear", "sbox", "load", "round", "output"),
    ),
    (
        128,
        {"clear": "instant"},
        ("setup", "session", "hold", "silence", "clear", "sbox", "load", "round", "output"),
    ),
]


@pytest.mark.parametrize(("radix", "options", "names"), PROVEN)
def test_properties(radix: int, options: dict[str, str], names: Collection[str]) -> None:
    assert_proven(AES_OFB, chosen(radix, **options), names)


# A bit a cycle


@pytest.mark.parametrize("radix", [8, 32, 128])
def test_the_smallest_core_is_no_default(radix: int) -> None:
    """It gives 0.043 bits per cycle: it is asked for."""
    assert AES_OFB.default_radix == 8
    bits = facts_of(AES_OFB, chosen(radix)).bits_per_cycle
    assert facts_of(AES_OFB, chosen(1)).bits_per_cycle < bits / 18


def test_a_block_is_encrypted_in_verilog() -> None:
    """FIPS 197, appendix C.1: the first block of keystream is the encrypted IV. The second one
    needs the key that was turned back."""
    key, text = bytes(range(16)), bytes.fromhex("00112233445566778899aabbccddeeff")
    (stream,) = RtlEngine(AES_OFB, chosen(1)).run([Segment(key, text, 0, 256)])
    assert stream[:16].hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
    second = aes_ofb.cipher(block_of(stream[:16]), block_of(key))
    assert stream[16:] == bytes_of_block(second)


def test_it_keeps_no_key() -> None:
    """Ten passes of 128 cycles turn it back. Its flip-flops: the state, four carries, 13 bits of
    counts, `loading` and `idle`."""
    text = generate(AES_OFB, chosen(1)).text
    widths = re.findall(r"^  reg (?:\[(\d+):0\] )?\w+;", text, re.MULTILINE)
    assert sum(int(width or 0) + 1 for width in widths) == AES_OFB.state_bits + 4 + 13 + 2
    assert " 1280 of its cycles" in datasheet(AES_OFB, chosen(1))["key_kept"]
    assert "key_kept" not in datasheet(AES_OFB, chosen(8))


@pytest.mark.parametrize(
    ("constant", "value", "prop"),
    [
        ("LAST_ROUND", 8, "setup"),
        ("BACK_AGAIN", 23, "setup"),
        ("DISTANCES", ((0, 0, 0, 0), (4, 4, 4, 0), (8, 8, 0, 0), (12, 8, 8, 0)), "bytes"),
        ("_REDUCTION", 0x1D, "mixing"),
    ],
)
def test_another_core_is_found(
    monkeypatch: pytest.MonkeyPatch, constant: str, value: object, prop: str
) -> None:
    """One with a round or a pass less, another ShiftRows, another field."""
    monkeypatch.setattr(bit, constant, value)
    (record,) = prove(AES_OFB, chosen(1), only=[prop])
    assert (record.passed, record.failed) == (0, 1)


PAGE = Path(__file__).parents[1] / "docs" / "ciphers" / "aes_ofb.md"


@needs_osu018
@needs_sta
def test_area_of_the_page_is_measured(tmp_path: Path) -> None:
    command = ("evaluate", "aes_ofb", "--radix", "1,8", "--option", "sbox=small")
    recipe = ("--target", "osu018", "--recipe", "best", "--json", "--store", tmp_path / "results")
    done = as_process(*command, *recipe)
    assert done.returncode == 0, done.stderr
    for record in json.loads(done.stdout):
        registers, total = record["ge_sequential"], record["ge_smallest"]
        row = f"| {record['radix']} | {registers:.0f} | {total - registers:.0f} | {total:.0f} |"
        assert row in PAGE.read_text()
