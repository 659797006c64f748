# SPDX-License-Identifier: Apache-2.0
"""Cores of a filtered LFSR that break a promise that only this kind makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from amaranth.hdl import Cat, Value

from headwater.algebra.straight_line import Program
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.kinds.bit_aead import mutants as bit_aead
from headwater.kinds.filtered.core import core_class
from headwater.kinds.filtered.datapath import Datapath
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.filtered.facts import FilteredFacts
from headwater.kinds.filtered.pace import FilteredTimeline
from headwater.kinds.filtered.steps import FilteredSteps
from headwater.kinds.stepped import mutants as stepped
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.prove.mutants import Mutant, replacing

other_core = replacing(core_class)
"""The core with some of its methods replaced."""


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


class _WrongInverse(Datapath):
    """Bit 0 of each inverse is wrong."""

    def _through(
        self, parts: Sequence[Program], cuts: Sequence[int], signals: list[Value], name: str
    ) -> list[Value]:
        first, *others = super()._through(parts, cuts, signals, name)
        return [~first, *others]


class _Lost(FilteredSteps):
    datapath = _LostBit


class _Inverted(FilteredSteps):
    datapath = _OneMore


class _NoInverse(FilteredSteps):
    datapath = _WrongInverse


@dataclass(frozen=True)
class _ShortTimeline(FilteredTimeline):
    @property
    def blank_cycles(self) -> int:
        return super().blank_cycles - 1


@dataclass(frozen=True)
class _LongTimeline(FilteredTimeline):
    def _blank_value(self, control: str, cycle: int, position: int) -> bool:
        earlier = max(0, cycle - 1) if control == "injecting" else cycle
        return super()._blank_value(control, earlier, position)


@dataclass(frozen=True)
class _ShortFacts(FilteredFacts):
    @property
    def timeline(self) -> FilteredTimeline:
        return _ShortTimeline(self.cipher, self.architecture)


@dataclass(frozen=True)
class _LongFacts(FilteredFacts):
    @property
    def timeline(self) -> FilteredTimeline:
        return _LongTimeline(self.cipher, self.architecture)


class _Short(FilteredSteps):
    """One cycle of the setup is missing."""

    @staticmethod
    def _facts_of(cipher: SteppedCipher, architecture: Architecture) -> SteppedFacts:
        assert isinstance(cipher, FilteredLfsr)
        return _ShortFacts(cipher, architecture)


class _Late(FilteredSteps):
    """Injection begins and ends one cycle late."""

    @staticmethod
    def _facts_of(cipher: SteppedCipher, architecture: Architecture) -> SteppedFacts:
        assert isinstance(cipher, FilteredLfsr)
        return _LongFacts(cipher, architecture)


def _only(mutants: Sequence[Mutant], *, authenticates: bool) -> Iterator[Mutant]:
    """The mutants, for cores with or for cores without authentication only."""
    for mutant in mutants:

        def made(
            cipher: FilteredLfsr, architecture: Architecture, mutant: Mutant = mutant
        ) -> Core | None:
            return mutant(cipher, architecture) if cipher.authenticates is authenticates else None

        yield made


MUTANTS: Mapping[str, tuple[Mutant, ...]] = {
    **bit_aead.MUTANTS,
    "absorb": bit_aead.MUTANTS["accumulate"],
    "silence": (
        *_only(stepped.MUTANTS["silence"], authenticates=False),
        *_only(bit_aead.MUTANTS["silence"], authenticates=True),
    ),
    "step": (other_core(_Lost),),
    "setup": (other_core(_Short), other_core(_Late)),
    "output": (other_core(_Inverted),),
    "inverse": (other_core(_NoInverse),),
}
"""For each promise of its own cores that break it."""
