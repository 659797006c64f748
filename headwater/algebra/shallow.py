# SPDX-License-Identifier: Apache-2.0
"""Circuits of few levels: sums that share what makes none of them later.

Signals of levels l can be added up by level d if and only if all 2**l add up to 2**d at most. So a
pair of signals may be added first, for all wanted sums that have both and still end in time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from headwater.algebra.straight_line import AND, AND_NOT, XOR, Builder, Program

Pair = tuple[int, int]


@dataclass
class Shallow:
    """Puts a program of few levels together; signals are numbers."""

    inputs: int
    build: Builder = field(init=False)
    levels: list[int] = field(init=False)
    """Of each signal: gates on the longest way to it."""
    known: dict[tuple[str, int, int], int] = field(init=False, default_factory=dict)
    """The signal of each gate: none is added twice."""

    def __post_init__(self) -> None:
        self.build = Builder(self.inputs)
        self.levels = [0] * self.inputs

    def _add(self, kind: str, left: int, right: int) -> int:
        if kind != AND_NOT:
            left, right = min(left, right), max(left, right)
        if (kind, left, right) not in self.known:
            self.levels.append(self._level((left, right)))
            self.known[kind, left, right] = self.build.add(kind, left, right)
        return self.known[kind, left, right]

    def xor(self, left: int, right: int) -> int:
        """The sum of two signals."""
        return self._add(XOR, left, right)

    def product(self, left: int, right: int) -> int:
        """The product of two signals."""
        return self._add(AND, left, right)

    def without(self, left: int, right: int) -> int:
        """The product of a signal and the complement of another one."""
        return self._add(AND_NOT, left, right)

    def products(self, lefts: Iterable[int], rights: Iterable[int]) -> list[int]:
        """The products of signals, one by one."""
        return [self.product(*pair) for pair in zip(lefts, rights, strict=True)]

    def sums(self, signals: Sequence[int], rows: Sequence[int], seed: int = 0) -> list[int]:
        """For each row, a set of signals, their sum: none later than the latest must be.

        The pair that most rows have is added first; of equal ones one that is ready early, chosen
        with ``seed``.
        """
        source = Random(seed)
        sums = [{signals[place] for place in range(row.bit_length()) if row >> place & 1}
                for row in rows]  # fmt: skip
        time = 1 << max(self._earliest(parts) for parts in sums)
        while found := Counter(pair for parts in sums for pair in self._in_time(parts, time)):
            most = max(found.values())
            best = min((self._level(pair), source.random(), pair)
                       for pair, count in found.items() if count == most)[2]  # fmt: skip
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

    def program(self, outputs: Sequence[int], inverted: int = 0) -> Program:
        """The program of all gates that were added."""
        return self.build.program(outputs, inverted)
