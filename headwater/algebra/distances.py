# SPDX-License-Identifier: Apache-2.0
"""How many known values each value is the sum of: what a search for shared sums asks most often.

The number of each value is a byte of one long integer, so that all numbers change at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


class Distances:
    """The least number of known values whose sum each value of ``width`` bits is.

    At first single bits are known. The value 0 is the sum of none.

    Members
    -------
    of
        The numbers, by value.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self.of = bytes(value.bit_count() for value in range(1 << width))

    def add(self, known: int) -> None:
        """One more value is known."""
        ones = int.from_bytes(bytes([1]) * (1 << self._width), "little")
        highest = ones << 7
        before = int.from_bytes(self.of, "little")
        with_it = self._turned(before, known) + ones
        # No number reaches 128, so that the highest bit of a byte shows which of two is larger.
        larger = ((before | highest) - with_it) & highest
        changed = (larger << 1) - (larger >> 7)
        self.of = (before ^ ((before ^ with_it) & changed)).to_bytes(1 << self._width, "little")

    def with_each(self, wanted: int, values: Iterable[int]) -> list[int]:
        """The number of a wanted value, for each of some values if that were known as well."""
        of = self.of
        least = [min(of[wanted], number + 1) for number in range(self._width + 1)]
        return [least[of[wanted ^ value]] for value in values]

    def _turned(self, numbers: int, change: int) -> int:
        """At the place of each value, the number of that value plus ``change``."""
        for bit in range(self._width):
            if change >> bit & 1:
                lower, size = _halves(self._width, bit), 8 << bit
                numbers = (numbers & lower) << size | numbers >> size & lower
        return numbers


@lru_cache
def _halves(width: int, bit: int) -> int:
    """The bytes of all values of ``width`` bits in which one bit is zero, as ones."""
    block = b"\xff" * (1 << bit) + b"\0" * (1 << bit)
    return int.from_bytes(block * (1 << width - bit - 1), "little")
