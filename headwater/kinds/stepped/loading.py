# SPDX-License-Identifier: Apache-2.0
"""How key and IV reach the state, `k` bits a cycle, derived from the loaded state.

A state bit that is a sum of load bits takes bits of the load word and of the state; see
`headwater.kinds.stepped.load_sums`. A register whose content is contiguous in the load string needs
a gate at its entrance only, so loading needs no multiplexer per bit. If `k` is all bits, the same
rule gives a parallel load. Constants enter at the top of each run of equal constants and move down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter

from headwater.kinds.stepped.description import SteppedCipher


@dataclass(frozen=True)
class Word:
    """The state bit takes this bit of the load word."""

    bit: int


@dataclass(frozen=True)
class Stage:
    """The state bit takes the bit at this place of a register."""

    register: str
    place: int


@dataclass(frozen=True)
class Constant:
    """The state bit takes this value."""

    value: int


@dataclass(frozen=True)
class Sum:
    """The state bit takes the sum of these sources, complemented if ``inverted``."""

    parts: tuple[Word | Stage, ...]
    inverted: int


Source = Word | Stage | Constant | Sum
Plan = Mapping[str, tuple[Source, ...]]
"""Where each bit of each register comes from in a load cycle, bit 0 (the oldest) first."""


def load_plan(cipher: SteppedCipher, width: int) -> Plan:
    """The sources of every state bit in a load cycle that takes ``width`` bits in total."""
    return _Planner(cipher, width).plan()


class _Planner:
    def __init__(self, cipher: SteppedCipher, width: int) -> None:
        self._width = width // cipher.lane_count
        self._cycles = cipher.load_cycles(width)
        self._sums = cipher.load_sums

    def plan(self) -> Plan:
        return {
            name: tuple(self._source(name, place) for place in range(len(bits)))
            for name, bits in self._sums.meant.items()
        }

    def _source(self, name: str, place: int) -> Source:
        entry = self._sums.meant[name][place]
        if isinstance(entry, int):
            return self._constant_source(name, place, entry)
        source = self._sums.taken(name, place, self._width)
        shifted = (name, place + self._width)
        stages = [Stage(*stage) for stage in sorted(source.stages, key=lambda at: at != shifted)]
        word = [Word(lane * self._width + self._width - 1 - age) for lane, age in source.word]
        parts: tuple[Word | Stage, ...] = (*stages, *word)
        return parts[0] if len(parts) == 1 and not source.inverted else Sum(parts, source.inverted)

    def _constant_source(self, name: str, place: int, value: int) -> Source:
        bits = self._sums.meant[name]
        top = place
        while bits[top + 1 : top + 2] == [value]:
            top += 1
        cycles_from_top = (top - place) // self._width + 1
        shifts_down = 1 < cycles_from_top <= self._cycles
        return Stage(name, place + self._width) if shifts_down else Constant(value)


def moved(plan: Plan, radix: int) -> dict[str, int]:
    """The number of bits of each register that take another one in a load cycle than in ``radix``
    steps, which move them on."""
    return {
        name: sum(source != Stage(name, place + radix) for place, source in enumerate(sources))
        for name, sources in plan.items()
    }


def cycles_to_zero(plan: Plan) -> int:
    """Load cycles until every bit is zero, with zeros in place of load word and constants."""
    read = {
        Stage(name, place): [
            part
            for part in (source.parts if isinstance(source, Sum) else (source,))
            if isinstance(part, Stage)
        ]
        for name, sources in plan.items()
        for place, source in enumerate(sources)
    }
    cycles: dict[Stage, int] = {}
    for stage in TopologicalSorter(read).static_order():
        cycles[stage] = 1 + max((cycles[before] for before in read[stage]), default=0)
    return max(cycles.values(), default=0)
