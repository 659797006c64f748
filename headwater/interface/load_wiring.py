# SPDX-License-Identifier: Apache-2.0
"""Where the bits of key and IV are in the words of a load, for hardware that is given bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.interface.load_probing import load_table
from headwater.interface.load_table import BLOCK, IV, KEY, KEY_BYTES, ONE, TAG_BITS

_BYTE = 8


@dataclass(frozen=True)
class LoadWiring:
    """Each bit of a load as the sum of bits of a packet: the bytes of the key, of the IV, then of
    the number of the first block, if the keystream can begin with any. Lengths are the longest.

    Members
    -------
    parts : dict of str to int
        The bytes of each part of the packet.
    sums : tuple of tuple of int
        For each bit of the load string its places in the packet; the first bit of a byte is the
        lowest.
    ones : frozenset of int
        Bits of the load string that are inverted.
    """

    parts: dict[str, int]
    sums: tuple[tuple[int, ...], ...]
    ones: frozenset[int]

    @property
    def bits(self) -> int:
        """Bits of the packet."""
        return _BYTE * sum(self.parts.values())

    @property
    def before(self) -> int | None:
        """Zeros before the packet, if the load is the packet behind so many zeros; else None."""
        zeros = len(self.sums) - self.bits
        expected = ((),) * zeros + tuple((place,) for place in range(self.bits))
        return zeros if zeros >= 0 and self.sums == expected and not self.ones else None

    @property
    def rows(self) -> Iterator[Row]:
        """The bits with one place each, in as few rows as a greedy choice finds."""
        single = {
            bit: places[0]
            for bit, places in enumerate(self.sums)
            if len(places) == 1 and bit not in self.ones
        }
        while single:
            first = min(single)
            rows = (Row.longest(single, first, other) for other in sorted(single)[1:_TRIED])
            row = max(rows, key=lambda row: row.count, default=Row(first, single[first], 1, 1, 1))
            yield row
            for number in range(row.count):
                del single[row.target + number * row.stride]


_TRIED = 9
"""How far behind a bit the second one of its row may be, counted in bits."""


@dataclass(frozen=True)
class Row:
    """Bits of the load at equal distances that come from bits of the packet at equal distances."""

    target: int
    source: int
    stride: int
    step: int
    count: int

    @classmethod
    def longest(cls, single: dict[int, int], first: int, second: int) -> Row:
        """The row that begins with two bits."""
        stride, step, count = second - first, single[second] - single[first], 2
        while single.get(first + count * stride) == single[first] + count * step:
            count += 1
        return cls(first, single[first], stride, step, count)


def load_wiring(cipher: Cipher, architecture: Architecture) -> LoadWiring:
    """The wiring of a core."""
    table = load_table(cipher, architecture)
    iv_bits = table.iv_bits[-1]
    parts = {
        KEY: cipher.key_bits // _BYTE,
        IV: -(-iv_bits // _BYTE),
        BLOCK: -(-table.block_bits // _BYTE),
    }
    begins = {KEY: 0, IV: _BYTE * parts[KEY], BLOCK: _BYTE * (parts[KEY] + parts[IV])}
    # A number has its lowest byte first, and in it the lowest bit in the place of bit 0.
    turned = 7 if table.order == "msb_first" else 0
    known = {
        ONE: 1,
        TAG_BITS: cipher.default_tag_bits if cipher.tag_lengths else 0,
        KEY_BYTES: parts[KEY],
    }
    part = table.parts[-1]
    sums: list[list[int]] = [[] for _ in range(part.bits.at(iv_bits))]
    ones: set[int] = set()
    for run in part.runs:
        for number in range(run.count.at(iv_bits)):
            bit, index = run.target.at(iv_bits) + number, run.first.at(iv_bits) + run.step * number
            if run.source in begins:
                place = index ^ turned if run.source == BLOCK else index
                sums[bit].append(begins[run.source] + place)
            elif known[run.source] >> index & 1:
                ones ^= {bit}
    return LoadWiring(parts, tuple(map(tuple, sums)), frozenset(ones))
