# SPDX-License-Identifier: Apache-2.0
"""Cores of SFINKS that break a promise of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from amaranth.hdl import Cat, Value

from headwater.algebra.straight_line import Program
from headwater.cipher.sfinks import Sfinks
from headwater.cipher.stepped import SteppedCipher
from headwater.core.architecture import Architecture
from headwater.core.build import sfinks_kind
from headwater.core.facts import CoreFacts
from headwater.core.sfinks.core import SfinksSteps
from headwater.core.sfinks.datapath import Datapath
from headwater.core.sfinks.facts import SfinksFacts
from headwater.core.sfinks.pace import SfinksTimeline
from headwater.verify.mutants.mixing import replacing

other_sfinks = replacing(lambda cipher, _architecture: sfinks_kind(cipher))
"""The core with some of its methods replaced."""


class _LostBit(Datapath):
    """A bit of the LFSR is a product."""

    @property
    def moved(self) -> Value:
        right = super().moved
        return Cat(right[0] & right[1], right[1:])


class _OneMore(Datapath):
    """The first bit of output is inverted."""

    def _words(self) -> list[Value]:
        first, *others = super()._words()
        return [first ^ 1, *others]


class _WrongInverse(Datapath):
    """Bit 0 of each inverse is wrong."""

    def _through(
        self, parts: Sequence[Program], cuts: Sequence[int], signals: list[Value], name: str
    ) -> list[Value]:
        first, *others = super()._through(parts, cuts, signals, name)
        return [~first, *others]


class _Lost(SfinksSteps):
    datapath = _LostBit


class _Inverted(SfinksSteps):
    datapath = _OneMore


class _NoInverse(SfinksSteps):
    datapath = _WrongInverse


@dataclass(frozen=True)
class _ShortTimeline(SfinksTimeline):
    @property
    def blank_cycles(self) -> int:
        return super().blank_cycles - 1


@dataclass(frozen=True)
class _LongTimeline(SfinksTimeline):
    def _blank_value(self, control: str, cycle: int, position: int) -> bool:
        earlier = max(0, cycle - 1) if control == "injecting" else cycle
        return super()._blank_value(control, earlier, position)


@dataclass(frozen=True)
class _ShortFacts(SfinksFacts):
    @property
    def timeline(self) -> SfinksTimeline:
        return _ShortTimeline(self.cipher, self.architecture)


@dataclass(frozen=True)
class _LongFacts(SfinksFacts):
    @property
    def timeline(self) -> SfinksTimeline:
        return _LongTimeline(self.cipher, self.architecture)


class _Short(SfinksSteps):
    """A cycle of the setup is missing."""

    @staticmethod
    def _facts_of(cipher: SteppedCipher, architecture: Architecture) -> CoreFacts:
        assert isinstance(cipher, Sfinks)
        return _ShortFacts(cipher, architecture)


class _Late(SfinksSteps):
    """Inverses enter from a cycle later on to a cycle later."""

    @staticmethod
    def _facts_of(cipher: SteppedCipher, architecture: Architecture) -> CoreFacts:
        assert isinstance(cipher, Sfinks)
        return _LongFacts(cipher, architecture)


SFINKS_MUTANTS: Mapping[str, tuple[Callable[[Sfinks, Architecture], SfinksSteps], ...]] = {
    "step": (other_sfinks(_Lost),),
    "setup": (other_sfinks(_Short), other_sfinks(_Late)),
    "output": (other_sfinks(_Inverted),),
    "inverse": (other_sfinks(_NoInverse),),
}
"""For each promise of its own cores that break it."""
