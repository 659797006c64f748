# SPDX-License-Identifier: Apache-2.0
"""E0: the key constraint, and the parts of its step against its specification."""

from __future__ import annotations

import random
import re

import pytest

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.e0 import E0, blend, constrain_key
from headwater.errors import InputError

LENGTHS = range(1, 17)


def keys(count: int) -> list[bytes]:
    source = random.Random(1)
    return [source.randbytes(16) for _ in range(count)]


def test_whole_key_is_not_changed() -> None:
    assert [constrain_key(key, 16) for key in keys(50)] == keys(50)


@pytest.mark.parametrize("length", LENGTHS)
def test_constraint_is_linear(length: int) -> None:
    for one, other in zip(keys(20)[:10], keys(20)[10:], strict=True):
        both = bytes(a ^ b for a, b in zip(one, other, strict=True))
        images = [constrain_key(key, length) for key in (one, other)]
        assert constrain_key(both, length) == bytes(a ^ b for a, b in zip(*images, strict=True))


@pytest.mark.parametrize("length", LENGTHS)
def test_constraint_leaves_as_many_keys_as_it_says(length: int) -> None:
    """Keys of ``length`` bytes stay apart, and no longer key makes another image."""
    places = range(128)
    images = [
        int.from_bytes(constrain_key((1 << place).to_bytes(16, "little"), length), "little")
        for place in places
    ]
    assert rank(images[: 8 * length]) == 8 * length
    assert rank(images) == 8 * length


def rank(rows: list[int]) -> int:
    """Of a matrix over GF(2)."""
    found: dict[int, int] = {}
    for row in rows:
        while row and row.bit_length() in found:
            row ^= found[row.bit_length()]
        if row:
            found[row.bit_length()] = row
    return len(found)


@pytest.mark.parametrize("length", [0, -1, 17, 128])
def test_no_such_length(length: int) -> None:
    message = f"effective key length of e0 must be 1 to 16 bytes, not {length}"
    with pytest.raises(InputError, match=f"^{message}$"):
        constrain_key(bytes(16), length)


@pytest.mark.parametrize("size", [0, 15, 17])
def test_no_such_key(size: int) -> None:
    key = bytes(range(0xA1, 0xA1 + size))
    message = f"key of e0 must be 128 bits (32 hex digits), not {8 * size} bits"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        constrain_key(key, 8)


def test_combiner_adds_as_integers() -> None:
    """s(t+1) = (x1 + x2 + x3 + x4 + c(t)) / 2, and c(t+1) = s(t+1) + T1[c(t)] + T2[c(t-1)], where
    T1 is the identity and T2 maps (x1, x0) to (x0, x1 + x0)."""
    for number in range(1 << 8):
        x = [number >> place & 1 for place in range(4)]
        c, before = number >> 4 & 3, number >> 6
        s = (sum(x) + c) // 2
        twisted = (before & 1) << 1 | ((before >> 1) ^ before) & 1
        bits = [IntegerWord(bit, 1) for bit in x]
        found = blend(unnamed, bits, IntegerWord(c, 2), IntegerWord(before, 2))
        assert (found.value, found.width) == (s ^ c ^ twisted, 2)


def test_lanes_are_those_of_the_specification() -> None:
    """The order in which the inputs enter the four LFSRs, each byte with its lowest bit first."""
    key, address = bytes(range(0x10, 0x20)), bytes(range(0xA0, 0xA6))
    clock = [0xC5, 0x3B, 0x5A, 0b01]

    def bits(*values: int) -> list[int]:
        return [value >> place & 1 for value in values for place in range(8)]

    low, high = bits(clock[0])[:4], bits(clock[0])[4:]
    assert E0.load_lanes(key, address + bytes(clock)) == [
        [1, *bits(*key[0::4], clock[1], address[2]), *[0] * 6],
        [1, 0, 0, *low, *bits(*key[1::4], address[0], address[3])],
        [0, *bits(*key[2::4], clock[2], address[4]), *[0] * 6],
        [1, 1, 1, *high, *bits(*key[3::4], address[1], address[5])],
    ]
