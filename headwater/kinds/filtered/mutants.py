# SPDX-License-Identifier: Apache-2.0
"""Cores of a filtered LFSR that break a promise that only this kind makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from amaranth.hdl import Cat, Module, Signal, Value

from headwater.algebra.straight_line import Program
from headwater.core.component import Core
from headwater.kinds.bit_aead import mutants as bit_aead
from headwater.kinds.filtered.datapath import Datapath
from headwater.kinds.filtered.facts import FilteredFacts
from headwater.kinds.filtered.pace import FilteredTimeline, Pace
from headwater.kinds.filtered.promises import authenticates
from headwater.kinds.stepped import mutants as stepped
from headwater.prove.mutants import Mutant, only, with_part


class _LostBit(Datapath):
    """A bit of the LFSR is replaced by a product."""

    @property
    def moved(self) -> Value:
        right = super().moved
        return Cat(right[0] & right[1], right[1:])


class _OneMore(Datapath):
    """The first bit of output is inverted."""

    def _words(self) -> list[Value]:
        first, *others = super()._words()
        return [first ^ 1, *others]


class _Inverted(Datapath):
    """Injects an inverse exactly where none is to be injected."""

    def __init__(
        self, m: Module, pace: Pace, s: Signal, waiting: Mapping[int, Signal],
        injecting: Value, *, kept: bool,
    ) -> None:  # fmt: skip
        super().__init__(m, pace, s, waiting, ~injecting, kept=kept)


class _WrongInverse(Datapath):
    """Bit 0 of each inverse is wrong."""

    def _through(
        self, parts: Sequence[Program], cuts: Sequence[int], signals: list[Value], name: str
    ) -> list[Value]:
        first, *others = super()._through(parts, cuts, signals, name)
        return [~first, *others]


@dataclass(frozen=True)
class _ShortTimeline(FilteredTimeline):
    """One cycle of the setup is missing."""

    @property
    def blank_cycles(self) -> int:
        return super().blank_cycles - 1


@dataclass(frozen=True)
class _LateTimeline(FilteredTimeline):
    """Injection begins and ends one cycle late."""

    def _blank_value(self, control: str, cycle: int, position: int) -> bool:
        earlier = max(0, cycle - 1) if control == "injecting" else cycle
        return super()._blank_value(control, earlier, position)


def _with_timeline(timeline: type[FilteredTimeline]) -> Mutant:
    def made(core_class: type[Any], facts: FilteredFacts) -> Core:
        core: Core = core_class(replace(facts, timeline_class=timeline))
        return core

    return made


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    **bit_aead.MUTANTS,
    "absorb": bit_aead.MUTANTS["accumulate"],
    "silence": (
        *(only(lambda facts: not authenticates(facts), one) for one in stepped.MUTANTS["silence"]),
        *(only(authenticates, one) for one in bit_aead.MUTANTS["silence"]),
    ),
    "step": (with_part("datapath", _LostBit), with_part("datapath", _Inverted)),
    "setup": (_with_timeline(_ShortTimeline), _with_timeline(_LateTimeline)),
    "output": (with_part("datapath", _OneMore),),
    "inverse": (with_part("datapath", _WrongInverse),),
}
