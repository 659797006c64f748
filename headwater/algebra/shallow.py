# SPDX-License-Identifier: Apache-2.0
"""Circuits of few levels: sums that share what makes none of them later.

Signals of levels l can be added up by level d if and only if all 2**l add up to 2**d at most. So a
pair of signals may be added first, for all wanted sums that have both and still end in time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from random import Random

from headwater.algebra.straight_line import AND_NOT, Builder

Pair = tuple[int, int]


class Shallow(Builder):
    """Puts a program of few levels together; signals are numbers."""

    def __init__(self, inputs: int) -> None:
        super().__init__(inputs)
        self.levels = [0] * inputs
        """Of each signal: gates on the longest way to it."""
        self.known: dict[tuple[str, int, int], int] = {}
        """The signal of each gate: none is added twice."""

    def add(self, kind: str, left: int, right: int) -> int:
        """A gate, or the one that is there already; its signal."""
        if kind != AND_NOT:
            left, right = min(left, right), max(left, right)
        if (kind, left, right) not in self.known:
            self.levels.append(self._level((left, right)))
            self.known[kind, left, right] = super().add(kind, left, right)
        return self.known[kind, left, right]

    def without(self, left: int, right: int) -> int:
        """The product of a signal and the complement of another one."""
        return self.add(AND_NOT, left, right)

    def sums(
        self, signals: Sequence[int], rows: Sequence[int], seed: int | None = None
    ) -> list[int]:
        """For each row, a set of signals, their sum: none later than the latest must be.

        The pair that most rows have is added first; of equal ones one that is ready early, chosen
        with ``seed``.
        """
        source = Random(seed or 0)
        sums = [
            {signals[place] for place in range(row.bit_length()) if row >> place & 1}
            for row in rows
        ]
        time = 1 << max(self._earliest(parts) for parts in sums)
        while pairs := Counter(pair for parts in sums for pair in self._in_time(parts, time)):
            most = max(pairs.values())
            best = min(
                (self._level(pair), source.random(), pair)
                for pair, count in pairs.items()
                if count == most
            )[2]
            having = [parts for parts in sums if best in self._in_time(parts, time)]
            total = self.xor(*best)
            for parts in having:  # One that has the total already is without it then.
                parts.symmetric_difference_update((*best, total))
        return [parts.pop() for parts in sums]

    def _level(self, pair: Pair) -> int:
        """Of a gate that reads these signals."""
        return 1 + max(self.levels[signal] for signal in pair)

    def _weight(self, signals: Collection[int]) -> int:
        return sum(1 << self.levels[signal] for signal in signals)

    def _earliest(self, signals: Collection[int]) -> int:
        """The level of the sum of some signals, added up as they arrive."""
        return (self._weight(signals) - 1).bit_length()

    def _in_time(self, parts: Collection[int], time: int) -> Iterator[Pair]:
        """The pairs that may be added before the rest."""
        room = time - self._weight(parts)
        for pair in combinations(sorted(parts), 2):
            if (1 << self._level(pair)) - self._weight(pair) <= room:
                yield pair
