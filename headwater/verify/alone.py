# SPDX-License-Identifier: Apache-2.0
"""Whether a property of a core is tested: random changes near what it reads, against it alone.

A property that refutes no change shows nothing. It is followed from any state that its own
invariants allow, by a check that the unchanged core passes and that some run meets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow.mutation import KEPT, REFUTED, MutableCore
from headwater.flow.process import ToolStoppedError
from headwater.flow.yosys import yosys_version
from headwater.kinds.registry import build, kind_of, properties_of
from headwater.prove.checker import Proof, Property
from headwater.prove.mutants import NAMED
from headwater.verify.mutable import follow, mutable_core, sources_sha256
from headwater.verify.mutation_score import (
    CAUGHT,
    DIFFERENT,
    EQUIVALENCE,
    EQUIVALENT,
    MISSED,
    NO_ANSWER,
    Finding,
)
from headwater.verify.proof import is_kept, with_checkers

_LIMIT_S = 40.0
"""Longest time for one mutant."""
_LIMIT_UNCHANGED_S = 600.0
_EQUIVALENCE_LIMIT_S = 2.0


class Trial:
    """One property of a circuit, and mutants near it.

    Parameters
    ----------
    mutable
        The circuit, with this property alone.
    property
        The name of the property.
    cycles
        For how many a mutant is followed.
    name
        What the files of runs are called after.
    traces
        A folder into which the first run is written that refutes the property, if one is given.
    """

    def __init__(
        self,
        mutable: MutableCore,
        prop: str,
        cycles: int,
        name: str,
        traces: Path | None = None,
    ) -> None:
        self.hunter = f"{prop} alone"
        self.traces = traces
        self._mutable, self._property, self._cycles, self._name = mutable, prop, cycles, name
        self._present: Sequence[str] | None = ()
        """What is still to be made."""
        self._shown = traces is None

    @property
    def knows_equivalence(self) -> bool:
        """Whether what leaves the circuit is known, so that mutants can be compared with it."""
        return self._mutable.has_outputs

    def mutations(self, count: int, seed: int) -> list[str]:
        """Mutants near the property, the same for the same seed."""
        return self._mutable.mutations_near(self._property, count, seed)

    def begin(self, mutations: Sequence[str]) -> None:
        """Say which mutants come next. They are made together, when the first finding is asked
        for."""
        self._present = mutations

    def identity(self, mutation: str, hunter: str) -> str:
        """The hash of all that a finding depends on."""
        alone = hunter == self.hunter
        core = self._mutable.sha256 if alone else self._mutable.core_sha256
        against = f"{self._cycles}" if alone else ""
        parts = (core, mutation, hunter, against, yosys_version(), sources_sha256(__file__))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def finding(self, mutation: str, hunter: str) -> Finding:
        """Whether the property refutes one of the mutants, or whether it is equivalent to the core.

        Raises
        ------
        InputError
            If the unchanged core fails the check, or no run meets its assumptions.
        """
        self._make()
        try:
            outcome = self._refutes(mutation) if hunter == self.hunter else self._same(mutation)
        except ToolStoppedError as error:
            return Finding(mutation, hunter, NO_ANSWER, str(error))
        return Finding(mutation, hunter, outcome, self._property * (outcome == CAUGHT))

    def _make(self) -> None:
        """Make the mutants, and hold the unchanged core against the property."""
        if self._present is None:
            return
        self._mutable.make(self._present)
        outcome = self._mutable.unchanged(self._property, self._cycles, _LIMIT_UNCHANGED_S)
        if outcome != KEPT:
            raise InputError(
                f"the unchanged core must keep the property {self._property}, not: {outcome}"
            )
        self._present = None

    def _refutes(self, mutation: str) -> str:
        outcome = self._mutable.outcome(mutation, self._property, self._cycles, _LIMIT_S)
        if outcome == REFUTED and not self._shown and self.traces:
            number = self._mutable.number(mutation)
            file = self.traces / f"{self._name}-{self._property}-mutant{number}.vcd"
            follow(self._mutable, mutation, self._property, file)
            self._shown = True
        return CAUGHT if outcome == REFUTED else MISSED

    def _same(self, mutation: str) -> str:
        same = self._mutable.is_equivalent(mutation, _EQUIVALENCE_LIMIT_S)
        return EQUIVALENT if same else DIFFERENT


def tried(cipher: Cipher, architecture: Architecture) -> list[str]:
    """The names of a core's properties, without what its description states of itself: that no
    change of a core can break."""
    formed = kind_of(cipher).formed(cipher, architecture)
    properties = properties_of(formed, architecture)
    return [one.name for one in properties if one.of_core or one.name in NAMED]


def trial_of_core(
    cipher: Cipher,
    architecture: Architecture,
    prop: str,
    folder: Path,
    traces: Path | None = None,
) -> Trial:
    """One property of a core, in an empty folder."""
    formed, one = _property(cipher, architecture, prop)
    core = build(formed, architecture)
    proof = Proof(formed, by_induction=False)
    shows = traces is not None
    mutable = mutable_core(core, {prop: (one.checker, proof)}, folder, shows=shows)
    name = f"{cipher.name}-r{architecture.radix}"
    return Trial(mutable, prop, one.cycles(core.facts), name, traces)


@dataclass(frozen=True)
class Tested:
    """What the mutants near a property say of it."""

    property: str
    mutants: int
    refuted: int
    """By this property alone."""
    equivalent: int
    """Not refuted, and proven to change nothing that leaves the core."""
    no_answer: int
    first: str
    """The command of Yosys that makes the first mutant that is refuted; empty if none is."""


def tested(prop: str, findings: Sequence[Finding]) -> Tested:
    """What the findings of a trial say together."""
    of_property = [one for one in findings if one.hunter != EQUIVALENCE]
    refuted = [one.mutation for one in of_property if one.outcome == CAUGHT]
    return Tested(
        prop,
        len(of_property),
        len(refuted),
        sum(one.outcome == EQUIVALENT for one in findings),
        sum(one.outcome == NO_ANSWER for one in of_property),
        refuted[0] if refuted else "",
    )


def tested_by_name(cipher: Cipher, architecture: Architecture, prop: str) -> Tested:
    """The same of a property that has a mutant with a name."""
    formed, one = _property(cipher, architecture, prop)
    core, mutant = build(formed, architecture), NAMED[prop]
    if not is_kept(one, core, formed, followed=True):
        raise InputError(f"the unchanged core must keep the property {prop}, not: {REFUTED}")
    broken, other = mutant.broken(core, formed)
    refuted = not is_kept(one, broken, other, followed=True)
    return Tested(prop, 1, int(refuted), 0, 0, mutant.meaning if refuted else "")


def checked_sha256(cipher: Cipher, architecture: Architecture) -> str:
    """The hash of a core and of all its checkers, as Amaranth writes them."""
    formed = kind_of(cipher).formed(cipher, architecture)
    proof = Proof(formed, by_induction=False)
    checkers = {one.name: (one.checker, proof) for one in properties_of(formed, architecture)}
    lines = with_checkers(build(formed, architecture), checkers, whole=True).splitlines()
    text = "\n".join(line for line in lines if "generator" not in line)
    return hashlib.sha256(text.encode()).hexdigest()


def _property(cipher: Cipher, architecture: Architecture, name: str) -> tuple[Cipher, Property]:
    """The cipher in the form of the architecture, and a property of its core."""
    formed = kind_of(cipher).formed(cipher, architecture)
    (one,) = (one for one in properties_of(formed, architecture) if one.name == name)
    return formed, one
