# SPDX-License-Identifier: Apache-2.0
"""How many known values each value is the sum of."""

from __future__ import annotations

from itertools import combinations

from headwater.algebra.distances import Distances

WIDTH = 5


def least(known: list[int], wanted: int) -> int:
    """By trying every set of known values."""
    for count in range(len(known) + 1):
        for chosen in combinations(known, count):
            total = 0
            for value in chosen:
                total ^= value
            if total == wanted:
                return count
    raise AssertionError("single bits are known")


def test_numbers_are_those_of_every_set_of_known_values() -> None:
    known = [1 << bit for bit in range(WIDTH)]
    distances = Distances(WIDTH)
    for value in (0b11, 0b1110, 0b10101, 0b11111):
        wanted = range(1 << WIDTH)
        expected = [least([*known, value], each) for each in wanted]
        told = [distances.with_each(each, [value])[0] for each in wanted]
        distances.add(value)
        known.append(value)
        assert told == expected
        assert list(distances.of) == expected
