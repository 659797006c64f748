# SPDX-License-Identifier: Apache-2.0
"""AES with keys of every length, in counter mode and in output feedback: key expansion, the end of
the counter, cycles, proofs, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from amaranth.hdl import Module
from proven import assert_proven

from headwater.algebra.word import IntegerWord
from headwater.cipher.aes import AES_CMAC, AES_CTR, AES_OFB_192_256, round_keys
from headwater.cipher.aes_ofb import add_round_key, mix_column, shift_rows, substitute_word
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.errors import InputError
from headwater.kinds.aes import check_line, line
from headwater.kinds.aes.line_words import CounterLine
from headwater.kinds.aes.model import BlockCipher
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of, properties_of
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.proof import prove
from headwater.verify.vector_files import read_file

KEYS = {
    128: "2b7e151628aed2a6abf7158809cf4f3c",
    192: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    256: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
}


# --- the description


@pytest.mark.parametrize(
    ("bits", "number", "words"),
    [
        (128, 1, "a0fafe1788542cb123a339392a6c7605"),
        (128, 10, "d014f9a8c9ee2589e13f0cc8b6630ca6"),
        (192, 1, "62f8ead2522c6b7bfe0c91f72402f5a5"),
        (192, 2, "ec12068e6c827f6b0e7a95b95c56fec2"),
        (192, 12, "e98ba06f448c773c8ecc720401002202"),
        (256, 2, "9ba354118e6925afa51a8b5f2067fcde"),
        (256, 14, "fe4890d1e6188d0b046df344706c631e"),
    ],
)
def test_key_expansion_of_fips_197(bits: int, number: int, words: str) -> None:
    """Appendix A."""
    keys = round_keys(bytes.fromhex(KEYS[bits]))
    assert len(keys) == bits // 32 + 7
    assert "".join(f"{word.value:08x}" for word in keys[number]) == words


@pytest.mark.parametrize(
    ("bits", "expected"),
    [
        (128, "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (192, "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (256, "8ea2b7ca516745bfeafc49904b496089"),
    ],
)
def test_examples_of_fips_197(bits: int, expected: str) -> None:
    """Appendix C, by the model's tables and by the description."""
    text, keys = "00112233445566778899aabbccddeeff", round_keys(bytes(range(bits // 8)))
    made = BlockCipher(bytes(range(bits // 8))).encrypt_number(int(text, 16))
    assert f"{made:032x}" == expected
    block = tuple(IntegerWord(int(text[place : place + 8], 16), 32) for place in (0, 8, 16, 24))
    block = add_round_key(block, keys[0])
    for number, key in enumerate(keys[1:], 1):
        block = shift_rows(tuple(map(substitute_word, block)))
        block = block if number == len(keys) - 1 else tuple(map(mix_column, block))
        block = add_round_key(block, key)
    assert "".join(f"{word.value:08x}" for word in block) == expected


# --- the model

ENDS = ["000102030405060708090a0bffffffff", "0001020304050607ffffffffffffffff", "ff" * 16]
"""First counter blocks at whose end of 32, 64 and 128 bits the next one begins."""

SECOND = {
    32: [
        "000102030405060708090a0b00000000",
        "0001020304050607ffffffff00000000",
        "ffffffffffffffffffffffff00000000",
    ],
    64: [
        "000102030405060708090a0c00000000",
        "00010203040506070000000000000000",
        "ffffffffffffffff0000000000000000",
    ],
    128: ["000102030405060708090a0c00000000", "00010203040506080000000000000000", "00" * 16],
}
"""The counter blocks behind them, by the bits that count."""


@pytest.mark.parametrize("counted", SECOND)
@pytest.mark.parametrize("bits", KEYS)
def test_the_end_of_the_counter(bits: int, counted: int) -> None:
    key = bytes.fromhex(KEYS[bits])
    cipher = AES_CTR.with_parameters({"key_bits": str(bits), "counter_bits": str(counted)})
    for first, second in zip(ENDS, SECOND[counted], strict=True):
        expected = [
            f"{BlockCipher(key).encrypt_number(int(one, 16)):032x}" for one in (first, second)
        ]
        model = Keystream(cipher, key=key, iv=bytes.fromhex(first))
        assert model.read(256).hex() == "".join(expected)
        later = Keystream(cipher, key=key, iv=bytes.fromhex(first))
        later.skip(136)
        assert later.read(120).hex() == expected[1][2:]


# --- the architecture


@pytest.mark.parametrize("bits", KEYS)
@pytest.mark.parametrize("radix", [8, 32, 128])
def test_cycles(bits: int, radix: int) -> None:
    cipher, words = AES_CTR.for_key(bits), 128 // radix
    rounds = {128: 10, 192: 12, 256: 14}[bits]
    facts = facts_of(cipher, Architecture.choose(cipher, radix=radix))
    width = min(radix, 64)
    assert facts.architecture.load_width == width
    assert facts.setup_cycles == (bits + 128) // width + rounds * words + 1
    sheet = datasheet(cipher, facts.architecture)
    assert (sheet["cycles_per_block"], sheet["rounds"]) == (rounds * words, rounds)
    values = {
        "key_bits": bits,
        "iv_bits": 128,
        "load_width": width,
        "cycles_per_block": rounds * words,
    }
    assert eval(sheet["setup_formula"], {}, values) == facts.setup_cycles


# --- what is proven

OF_LINES = {
    "setup",
    "load",
    "next",
    "block",
    "round",
    "session",
    "hold",
    "silence",
    "clear",
    "sbox",
}


@pytest.mark.parametrize(
    ("name", "radix", "options", "asserted"),
    [
        (
            "aes_ctr",
            128,
            {"key_bits": "192", "counter_bits": "32"},
            {"setup", "load", "next", "block", "round"},
        ),
        ("aes_ctr", 32, {"key_bits": "256"}, {"round", "block"}),
        ("aes_ctr", 8, {"key_bits": "192"}, {"round", "clear"}),
        ("aes_ofb_192_256", 32, {"stall": "none"}, {"setup", "block", "silence"}),
        ("eea2", 128, {}, {"setup", "text", "hold"}),
    ],
)
def test_properties(name: str, radix: int, options: dict[str, str], asserted: set[str]) -> None:
    cipher = CATALOGUE[name]
    made = Architecture.choose(cipher, radix=radix, options=options)
    expected = OF_LINES - ({"hold"} if options.get("stall") == "none" else set())
    assert {one.name for one in properties_of(cipher, made)} == expected | (
        {"text"} if name == "eea2" else set()
    )
    assert_proven(cipher, made, asserted)


@pytest.mark.parametrize(
    ("changed", "prop", "radix"),
    [
        (lambda number, words: "rotated" if number % words == 0 else "", "round", 128),
        (lambda number, words: "substituted" if number % words in (0, 4) else "", "round", 32),
    ],
)
def test_another_key_expansion_is_found(
    monkeypatch: pytest.MonkeyPatch, changed: object, prop: str, radix: int
) -> None:
    """One without the second SubWord of AES-256, and one without RotWord."""
    cipher = replace(AES_CTR, key_bits=256)
    monkeypatch.setattr(line, "change_before", changed)
    assert line.change_before is not check_line.change_before
    (record,) = prove(cipher, Architecture.choose(cipher, radix=radix), only=[prop])
    assert (record.passed, record.failed) == (0, 1)


def test_a_lost_carry_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the counter, between the bits that are counted in different rounds."""
    moves = CounterLine._move_block

    def without(core: CounterLine, m: Module) -> None:
        moves(core, m)
        m.d.sync += core.carry.eq(0)

    monkeypatch.setattr(CounterLine, "_move_block", without)
    (record,) = prove(AES_CTR, Architecture.choose(AES_CTR, radix=128), only=["block"])
    assert (record.passed, record.failed) == (0, 1)


# --- what is refused


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ("keystream", "aes_ctr", "--key", "00" * 20, "--iv", "00" * 16, "--bits", "8"),
            (
                "key of aes_ctr must be 128 bits (32 hex digits) or 192 bits (48 hex digits) or "
                "256 bits (64 hex digits), not 160 bits"
            ),
        ),
        (
            ("keystream", "aes_ctr", "--key", "00" * 16, "--iv", "00" * 12, "--bits", "8"),
            "IV of aes_ctr must be 128 bits (32 hex digits), not 96 bits",
        ),
        (
            ("keystream", "aes_ofb_192_256", "--key", "00" * 16, "--iv", "00" * 16, "--bits", "8"),
            (
                "key of aes_ofb_192_256 must be 192 bits (48 hex digits) or 256 bits (64 hex "
                "digits), not 128 bits"
            ),
        ),
        (
            ("show", "aes_ctr", "--option", "counter_bits=96"),
            "option counter_bits must be one of 128, 64, 32, not '96' (did you mean '64'?)",
        ),
        (
            (
                "encrypt",
                "eea2",
                "--key",
                "00" * 16,
                "--count",
                "00000000",
                "--bearer",
                "32",
                "--direction",
                "0",
                "--text",
                "00",
            ),
            "bearer must be between 0 and 31, not 32",
        ),
        (
            (
                "encrypt",
                "eea2",
                "--key",
                "00" * 32,
                "--count",
                "00000000",
                "--bearer",
                "1",
                "--direction",
                "0",
                "--text",
                "00",
            ),
            "key of eea2 must be 128 bits (32 hex digits), not 256 bits",
        ),
    ],
)
def test_command_lines_that_are_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], error: str
) -> None:
    assert main(list(words)) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"headwater: {error}\n")


def test_a_length_of_key_that_is_not_offered() -> None:
    with pytest.raises(InputError, match=r"^option key_bits must be one of 192, 256, not '128'"):
        AES_OFB_192_256.with_parameters({"key_bits": "128"})


@pytest.mark.parametrize(
    ("cipher", "error"),
    [
        (replace(AES_CTR, legal_keys=(128, 160)), r"keys of aes_ctr must be .*, not 160 bits"),
        (replace(AES_CTR, iv_bits=(96,)), r"iv_bits of aes_ctr must be \(128,\), not \(96,\)"),
        (
            replace(AES_CTR, legal_counts=(129,)),
            r"counted_bits of aes_ctr must be 0 to 128, not 129",
        ),
        (replace(AES_CMAC, iv_bits=(32,)), r"iv_bits of aes_cmac must be \(0,\) or \(64,\), .*"),
    ],
)
def test_descriptions_that_are_refused(cipher: Cipher, error: str) -> None:
    with pytest.raises(InputError, match=f"^{error}$"):
        cipher.check_functions()


@pytest.mark.parametrize("engine", ["model", "rtl", "c"])
def test_a_message_of_lte(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    """TS 33.401, annex C.1.1: the first bytes, of bits 0 to 252."""
    words = [
        "encrypt",
        "eea2",
        "--key",
        "d3c5d592327fb11c4035c6680af8c6d1",
        "--count",
        "398a59b4",
        "--bearer",
        "21",
        "--direction",
        "1",
        "--text",
        "981ba6824c1bfb18",
        "--bits",
        "61",
        "--engine",
        engine,
        "--json",
    ]
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["ciphertext"] == "e9fed8a63d155300"


def test_a_public_file_of_counter_mode(tmp_path: Path) -> None:
    """RFC 3686, test vector 1, as libraries have it: the nonce and the IV without the count."""
    test = {
        "tcId": 1,
        "key": "ae6852f8121067cc4bf7a5765577f39e",
        "iv": "000000300000000000000000",
        "msg": b"Single block msg".hex(),
        "ct": "e4095d4fb7a7b3792d6175a3261311b8",
        "result": "valid",
    }
    for key, failed in ((test["key"], 0), ("ff" * 16, 1)):
        group = {"ivSize": 96, "keySize": 128, "tests": [test | {"key": key}]}
        content = {"algorithm": "AES-CTR", "numberOfTests": 1, "testGroups": [group]}
        path = tmp_path / "ctr.json"
        path.write_text(json.dumps(content))
        file = read_file(path, AES_CTR)
        record = check_vectors(file, ModelEngine(file.cipher))
        assert (record.passed, record.failed, record.skipped) == (1 - failed, failed, 0)
