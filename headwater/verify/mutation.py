# SPDX-License-Identifier: Apache-2.0
"""How many wrong circuits the evidence catches: random changes of a core against its proofs, its
vectors and the testbench that is delivered with it.

A change that nothing finds is a hole, unless ABC proves that it changes nothing that leaves the
core. The solver's verdict counts as a find only with a counterexample, under a check that the
unchanged core passes.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from amaranth.hdl import Module

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.emit.verilog import module_name
from headwater.errors import InputError, ToolError
from headwater.flow.mutation import KEPT, REFUTED
from headwater.flow.process import ToolStoppedError
from headwater.flow.yosys import yosys_version
from headwater.kinds.registry import build, kind_of, properties_of
from headwater.prove.checker import Checker, Proof, check_undisturbed
from headwater.verify.mutable import follow, mutable_core, sources_sha256
from headwater.verify.mutant_simulation import Simulators
from headwater.verify.mutation_score import (
    CAUGHT,
    DIFFERENT,
    EQUIVALENCE,
    EQUIVALENT,
    MISSED,
    NO_ANSWER,
    Finding,
)
from headwater.verify.vector_files import VectorFile, own_files, read_variants

_FOLLOWED_FROM_RESET = "setup"
"""The property of which a violation may be many cycles away from every state that the induction
allows: a counter that never arrives. So it is also followed from a reset, through a whole setup."""
UNDISTURBED = "_undisturbed"
STEP = "_step"
"""Of a property that is proven by induction also the step is asked for: what a change breaks may be
an invariant beside the property, which other properties assume."""
_CYCLES_AFTER_SETUP = 3
_MOST_CYCLES = 256
"""Of a longer setup the solver makes no run in a minute."""

SOLVER_LIMIT_S = 120.0
"""Longest time for the properties of one mutant, and for one property of the unchanged core."""
_PROPERTY_LIMIT_S = 40.0
"""Longest time for one property of a mutant, while there are others."""
_EQUIVALENCE_LIMIT_S = 8.0
_EVERY_QUESTION = 20_000
"""What it takes to ask the solver at all, in ANDs of a cycle."""


class Hunt:
    """The mutants of one core, and what finds them.

    Parameters
    ----------
    cipher, architecture
        The core.
    testbench
        The text of its testbench, a module called like the core's with ``_tb``.
    folder
        An empty folder to work in.
    traces
        A folder into which each run is written that refutes a property, if one is given.

    Raises
    ------
    InputError
        If the unchanged core fails a check: then none would show anything.
    """

    hunter = "proofs"
    """Of the hunters, the one whose runs are written."""

    def __init__(
        self,
        cipher: Cipher,
        architecture: Architecture,
        testbench: str,
        folder: Path,
        traces: Path | None = None,
    ) -> None:
        self._asked_for = cipher
        self._cipher = kind_of(cipher).formed(cipher, architecture)
        self._architecture = architecture
        self._testbench = testbench
        self._folder = folder
        self.traces = traces
        self._cycles: dict[str, int] = {}
        self._asked: Counter[str] = Counter()
        self._caught: Counter[str] = Counter()
        self._simulators: Simulators | None = None
        self._present: Sequence[str] = ()
        self._before = 0
        self._unchanged_passes = False
        core = build(self._cipher, architecture)
        checkers = self._checkers(core)
        self._mutable = mutable_core(core, checkers, folder, shows=traces is not None)

    def _checkers(self, core: Any) -> dict[str, tuple[Checker, Proof]]:
        """What checks the core, by name; notes for how many cycles each is followed."""
        properties = [one for one in properties_of(self._cipher, self._architecture) if one.of_core]
        self._cycles = {one.name: one.cycles(core.facts) for one in properties}
        checkers = {
            one.name: (one.checker, Proof(self._cipher, by_induction=False)) for one in properties
        }
        for one in properties:
            if one.by_induction(core.facts):
                name = f"{one.name}{STEP}"
                checkers[name] = (one.checker, Proof(self._cipher, by_induction=False, whole=True))
                self._cycles[name] = 2
            cycles = core.facts.setup_cycles + _CYCLES_AFTER_SETUP
            if one.name == _FOLLOWED_FROM_RESET and cycles <= _MOST_CYCLES:
                name = f"{one.name}{UNDISTURBED}"
                from_reset = Proof(self._cipher, by_induction=True)
                checkers[name] = (_undisturbed(one.checker), from_reset)
                self._cycles[name] = cycles
        return checkers

    @cached_property
    def files(self) -> list[VectorFile]:
        """The vectors of the core's cipher."""
        asked_for = self._asked_for
        parts = [
            part for path in own_files(asked_for) for part in read_variants(path, asked_for, {})
        ]
        matching = [part for part in parts if part.cipher == asked_for]
        if not matching:
            raise InputError(f"{asked_for.name} must have vectors of its own for mutants")
        return matching

    def mutations(self, count: int, seed: int) -> list[str]:
        """Mutants, the same for the same seed."""
        return self._mutable.mutations(count, seed)

    def begin(self, mutations: Sequence[str], before: int = 0) -> None:
        """Say which mutants come next, after so many others. They are made together, when the first
        finding is asked for."""
        self.close()
        self._present, self._before = mutations, before

    def close(self) -> None:
        """Remove the simulators."""
        if self._simulators:
            self._simulators.close()
        self._simulators = None

    def identity(self, mutation: str, hunter: str) -> str:
        """The hash of all that a finding depends on. Only the proofs depend on the properties."""
        mutable = self._mutable
        core = mutable.sha256 if hunter == self.hunter else mutable.core_sha256
        against, hunted_by = self._against[hunter], sources_sha256(__file__)
        parts = (core, mutation, hunter, against, yosys_version(), hunted_by)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @cached_property
    def _against(self) -> dict[str, str]:
        """What each hunter holds a mutant against."""
        return {
            "proofs": f"replayed {self._cycles!r}",
            "vectors": repr([(file.name, file.vectors) for file in self.files]),
            "testbench": self._testbench,
            EQUIVALENCE: "",
        }

    def check_unchanged(self) -> None:
        """Hold the unchanged core against every hunter."""
        simulators = self._made()
        for name, cycles in list(self._cycles.items()):
            outcome = self._mutable.unchanged(name, cycles, SOLVER_LIMIT_S)
            if outcome == REFUTED and name.endswith(STEP):
                # The induction needs more than one cycle, so a single step shows nothing.
                del self._cycles[name]
            elif outcome != KEPT:
                raise InputError(
                    f"the unchanged core must keep the property {name}, not: {outcome}"
                )
        for hunter, said in (
            ("vectors", simulators.vectors(0)),
            ("testbench", simulators.testbench(0)),
        ):
            if said:
                raise InputError(f"the unchanged core must pass its {hunter}, not: {said}")
        self._unchanged_passes = True

    def finding(self, mutation: str, hunter: str) -> Finding:
        """What a hunter says of one of the mutants; before the first one, of the unchanged core."""
        if not self._unchanged_passes:
            self.check_unchanged()
        simulators, number = self._made(), self._mutable.number(mutation)
        hunters: dict[str, Callable[[], tuple[str, str]]] = {
            "proofs": lambda: self._by_proofs(mutation),
            "vectors": lambda: _simulated(simulators.vectors, number),
            "testbench": lambda: _simulated(simulators.testbench, number),
            EQUIVALENCE: lambda: self._by_equivalence(mutation),
        }
        return Finding(mutation, hunter, *hunters[hunter]())

    def _made(self) -> Simulators:
        """The simulators of the present mutants, which are made if they are not."""
        if self._simulators is None:
            name = module_name(self._asked_for, self._architecture)
            self._mutable.make(self._present)
            self._simulators = Simulators(
                self._asked_for,
                self._architecture,
                self._testbench,
                self.files,
                self._mutable.verilog(f"{name}_mutants"),
                len(self._present),
                self._folder,
            )
        return self._simulators

    def _by_proofs(self, mutation: str) -> tuple[str, str]:
        ends, unsure = time.monotonic() + SOLVER_LIMIT_S, []
        for name in sorted(self._cycles, key=self._promising, reverse=True):
            left_s = ends - time.monotonic()
            try:
                if left_s <= 0:
                    raise ToolStoppedError("no time is left")
                outcome = self._mutable.outcome(
                    mutation, name, self._cycles[name], min(left_s, _PROPERTY_LIMIT_S)
                )
            except ToolError:
                unsure.append(name)
                continue
            self._asked[name] += 1
            if outcome == REFUTED:
                self._replay(mutation, name)
                self._caught[name] += 1
                return CAUGHT, name
        return (NO_ANSWER if unsure else MISSED), ", ".join(unsure)

    def _replay(self, mutation: str, name: str) -> None:
        """Follow the run that refuted a property once more, in Verilator, and write it if runs are
        wanted."""
        number = self._before + self._mutable.number(mutation)
        file = f"{self._cipher.name}-r{self._architecture.radix}-mutant{number}-{name}.vcd"
        follow(self._mutable, mutation, name, self.traces and self.traces / file)

    def _promising(self, name: str) -> float:
        """How many mutants a property has caught, for what it takes to ask."""
        caught = (self._caught[name] + 1) / (self._asked[name] + 2)
        return caught / (_EVERY_QUESTION + self._mutable.size(name) * self._cycles[name])

    def _by_equivalence(self, mutation: str) -> tuple[str, str]:
        try:
            same = self._mutable.is_equivalent(mutation, _EQUIVALENCE_LIMIT_S)
        except ToolStoppedError as error:
            return NO_ANSWER, str(error)
        return (EQUIVALENT if same else DIFFERENT), ""


def _simulated(simulator: Callable[[int], str], number: int) -> tuple[str, str]:
    """What a simulator says of a mutant."""
    try:
        said = simulator(number)
    except ToolStoppedError as error:
        return NO_ANSWER, str(error)
    return (CAUGHT if said else MISSED), said


def _undisturbed(checker: Checker) -> Checker:
    """A property in a run that nothing disturbs."""

    def both(m: Module, core: Any, proof: Proof) -> None:
        checker(m, core, proof)
        check_undisturbed(m, core, proof)

    return both
