# SPDX-License-Identifier: Apache-2.0
"""Cores that make a source of random bits break a promise, one for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.session import Session
from headwater.kinds.stepped.prng.core import PrngCore, PrngSession
from headwater.kinds.stepped.prng.facts import PrngFacts
from headwater.prove.mutants import Mutant, added, replaced, with_part


def _hasty(m: Module, core: PrngCore) -> None:
    """Runs once the load is over, whatever blank cycles are left."""
    with m.If(~core.loading & ~core.restart):
        m.d.sync += core.running.eq(1)


class _Eager(PrngCore):
    """Offers bits as soon as the load is over."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        m.d.sync += self.offered.eq(~self.loading)


class _Late(PrngCore):
    """Offers bits a cycle late."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        late = Signal(name="late")
        m.d.sync += [late.eq(self.running), self.offered.eq(late)]


class _Shy(PrngCore):
    """Stops offering bits in the cycle after a seed word was taken."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        m.d.sync += self.offered.eq(self.running & ~(self.offered & self.load_fire))


class _Sated(PrngSession):
    """Takes no seed word after the load."""

    def connect(self, m: Module, **given: Any) -> None:
        Session.connect(self, m, ready=self.loading & ~self.restart, **given)


class _Deaf(PrngSession):
    """Ignores a restart."""

    @property
    def reload(self) -> Value:
        return Const(0, 1)


class _Greedy(PrngSession):
    """Takes seed words in the cycle of a restart as well."""

    def connect(self, m: Module, **given: Any) -> None:
        Session.connect(self, m, ready=self.loading | self.running, **given)


class _Flowing(PrngCore):
    """Makes new bits in each cycle."""

    @property
    def word_taken(self) -> Value:
        return Const(1, 1)


class _Restless(PrngCore):
    """Moves its state in each cycle."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        m.d.comb += self.step.eq(~self.loading)


class _Stuck(PrngCore):
    """Keeps the state at zero when it is locked up."""

    def _mixed(self, name: str, stepped: Value) -> Value:
        return Mux(self._is_locked, 0, super()._mixed(name, stepped))[: len(stepped)]


class _Silent(PrngCore):
    """Tells of no error."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        m.d.sync += self.failed.eq(self.failed)


class _Nervous(PrngCore):
    """Tells of an error when a seed word was taken."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        m.d.sync += self.failed.eq(self._fails | self.load_fire)


class _Forgetful(PrngCore):
    """Tells of an error for one cycle only."""

    def _offer(self, m: Module, output: Value) -> None:
        super()._offer(m, output)
        m.d.sync += self.failed.eq(self._is_locked)


def _misread(m: Module, core: PrngCore) -> None:
    """Gives out the first word of the state, whichever is asked for."""
    m.d.comb += core.state_out.eq(Cat(*core.secrets))


def _unwritten(m: Module, core: PrngCore) -> None:
    """Keeps a bit in a word that is written."""
    with m.If(core.state_write):
        m.d.sync += core.hold[0].eq(core.hold[0])


def _drowsy(m: Module, core: PrngCore) -> None:
    """Offers no bits from a state that was written."""
    with m.If(core.resume):
        m.d.sync += core.offered.eq(0)


MUTANTS: Mapping[str, Mutant] = {
    "known": added(_hasty),
    "seeded": replaced(_Eager),
    "in_time": replaced(_Late),
    "stays": replaced(_Shy),
    "reseeds": with_part("session_class", _Sated),
    "restarts": with_part("session_class", _Deaf),
    "deaf": with_part("session_class", _Greedy),
    "holds": replaced(_Flowing),
    "rests": replaced(_Restless),
    "leaves": replaced(_Stuck),
    "tells": replaced(_Silent),
    "truthful": replaced(_Nervous),
    "warns": replaced(_Forgetful),
    "reads": added(_misread),
    "writes": added(_unwritten),
    "resumes": added(_drowsy),
}
"""By promise."""


def mutant_for(promise: str, core_class: type[PrngCore], facts: PrngFacts) -> PrngCore:
    """A core of this class that is changed to break a promise."""
    made = MUTANTS[promise](core_class, facts)
    assert isinstance(made, PrngCore)
    return made
