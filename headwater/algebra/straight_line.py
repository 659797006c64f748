# SPDX-License-Identifier: Apache-2.0
"""Straight-line programs: circuits of two-input gates in which every gate is written once.

Linear parts are made from their matrices. Which sums to share is chosen as by J. Boyar,
P. Matthews and R. Peralta, "Logic minimization techniques with applications to cryptology",
Journal of Cryptology 26, 2013: form the sum that brings the wanted ones nearest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import combinations
from random import Random

from headwater.algebra.distances import Distances
from headwater.algebra.field import transposed
from headwater.algebra.word import Wire, Word, concatenate

XOR, AND, AND_NOT = "xor", "and", "and not"
_OPERATORS: dict[str, Callable[[Word, Word], Word]] = {
    XOR: lambda left, right: left ^ right,
    AND: lambda left, right: left & right,
    AND_NOT: lambda left, right: left & ~right,
}


@dataclass(frozen=True)
class Gate:
    """Of a kind of `_OPERATORS`, of two signals, which are numbers: inputs first, then gates in
    order."""

    kind: str
    left: int
    right: int


@dataclass(frozen=True)
class Program:
    """A circuit."""

    inputs: int
    gates: tuple[Gate, ...]
    """Each reads inputs and gates before it."""
    outputs: tuple[int, ...]
    """The signals that come out."""
    inverted: int = 0
    """The set of outputs that come out inverted, as bits of a number."""

    @cached_property
    def _readers(self) -> Counter[int]:
        """How often each signal is read."""
        readers = Counter(self.outputs)
        for gate in self.gates:
            readers.update((gate.left, gate.right))
        return readers

    @cached_property
    def _shared(self) -> list[int]:
        """The gates that are read more than once."""
        gates = range(self.inputs, self.inputs + len(self.gates))
        return [number for number in gates if self._readers[number] > 1]

    @property
    def inner_sums(self) -> set[int]:
        """The sums that only one other sum reads."""
        sums = {n for n, gate in enumerate(self.gates, self.inputs) if gate.kind == XOR}
        return {
            read
            for number in sums
            for gate in (self.gates[number - self.inputs],)
            for read in (gate.left, gate.right)
            if read in sums and self._readers[read] == 1
        }

    def levels(self, inputs: Sequence[int]) -> list[int]:
        """The level of each output: gates on the longest way to it, for inputs of these levels."""
        levels = list(inputs)
        for gate in self.gates:
            levels.append(max(levels[gate.left], levels[gate.right]) + 1)
        return [levels[output] for output in self.outputs]

    @property
    def xors(self) -> int:
        """Number of gates that add."""
        return sum(gate.kind == XOR for gate in self.gates)

    @property
    def ands(self) -> int:
        """Number of gates that multiply, by a signal or by its complement."""
        return len(self.gates) - self.xors

    def read(self, inputs: Sequence[Word], wire: Wire, name: str) -> list[Word]:
        """The outputs for these inputs, bit by bit of words of any width.

        Signals that are read more than once are named, ``name`` and a number; the others become
        part of the expression that reads them.
        """
        names = {number: f"{name}_{index:02}" for index, number in enumerate(self._shared)}
        signals = list(inputs)
        for number, gate in enumerate(self.gates, start=self.inputs):
            value = _OPERATORS[gate.kind](signals[gate.left], signals[gate.right])
            signals.append(wire(value, names[number]) if number in names else value)
        return [
            ~signals[output] if self.inverted >> place & 1 else signals[output]
            for place, output in enumerate(self.outputs)
        ]

    def word(self, wire: Wire, x: Word) -> Word:
        """The outputs side by side, for inputs side by side."""
        return concatenate(*self.read([x[place] for place in range(self.inputs)], wire, "t"))


def levelled(program: Program) -> Program:
    """The same circuit, in which each sum adds its parts in the order in which they arrive: as many
    gates, and not deeper."""
    build = Builder(program.inputs)
    gates = dict(enumerate(program.gates, start=program.inputs))
    level = [0] * program.inputs
    number = {place: place for place in range(program.inputs)}
    inner = program.inner_sums

    def parts(signal: int) -> list[int]:
        gate = gates[signal]
        return [
            part
            for read in (gate.left, gate.right)
            for part in (parts(read) if read in inner else [read])
        ]

    def add(kind: str, left: int, right: int) -> int:
        level.append(max(level[left], level[right]) + 1)
        return build.add(kind, left, right)

    for signal, gate in gates.items():
        if gate.kind != XOR:
            number[signal] = add(gate.kind, number[gate.left], number[gate.right])
        elif signal not in inner:
            waiting = [(level[number[part]], number[part]) for part in parts(signal)]
            heapify(waiting)
            while len(waiting) > 1:
                total = add(XOR, heappop(waiting)[1], heappop(waiting)[1])
                heappush(waiting, (level[total], total))
            number[signal] = waiting[0][1]
    return build.program([number[output] for output in program.outputs], program.inverted)


class Builder:
    """Puts a program together; signals are numbers."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.gates: list[Gate] = []

    def add(self, kind: str, left: int, right: int) -> int:
        """A gate; its signal."""
        self.gates.append(Gate(kind, left, right))
        return self.inputs + len(self.gates) - 1

    def xor(self, left: int, right: int) -> int:
        """The sum of two signals."""
        return self.add(XOR, left, right)

    def product(self, left: int, right: int) -> int:
        """The product of two signals."""
        return self.add(AND, left, right)

    def products(self, lefts: Iterable[int], rights: Iterable[int]) -> list[int]:
        """The products of signals, one by one."""
        return [self.product(*pair) for pair in zip(lefts, rights, strict=True)]

    def sums(
        self, signals: Sequence[int], rows: Sequence[int], seed: int | None = None
    ) -> list[int]:
        """For each row, a set of signals, their sum.

        For few signals every sum is considered. If there are more signals than sums, the transposed
        problem is solved and its circuit transposed. With a seed, equally good sums are chosen from
        by chance, and wanted ones that two known signals make come first.
        """
        if len(signals) <= len(rows):
            steps, places = shared_sums(rows, len(signals), seed)
            known = list(signals)
            for left, right in steps:
                known.append(self.xor(known[left], known[right]))
            return [known[place] for place in places]
        return self._turned_round(signals, rows, seed)

    def _turned_round(
        self, signals: Sequence[int], rows: Sequence[int], seed: int | None
    ) -> list[int]:
        columns = dict(zip(signals, transposed(rows, len(signals)), strict=True))
        read = {signal: column for signal, column in columns.items() if column}
        steps, places = shared_sums(list(read.values()), len(rows), seed)
        sums: dict[int, int] = {}

        def gather(place: int, signal: int) -> None:
            sums[place] = self.xor(sums[place], signal) if place in sums else signal

        for signal, place in zip(read, places, strict=True):
            gather(place, signal)
        for number in reversed(range(len(steps))):
            for part in steps[number]:
                gather(part, sums[len(rows) + number])
        return [sums[place] for place in range(len(rows))]

    def program(self, outputs: Sequence[int], inverted: int = 0) -> Program:
        """The program of all gates that were added."""
        return Program(self.inputs, tuple(self.gates), tuple(outputs), inverted)


def shared_sums(
    rows: Sequence[int], width: int, seed: int | None = None
) -> tuple[list[tuple[int, int]], list[int]]:
    """Sums of two, of the ``width`` inputs and of each other, that lead to all rows: each as the
    numbers of its two operands (inputs are numbered first); and the number of each row's sum.
    ``seed`` is as for `Builder.sums`."""
    source = None if seed is None else Random(seed)
    known = [1 << place for place in range(width)]
    steps: list[tuple[int, int]] = []
    distances = Distances(width)
    while missing := [row for row in dict.fromkeys(rows) if row not in known]:
        left, right = _best_pair(known, missing, distances, source)
        known.append(known[left] ^ known[right])
        steps.append((left, right))
        distances.add(known[-1])
    return _without_unread(steps, [known.index(row) for row in rows], width)


def _without_unread(
    steps: list[tuple[int, int]], places: list[int], width: int
) -> tuple[list[tuple[int, int]], list[int]]:
    """Sums and row numbers without the sums that no row needs."""
    read = set(places)
    for number in reversed(range(len(steps))):
        if width + number in read:
            read.update(steps[number])
    kept = [*range(width), *(width + n for n in range(len(steps)) if width + n in read)]
    renumbered = {place: number for number, place in enumerate(kept)}
    return (
        [(renumbered[a], renumbered[b]) for n, (a, b) in enumerate(steps) if width + n in read],
        [renumbered[place] for place in places],
    )


def _best_pair(
    known: list[int], missing: list[int], distances: Distances, source: Random | None
) -> tuple[int, int]:
    """The pair whose sum leaves the least total distance; among equals, the one with the most
    uneven distances; among those, one by chance or the first."""
    pairs: dict[int, tuple[int, int]] = {}
    for left, right in combinations(range(len(known)), 2):
        pairs.setdefault(known[left] ^ known[right], (left, right))
    values = [value for value in pairs if value not in known]
    left_over = list(zip(*(distances.with_each(row, values) for row in missing), strict=True))
    drawn = [source.random() if source else 0.0 for _ in values]
    ranks = [
        (source is not None and value not in missing, sum(far))
        for value, far in zip(values, left_over, strict=True)
    ]
    first = min(ranks)
    equal = [place for place, rank in enumerate(ranks) if rank == first]
    best = min(equal, key=lambda place: (-sum(far * far for far in left_over[place]), drawn[place]))
    return pairs[values[best]]
