# SPDX-License-Identifier: Apache-2.0
"""Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128: states and digests that are printed elsewhere,
outputs of any length, and the command line."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from operator import xor
from pathlib import Path

import pytest
from command_line import succeed

import headwater as hw
from headwater.algebra import bitstring
from headwater.algebra.word import IntegerWord, Word, concatenate, unnamed
from headwater.cipher.ascon import permutation_round, round_constant
from headwater.cipher.ascon_hash import (
    ASCON_CXOF128,
    ASCON_HASH256,
    ASCON_XOF128,
    ROUNDS,
    absorb,
)
from headwater.cipher.checks import check_description
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.message.description import MessageCipher, Pad, Squeeze, Take
from headwater.kinds.reading import process
from headwater.verify.c_engine import CEngine
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove
from headwater.verify.vector_files import read_file

EVERY = pytest.mark.parametrize(
    "cipher", [ASCON_HASH256, ASCON_XOF128, ASCON_CXOF128], ids=lambda one: one.name
)

CUSTOM = ("hash", "ascon_cxof128", "--text", "", "--customization")


def text_bytes(s0: Word, text_bytes: Word) -> Word:
    return s0 ^ concatenate(text_bytes, s0[61:] & 0)


EMPTY = "0b3be5850f2f6b98caf29f8fdea89b64a1fa70aa249b8f839bd53baa304d92b2"

STARTS = {
    "ascon_hash256": "9B1E5494E934D681 4BC3A01E333751D2 AE65396C6B34B81A 3C7FD4A4D56A4DB3 "
    "1A5C464906C5976D",
    "ascon_xof128": "DA82CE768D9447EB CC7CE6C75F1EF969 E7508FD780085631 0EE0EA53416B58CC "
    "E0547524DB6F0BDE",
    "ascon_cxof128": "675527C2A0E8DE03 43D12D7DC0377BBC E9901DEC426E81B5 2AB14907720780B6 "
    "8F3F1D02D432BC46",
}
"""The five words behind the initial value and twelve rounds."""


@EVERY
def test_the_state_that_a_message_meets(cipher: MessageCipher) -> None:
    words = [IntegerWord(int.from_bytes(cipher.initial, "little"), 64)]
    state = (*words, *[IntegerWord(0, 64)] * 4)
    for number in range(ROUNDS):
        constant = round_constant(IntegerWord(number, 4))
        state = permutation_round(unnamed, state, constant)
    assert " ".join(f"{word.value:016X}" for word in state) == STARTS[cipher.name]


def digest(cipher: MessageCipher, text: bytes, bits: int, custom: bytes = b"") -> bytes:
    return process(cipher, Message(b"", b"", custom, text, 8 * len(text), tag_bits=bits)).tag


@pytest.mark.parametrize("cipher", [ASCON_XOF128, ASCON_CXOF128], ids=lambda one: one.name)
def test_a_short_output_begins_a_longer_one(cipher: MessageCipher) -> None:
    longest = digest(cipher, b"abc", 4096)
    assert len(set(longest)) > 200
    for bits in range(8, 300, 8):
        assert digest(cipher, b"abc", bits) == longest[: bits // 8]


@EVERY
def test_a_load_of_one_word(cipher: MessageCipher) -> None:
    """The initial value is taken in the cycle that begins a session."""
    for width in (8, 64):
        engine = RtlEngine(cipher, Architecture.choose(cipher, radix=6, load_width=width))
        sent = [Message(b"", b"", b"", bytes(range(size)), 8 * size) for size in (0, 7, 8, 20)]
        assert engine.process(sent) == [process(cipher, one) for one in sent]


def test_outputs_of_any_length_follow_each_other() -> None:
    engine = RtlEngine(ASCON_XOF128, Architecture.choose(ASCON_XOF128, radix=4))
    sent = [Message(b"", b"", b"", b"xyz", 24, tag_bits=bits) for bits in (8, 64, 72, 1024, 256)]
    assert engine.process(sent) == [process(ASCON_XOF128, one) for one in sent]


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert succeed(capsys, "hash", "ascon_hash256", "--text", "") == f"digest {EMPTY}\n"
    words = (
        "hash",
        "ascon_cxof128",
        "--customization",
        "1011",
        "--text",
        "",
        "--digest-bits",
        "64",
    )
    assert succeed(capsys, *words) == "digest d1106c7622e79fe9\n"
    told = json.loads(succeed(capsys, *words, "--json"))
    assert told["digest"] == "d1106c7622e79fe9"
    assert hw.cipher("ascon_hash256").hash(b"").hex() == EMPTY


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ("hash", "trivium", "--text", ""),
            (
                "cipher of hash must be one of ascon_hash256, ascon_xof128, ascon_cxof128, not "
                "'trivium'"
            ),
        ),
        (
            ("hash", "ascon_hash256", "--text", "", "--digest-bits", "128"),
            "digest of ascon_hash256 must be 256 bits (64 hex digits), not 128 bits",
        ),
        (
            ("hash", "ascon_xof128", "--text", "", "--digest-bits", "4097"),
            "digest of ascon_xof128 must be 1 to 4096 bits, not 4097 bits",
        ),
        (
            ("hash", "ascon_hash256", "--text", "04", "--bits", "2"),
            "unused bits of a text of 2 bits must be zero",
        ),
        (
            ("hash", "ascon_hash256", "--text", "04", "--bits", "9"),
            "bits must be those of a text of 1 bytes, not 9",
        ),
        (
            (*CUSTOM, "04", "--customization-bits", "2"),
            "unused bits of a customization of 2 bits must be zero",
        ),
        (
            (*CUSTOM, "04", "--customization-bits", "9"),
            "customization_bits must be those of a customization of 1 bytes, not 9",
        ),
        (
            ("hash", "ascon_xof128", "--text", "", "--digest-bits", "0"),
            "digest of ascon_xof128 must be 1 to 4096 bits, not 0 bits",
        ),
        (
            ("hash", "ascon_xof128", "--text", "", "--customization", "00"),
            "customization of ascon_xof128 must be empty, not 1",
        ),
        (
            ("hash", "ascon_cxof128", "--text", "", "--customization", "00" * 257),
            "customization of ascon_cxof128 must be at most 256 bytes, not 257",
        ),
        (
            ("encrypt", "ascon_hash256", "--key", "00", "--text", "00"),
            "ascon_hash256 does not encrypt: use hash",
        ),
    ],
)
def test_what_is_refused(
    words: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == 2
    assert error in capsys.readouterr().err


def in_bits(cipher: MessageCipher, seed: int, text: int, custom: int, digest: int) -> Message:
    """A message of random strings of so many bits."""
    draw = random.Random(seed)
    data, plain = (
        bitstring.to_bytes(draw.getrandbits(bits + 1), bits, "lsb_first") for bits in (custom, text)
    )
    data_bits = custom if cipher.takes_associated_data else None
    data = data if cipher.takes_associated_data else b""
    return Message(b"", b"", data, plain, text, False, digest, data_bits)


def padded(string: list[int]) -> list[list[int]]:
    """Blocks of 64 bits of a string, a one and zeros."""
    whole = [*string, 1]
    whole += [0] * (-len(whole) % 64)
    return [whole[first : first + 64] for first in range(0, len(whole), 64)]


def digest_by_hand(cipher: MessageCipher, message: Message) -> bytes:
    """The sponge of SP 800-232, sections 5.1 to 5.3, on lists of bits."""
    state = [0] * 320
    state[:64] = bitstring.split(int.from_bytes(cipher.initial, "little"), 64)
    state = permuted(state)
    given: list[list[int]] = []
    if cipher.takes_associated_data:
        given.append(list(bitstring.split(message.associated_bits, 64)))
        given += padded(bits_of(message.associated_data, message.associated_bits))
    for block in [*given, *padded(bits_of(message.text, message.bits))]:
        state = permuted([*map(xor, state[:64], block), *state[64:]])
    made, wanted = list[int](), message.tag_bits or 256
    while len(made) < wanted:
        made, state = made + state[:64], permuted(state)
    return bitstring.to_bytes(sum(bit << at for at, bit in enumerate(made)), wanted, "lsb_first")


def bits_of(data: bytes, bits: int) -> list[int]:
    return list(bitstring.split(int.from_bytes(data, "little"), bits))


def permuted(state: list[int]) -> list[int]:
    """Twelve rounds, written with integers: S-box by columns, from its table in the standard."""
    words = [
        sum(bit << at for at, bit in enumerate(state[first : first + 64]))
        for first in range(0, 320, 64)
    ]
    for number in range(12):
        words[2] ^= 0xF0 - 0x0F * number
        columns = [
            SBOX[sum((words[row] >> at & 1) << 4 - row for row in range(5))] for at in COLUMNS
        ]
        words = [
            sum((column >> 4 - row & 1) << at for at, column in enumerate(columns))
            for row in range(5)
        ]
        words = [
            word ^ turned(word, first) ^ turned(word, second)
            for word, (first, second) in zip(words, TURNS, strict=True)
        ]
    return [word >> at & 1 for word in words for at in range(64)]


def turned(word: int, places: int) -> int:
    return (word >> places | word << 64 - places) & (1 << 64) - 1


COLUMNS = range(64)
TURNS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")
"""Table 6 of the standard."""

LENGTHS = (0, 1, 7, 31, 32, 33, 63, 64, 65, 127, 129)


@EVERY
def test_bit_strings_of_every_length(cipher: MessageCipher) -> None:
    """In the model, beside a sponge that is written here; in Verilog and C at some lengths."""
    made = cipher.with_parameters({"unit": "bit"})
    fixed = not cipher.output_bits
    given = [
        in_bits(cipher, seed, text, custom, 256 if fixed else 1 + 37 * seed % 300)
        for seed, (text, custom) in enumerate(zip(LENGTHS, LENGTHS[3:] + LENGTHS, strict=False))
    ]
    expected = [digest_by_hand(cipher, one) for one in given]
    assert [process(made, one).tag for one in given] == expected
    narrow = Architecture.choose(made, radix=3, options={"width": "16"})
    rtl = RtlEngine(made, narrow, gaps_permille=150)
    assert [one.tag for one in rtl.process(given)] == expected
    c = CEngine(made, Architecture.choose(made))
    assert [one.tag for one in c.process(given)] == expected


@EVERY
def test_a_core_of_bits_is_another_one(cipher: MessageCipher) -> None:
    """A core of bytes is the same with and without saying so."""
    bits = cipher.with_parameters({"unit": "bit"})
    plain = Architecture.choose(cipher)
    assert plain == Architecture.choose(cipher, options={"unit": "byte"})
    assert "unit" not in plain.options
    assert Architecture.choose(bits) == Architecture.choose(cipher, options={"unit": "bit"})
    assert Architecture.choose(bits)["unit"] == "bit"
    assert bits.with_parameters({"unit": "byte"}) == cipher


def test_proofs_of_a_core_of_bits() -> None:
    made = Architecture.choose(ASCON_CXOF128, radix=2, options={"unit": "bit"})
    for record in prove(ASCON_CXOF128, made):
        assert record.failures == (), record.check


def test_bits_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """An answer of NIST's."""
    words = ("hash", "ascon_xof128", "--text", "ED7118044E4034AA70B34539F83994AE01")
    lengths = ("--bits", "129", "--digest-bits", "65")
    for engine in ("model", "rtl", "c"):
        printed = succeed(capsys, *words, *lengths, "--engine", engine)
        assert printed == "digest 34c442a271b0054f00\n"
    custom = succeed(capsys, *CUSTOM, "01", "--customization-bits", "1", "--json")
    assert json.loads(custom)["bits"] == 0
    hashed = hw.cipher("ascon_cxof128").hash(b"", customization=b"\1", customization_bits=1)
    assert json.loads(custom)["digest"] == hashed.hex()


@EVERY
@pytest.mark.parametrize("text", ["Count = 1\nMsg =\n", "Count = 1\nMsg = 0\nMD = 00\n"])
def test_known_answers_that_are_cut(cipher: MessageCipher, text: str, tmp_path: Path) -> None:
    path = tmp_path / "kat.txt"
    path.write_text(text)
    with pytest.raises(InputError, match="line "):
        read_file(path, cipher)


@EVERY
def test_known_answers_as_text(
    cipher: MessageCipher, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kat.txt"
    written = ("vectors", cipher.name, "--as", "hash-kat", "--count", "70", "-o", str(path))
    assert main([*written]) == 0
    capsys.readouterr()
    lines = path.read_text().splitlines()
    assert ("Z = 10" in lines) == (cipher is ASCON_CXOF128)
    assert len(read_file(path, cipher).vectors) == 70


def test_lengths_that_are_no_whole_bytes_are_skipped(tmp_path: Path) -> None:
    entry = {"message": "01", "message_bits": 1, "output": EMPTY, "output_bits": 256}
    path = tmp_path / "file.json"
    head = {"cipher": "ascon_hash256", "kind": "hash", "bit_order": "lsb_first"}
    path.write_text(json.dumps({**head, "vectors": [{**entry, "id": "a"}]}))
    assert read_file(path, ASCON_HASH256).skipped == {"a": "a message that is not whole bytes"}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"initial": b""}, "must take all 0 bits of the initial value once, not 64"),
        ({"output_bits": 12}, "output_bits of ascon_xof128 must be a multiple of 8, not 12"),
        ({"finish": ()}, "finish of ascon_xof128 must have a Squeeze, not none"),
        ({"associated": None, "header": bytes}, "header of ascon_xof128 must be left out"),
        ({"unit": "bit", "text": replace(ASCON_XOF128.text, pad=Pad("each"))}, "pad of text of"),
        ({"finish": (Squeeze(64, text_bytes),)}, "functions of ascon_xof128 must not ask for text"),
        (
            {"key_bits": 64, "start": (Take("key", 64, enter=absorb), *ASCON_XOF128.start)},
            "offered_units of ascon_xof128 must be left out, as it has a key",
        ),
    ],
)
def test_machines_that_are_refused(changes: dict[str, object], error: str) -> None:
    with pytest.raises(InputError, match=error):
        check_description(replace(ASCON_XOF128, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("interface", ["axi4stream", "axi4lite", "fifo"])
def test_buses_are_refused_where_the_output_has_no_end(
    interface: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["generate", "ascon_xof128", "--interface", interface, "-o", str(tmp_path / "made")]
    assert main(words) == 2
    assert "interface of ascon_xof128 must be stream" in capsys.readouterr().err
    words[1] = "ascon_hash256"
    assert main(words) == 0
