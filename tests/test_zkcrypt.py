# SPDX-License-Identifier: Apache-2.0
"""ZK-Crypt: what its description rests on, and broken ones."""

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
from headwater.errors import InputError
from headwater.kinds.reading import Keystream
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine
from headwater.verify.vector_files import own_files, read_file

(PATH,) = own_files(ZK_CRYPT)
VECTORS = read_file(PATH, ZK_CRYPT)


def key_and_iv(seed: int, iv_bytes: int = 16) -> tuple[bytes, bytes]:
    source = Random(seed)
    return source.randbytes(16), source.randbytes(iv_bytes)


def keystream(key: bytes, iv: bytes, bits: int = 1024) -> bytes:
    return Keystream(ZK_CRYPT, key=key, iv=iv).read(bits)


# --- the description


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
    return [
        IntegerWord(source.getrandbits(register.length), register.length)
        for register in ZK_CRYPT.registers
    ]


def test_load_leaves_nothing_of_the_state_before() -> None:
    words = [Random(8).getrandbits(32) for _ in range(8)]
    one, other = (
        [word.value for word in entered(any_state(seed), words, used=True)] for seed in (1, 2)
    )
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


# --- errors


def test_iv_must_have_a_legal_length() -> None:
    message = r"^IV of zkcrypt must be 64 bits .* or 96 bits .* or 128 bits .*, not 80 bits$"
    with pytest.raises(InputError, match=message):
        Keystream(ZK_CRYPT, key=bytes(16), iv=bytes(10))


@pytest.mark.parametrize(("width", "cycles"), [(32, 40), (64, 36), (128, 34)])
def test_setup_is_the_load_and_32_steps(width: int, cycles: int) -> None:
    architecture = Architecture.choose(ZK_CRYPT, load_width=width)
    assert facts_of(ZK_CRYPT, architecture).setup_cycles == 256 // width + 32 == cycles


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
