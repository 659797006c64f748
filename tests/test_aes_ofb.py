# SPDX-License-Identifier: Apache-2.0
"""AES-128-OFB: the description, its model, and the cores of all three widths."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from amaranth.hdl import Module, Value
from generated import afresh
from proven import assert_proven

from headwater.algebra.word import IntegerWord
from headwater.bench.stimulus import stimulus
from headwater.cipher import aes_ofb
from headwater.cipher.aes_ofb import AES_OFB, SBOX, block_of, bytes_of_block
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.verilator import simulate
from headwater.kinds.aes_ofb.column import ColumnCore
from headwater.kinds.aes_ofb.core import AesCore
from headwater.kinds.aes_ofb.facts import AesFacts
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.segments import Segment
from headwater.verify.vector_files import own_files, read_file

FILE = read_file(own_files(AES_OFB)[0], AES_OFB)

RADICES = (8, 32, 128)

# Every value of every option, and the pairs of `stall` and `clear`, spread over the widths.
CHOICES: list[tuple[int, dict[str, str]]] = [
    (8, {}),
    (32, {}),
    (128, {}),
    (8, {"stall": "none"}),
    (32, {"stall": "none", "clear": "none"}),
    (128, {"stall": "none", "clear": "instant"}),
    (8, {"clear": "instant", "sbox": "table"}),
    (32, {"sbox": "table"}),
    (128, {"clear": "none"}),
]


def chosen(radix: int, **options: str) -> Architecture:
    return Architecture.choose(AES_OFB, radix=radix, options=options)


def key_and_iv(seed: int) -> tuple[bytes, bytes]:
    source = Random(seed)
    return source.randbytes(16), source.randbytes(16)


def segments(count: int, bits: int) -> list[Segment]:
    return [Segment(*key_and_iv(seed), 7 * seed, bits + seed) for seed in range(count)]


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


def test_vectors_in_the_model() -> None:
    record = check_vectors(FILE, ModelEngine(AES_OFB))
    assert (record.passed, record.failures, record.skipped) == (113, (), 0)


@pytest.mark.parametrize("seed", range(3))
def test_model_is_the_description(seed: int) -> None:
    key, iv = key_and_iv(seed)
    expected, block = b"", block_of(iv)
    for _ in range(3):
        block = aes_ofb.cipher(block, block_of(key))
        expected += bytes_of_block(block)
    assert Keystream(AES_OFB, key=key, iv=iv).read(384) == expected


def test_model_in_pieces() -> None:
    """Reading and passing over in any pieces, whole bytes or not, is reading at once."""
    key, iv = key_and_iv(9)
    whole = int.from_bytes(Keystream(AES_OFB, key=key, iv=iv).read(4096), "big")
    source, model, at = Random(1), Keystream(AES_OFB, key=key, iv=iv), 0
    while at < 3500:
        bits = source.choice([0, 1, 5, 8, 100, 128, 129, 300])
        if source.random() < 0.4:
            model.skip(bits)
        else:
            expected = whole >> 4096 - at - bits & (1 << bits) - 1
            unused = -bits % 8
            assert int.from_bytes(model.read(bits), "big") == expected << unused
        at += bits


@pytest.mark.parametrize(
    ("key", "iv", "message"),
    [
        (24, 16, r"key of aes_ofb must be 128 bits \(32 hex digits\), not 192 bits"),
        (16, 12, r"IV of aes_ofb must be 128 bits \(32 hex digits\), not 96 bits"),
    ],
)
def test_lengths_are_checked(key: int, iv: int, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}$"):
        Keystream(AES_OFB, key=bytes(key), iv=bytes(iv))


# The architecture


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"radix": 16}, "radix of aes_ofb must be one of 8, 32, 128, not 16"),
        ({"radix": 32, "load_width": 8}, "load width of aes_ofb must be 32, not 8"),
        ({"options": {"sbox": "tabel"}},
         ("option sbox must be one of algebraic, fast, small, table, not 'tabel' "
          "(did you mean 'table'?)")),
    ],
)  # fmt: skip
def test_illegal_choices(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Architecture.choose(AES_OFB, **given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("radix", "cycles", "setup", "clear"), [(8, 160, 176, 33), (32, 40, 45, 9), (128, 10, 12, 3)]
)
def test_timing(radix: int, cycles: int, setup: int, clear: int) -> None:
    facts = facts_of(AES_OFB, chosen(radix))
    assert isinstance(facts, AesFacts)
    assert (facts.cycles_per_block, facts.setup_cycles, facts.clear_cycles) == (
        cycles, setup, clear,
    )  # fmt: skip
    assert facts.bits_per_cycle == 128 / cycles
    sheet = datasheet(AES_OFB, facts.architecture)
    assert (sheet["cycles_per_block"], sheet["setup_cycles"]) == (cycles, setup)
    words = 128 // radix
    values = {"key_bits": 128, "iv_bits": 128, "load_width": radix, "radix": radix,
              "cycles_per_block": cycles}  # fmt: skip
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
        0x00010203, 0x04050607, 0x08090A0B, 0x0C0D0E0F, 0x10111213,
    ]  # fmt: skip
    made = stimulus(AES_OFB, chosen(32), 2)
    assert len(made.load_words) == 8
    assert all(word < 1 << 32 for word in made.words)


# The cores


@pytest.mark.parametrize(("radix", "options"), CHOICES)
def test_vectors_in_verilog(radix: int, options: dict[str, str]) -> None:
    architecture = chosen(radix, **options)
    engine = RtlEngine(AES_OFB, architecture)
    record = check_vectors(FILE, engine, architecture)
    assert (record.passed, record.failures) == (113, ())
    assert engine.setup_cycles(*key_and_iv(1)) == engine._facts.setup_cycles
    assert check_lint(AES_OFB, architecture).failures == ()


@pytest.mark.parametrize("permille", [200, 900])
@pytest.mark.parametrize("radix", RADICES)
def test_gaps_in_load_and_keystream(radix: int, permille: int) -> None:
    engine = RtlEngine(AES_OFB, chosen(radix), gaps_permille=permille, seed=permille)
    some = segments(5, 300)
    assert engine.run(some) == ModelEngine(AES_OFB).run(some)


def load(architecture: Architecture, seed: int) -> str:
    words = facts_of(AES_OFB, architecture).load_words(*key_and_iv(seed))
    return "load " + " ".join(f"{word:x}" for word in words)


@pytest.mark.parametrize(("radix", "options"), CHOICES[:6])
def test_interruptions(radix: int, options: dict[str, str]) -> None:
    """A load, `clear` or `rst` at any moment, and a whole load after it."""
    architecture = chosen(radix, **options)
    facts = facts_of(AES_OFB, architecture)
    ends = ["reset 1", "idle 0", *(["clear"] if architecture.clear != "none" else [])]
    rest = facts.setup_cycles - 256 // radix
    moments = [0, 1, rest // 2, rest - 1, rest, rest + 1, rest + 128 // radix, 2 * rest]
    count = 256 // radix
    key, iv = key_and_iv(2)
    data = Keystream(AES_OFB, key=key, iv=iv).read(256)
    expected = [int.from_bytes(data[place : place + radix // 8], "big")
                for place in range(0, 32, radix // 8)]  # fmt: skip
    commands, times = ["reset 2"], 0
    for end, moment in product(ends, moments):
        commands += [load(architecture, 1), f"idle {moment}", end]
        commands += [load(architecture, 2), f"take {count}"]
        times += 1
    printed = simulate(generate(AES_OFB, architecture), commands)
    assert [int(word, 16) for word in printed] == expected * times


def test_a_load_that_is_broken_off() -> None:
    """Half a load, then `clear`: the next one is whole."""
    architecture = chosen(32)
    broken = " ".join(load(architecture, 1).split()[:4])
    commands = ["reset 2", broken, "clear", load(architecture, 2), "take 1"]
    key, iv = key_and_iv(2)
    (word,) = simulate(generate(AES_OFB, architecture), commands)
    assert int(word, 16) == int.from_bytes(Keystream(AES_OFB, key=key, iv=iv).read(32), "big")


class _ShortShift(AesCore):
    """The ring of the key is read a word off."""

    def _first_key_word(self, place: int) -> Value:
        return super()._first_key_word((place + 1) % self.facts.words_per_block)


class _BoxOff(AesCore):
    """One bit of the S-box is inverted."""

    def substitute(self, m: Module, word: Value, prefix: str) -> Value:
        return super().substitute(m, word, prefix) ^ 2


@pytest.mark.parametrize("mixin", [_ShortShift, _BoxOff])
def test_vectors_find_a_broken_core(mixin: type, monkeypatch: pytest.MonkeyPatch) -> None:
    architecture = chosen(32)
    monkeypatch.setattr(
        "headwater.emit.verilog.build",
        lambda cipher, chosen: type("Broken", (mixin, ColumnCore), {})(AesFacts(cipher, chosen)),
    )
    with afresh():
        engine = RtlEngine(AES_OFB, architecture)
    assert check_vectors(FILE, engine, architecture).failures


# What is proven


PROVEN = [
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
def test_promises(radix: int, options: dict[str, str], names: tuple[str, ...]) -> None:
    assert_proven(AES_OFB, chosen(radix, **options), names)
