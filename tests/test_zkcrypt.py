# SPDX-License-Identifier: Apache-2.0
"""ZK-Crypt: what its description rests on, vectors in the model and in hardware, broken ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from headwater.algebra.word import IntegerWord, Word, unnamed
from headwater.cipher import zkcrypt
from headwater.cipher.zkcrypt import MASKS, PERMUTATIONS, TIERS, ZK_CRYPT, clocked, small_step
from headwater.core.architecture import Architecture
from headwater.emit.datasheet import datasheet
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow import verilator
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.vector_files import VectorFile, own_files, read_file

(PATH,) = own_files(ZK_CRYPT)
VECTORS = read_file(PATH, ZK_CRYPT)
WIDTHS = {32: 40, 64: 36, 128: 34}
"""The cycles of a setup by load width: 256 bits, then 32 steps."""


def key_and_iv(seed: int, iv_bytes: int = 16) -> tuple[bytes, bytes]:
    source = Random(seed)
    return source.randbytes(16), source.randbytes(iv_bytes)


def keystream(key: bytes, iv: bytes, bits: int = 1024) -> bytes:
    return Keystream(ZK_CRYPT, key=key, iv=iv).read(bits)


def some_vectors(most: int) -> VectorFile:
    """Some of the vectors, spread over the file, but no long ones."""
    near = [vector for vector in VECTORS.vectors if getattr(vector, "offset", 0) < 4096]
    return replace(VECTORS, vectors=tuple(near[:: len(near) // most]))


# --- the description


def test_every_vector_in_the_model() -> None:
    record = check_vectors(VECTORS, ModelEngine(ZK_CRYPT))
    assert (record.passed, record.failures, record.skipped) == (37, (), 0)


def test_tables() -> None:
    assert all(sum(pair) == 32 for pair in TIERS)
    assert sorted(place for mask in MASKS for place in mask) == list(range(32))
    for order in PERMUTATIONS.values():
        assert sorted(order) == list(range(32))


@pytest.mark.parametrize("length", [3, 5, 6])
def test_small_registers_have_the_longest_period(length: int) -> None:
    tap = {3: 0, 5: 1, 6: 0}[length]
    x, seen = IntegerWord(0, length), set()
    while x.value not in seen:
        seen.add(x.value)
        x = small_step(x, tap)
    assert len(seen) == 2**length
    assert x.value == 0


@pytest.mark.parametrize("length", [13, 14])
def test_shift_registers_are_permuted(length: int) -> None:
    """Each state of a register follows another one, whether it slips or not."""
    none = IntegerWord(0, length)
    for slip in (0, 1):
        after = {
            clocked(unnamed, "", IntegerWord(x, length), IntegerWord(slip, 1), none).value
            for x in range(2**length)
        }
        assert len(after) == 2**length


@pytest.mark.parametrize("iv_bytes", [8, 12])
def test_short_iv_is_filled_up_at_its_end(iv_bytes: int) -> None:
    key, iv = key_and_iv(4, iv_bytes)
    filled = keystream(key, iv.ljust(16, b"\0"))
    assert keystream(key, iv) == filled
    assert keystream(key, iv.rjust(16, b"\0")) != filled


def test_only_the_sum_of_key_and_iv_counts() -> None:
    """What `security` says."""
    key, iv = key_and_iv(5)
    difference = Random(6).randbytes(16)
    moved = [bytes(a ^ b for a, b in zip(one, difference, strict=True)) for one in (key, iv)]
    assert keystream(*moved) == keystream(key, iv)
    assert keystream(moved[0], iv) != keystream(key, iv)


def test_two_bits_of_the_key_have_no_effect() -> None:
    key, iv = key_and_iv(7)
    for bit in range(24, 32):
        other = (int.from_bytes(key, "little") ^ 1 << bit).to_bytes(16, "little")
        assert (keystream(other, iv, 8192) == keystream(key, iv, 8192)) == (bit in (26, 27))


@pytest.mark.parametrize("cut", [(1, 31, 32, 33, 64), (5, 100, 3), (0, 7, 0, 250)])
def test_keystream_in_pieces(cut: tuple[int, ...]) -> None:
    key, iv = key_and_iv(3)
    whole = int.from_bytes(keystream(key, iv, 512), "little")
    stream, position = Keystream(ZK_CRYPT, key=key, iv=iv), 0
    for number, bits in enumerate(cut):
        if number % 2:
            stream.skip(bits)
        else:
            piece = int.from_bytes(stream.read(bits), "little")
            assert piece == whole >> position & (1 << bits) - 1
        position += bits


def entered(state: list[IntegerWord], words: list[int], used: bool) -> list[IntegerWord]:
    """The registers after a load, or after as many words that enter without controls."""
    for step, word in enumerate(words):
        controls = {
            name: IntegerWord(int(used and ZK_CRYPT.control_at(name, step - 8)), 1)
            for name in ZK_CRYPT.controls
        }
        after = ZK_CRYPT.load.enter(unnamed, *state, entering=IntegerWord(word, 32), **controls)
        state = [after[register.name] for register in ZK_CRYPT.registers]
    return state


def any_state(seed: int) -> list[IntegerWord]:
    source = Random(seed)
    return [IntegerWord(source.getrandbits(register.length), register.length)
            for register in ZK_CRYPT.registers]  # fmt: skip


def test_load_leaves_nothing_of_the_state_before() -> None:
    words = [Random(8).getrandbits(32) for _ in range(8)]
    one, other = ([word.value for word in entered(any_state(seed), words, used=True)]
                  for seed in (1, 2))  # fmt: skip
    assert one == other
    assert any(one)


def test_zeros_that_enter_clear_the_state() -> None:
    assert not any(word.value for word in entered(any_state(3), [0] * 8, used=False))


def test_registers_are_those_of_the_design() -> None:
    """Six registers, data and feedback word, 26 bits of controllers, and 17 bits beside."""
    found = datasheet(ZK_CRYPT, Architecture.choose(ZK_CRYPT))
    assert found["state_bits"] == 96 + 32 + 32 + 26 + 17
    lasting = [
        entry["length"] for entry in found["registers"].values() if "setup_only" not in entry
    ]
    assert sum(lasting) == found["state_bits"]
    assert found["registers"]["p"] == {"length": 32, "setup_only": True}


# --- cores


@pytest.mark.parametrize("stall", ["stream", "none"])
@pytest.mark.parametrize(("width", "setup"), WIDTHS.items())
def test_hardware(width: int, setup: int, stall: str) -> None:
    clear = {"stream": "shift", "none": "none"}[stall]
    options = {"stall": stall, "clear": clear}
    architecture = Architecture.choose(ZK_CRYPT, load_width=width, options=options)
    engine = RtlEngine(ZK_CRYPT, architecture, gaps_permille=300 if stall == "stream" else 0)
    vectors = VECTORS if (width, stall) == (32, "stream") else some_vectors(12)
    record = check_vectors(vectors, engine, architecture)
    assert (record.failures, record.skipped) == ((), 0)
    assert record.passed == len(vectors.vectors) >= 12
    assert engine.setup_cycles(*key_and_iv(1)) == setup
    assert facts_of(ZK_CRYPT, architecture).setup_cycles == setup
    made = generate(ZK_CRYPT, architecture)
    assert verilator.lint(made.name, made.text) == []


def test_instant_clear_is_clean() -> None:
    architecture = Architecture.choose(ZK_CRYPT, options={"clear": "instant"})
    made = generate(ZK_CRYPT, architecture)
    assert verilator.lint(made.name, made.text) == []


# --- errors


def test_load_width_must_be_legal() -> None:
    assert ZK_CRYPT.legal_load_widths(32) == tuple(WIDTHS)
    for width in (48, 256):
        message = f"^load width of zkcrypt must be one of .*128, not {width}$"
        with pytest.raises(InputError, match=message):
            Architecture.choose(ZK_CRYPT, load_width=width)


def test_iv_must_have_a_legal_length() -> None:
    message = r"^IV of zkcrypt must be 64 bits .* or 96 bits .* or 128 bits .*, not 80 bits$"
    with pytest.raises(InputError, match=message):
        Keystream(ZK_CRYPT, key=bytes(16), iv=bytes(10))


# --- broken ones


def other_step(change: Callable[[dict[str, Word]], Mapping[str, Word]]) -> WordCipher:
    """A cipher whose registers are not quite what the step makes of them."""

    def step(wire: Any, *registers: Word, **others: Word) -> tuple[Word, Mapping[str, Word]]:
        output, after = zkcrypt.step(wire, *registers, **others)
        return output, {**after, **change(dict(after))}

    return replace(ZK_CRYPT, step=step)


BROKEN = {
    "first clock like others": replace(
        ZK_CRYPT,
        phases=(Phase("initialise", 32, ("initialising",)), Phase("none", 0, ("first",))),
    ),
    "no feedback": other_step(lambda after: {"f": after["f"] & 0}),
    "permutation": other_step(lambda after: {"v": after["v"] ^ 1}),
    "zeros before a short IV": replace(ZK_CRYPT, load=replace(ZK_CRYPT.load, zeros_last=False)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_vectors_find_a_broken_cipher(name: str) -> None:
    assert check_vectors(VECTORS, ModelEngine(BROKEN[name])).failed > 0
