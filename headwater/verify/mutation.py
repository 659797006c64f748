# SPDX-License-Identifier: Apache-2.0
"""How many wrong circuits the evidence catches: random changes of a core against its proofs, its
vectors and the testbench that is delivered with it.

A change that nothing finds is a hole, unless Yosys proves that it changes nothing that leaves the
core. The solver's verdict counts as a find only with a counterexample, under a check that the
unchanged core passes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from amaranth.hdl import Module

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError, ToolError
from headwater.flow import verilator
from headwater.flow.folders import private_folder
from headwater.flow.mutation import KEPT, REFUTED, MutableCore
from headwater.flow.process import ToolStoppedError, run_tool
from headwater.kinds.registry import build, kind_of, promises_of
from headwater.prove.watcher import Watch, Watcher, watch_undisturbed
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import watched
from headwater.verify.vector_files import VectorFile, own_files, read_variants

CAUGHT, MISSED, NO_ANSWER = "caught", "missed", "no answer"
EQUIVALENT, DIFFERENT = "equivalent", "different"

HUNTERS = ("proofs", "vectors", "testbench")
"""What mutants are held against, in this order."""
EQUIVALENCE = "equivalence"

_FOLLOWED_FROM_RESET = "setup"
"""The promise of which a violation may be many cycles away from every state that the induction
allows: a counter that never arrives. So it is also followed from a reset, through a whole setup."""
UNDISTURBED = "_undisturbed"
_CYCLES_AFTER_SETUP = 3
_MOST_CYCLES = 256
"""Of a longer setup the solver makes no run in a minute."""

SOLVER_LIMIT_S = 120.0
"""Longest time for the promises of one mutant."""
_SIMULATION_LIMIT_S = 60.0


@dataclass(frozen=True)
class Finding:
    """What one hunter says of one mutant."""

    mutation: str
    """The command of Yosys that makes it."""
    hunter: str
    """One of `HUNTERS`, or `EQUIVALENCE`."""
    outcome: str
    by: str = ""
    """The promise, the first vector, or the line of the testbench that caught it."""


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

    Raises
    ------
    InputError
        If the unchanged core fails a check: then none would show anything.
    """

    def __init__(
        self, cipher: Cipher, architecture: Architecture, testbench: str, folder: Path
    ) -> None:
        self._asked_for = cipher
        self._cipher = kind_of(cipher).formed(cipher, architecture)
        self._architecture = architecture
        self._testbench = testbench
        core = build(self._cipher, architecture)
        promises = promises_of(self._cipher, architecture)
        self._cycles = {one.name: one.cycles(core.facts) for one in promises}
        watches = {one.name: (one.watch, Watcher(self._cipher, by_induction=False))
                   for one in promises}  # fmt: skip
        for one in promises:
            cycles = core.facts.setup_cycles + _CYCLES_AFTER_SETUP
            if one.name == _FOLLOWED_FROM_RESET and cycles <= _MOST_CYCLES:
                name = f"{one.name}{UNDISTURBED}"
                from_reset = Watcher(self._cipher, by_induction=True)
                watches[name] = (_undisturbed(one.watch), from_reset)
                self._cycles[name] = cycles
        ports = {signal.name: member.flow.name.lower()
                 for _, member, signal in core.signature.flatten(core)}  # fmt: skip
        text = watched(core, watches, whole=True)
        self._mutable = MutableCore(text, folder, ports)
        self._engine = RtlEngine(cipher, architecture)
        self._generated = self._engine.verilog
        self._unchanged_passes = False

    @cached_property
    def files(self) -> list[VectorFile]:
        """The vectors of the core's cipher."""
        asked_for = self._asked_for
        parts = [part for path in own_files(asked_for)
                 for part in read_variants(path, asked_for, {})]  # fmt: skip
        found = [part for part in parts if part.cipher == asked_for]
        if not found:
            raise InputError(f"{asked_for.name} must have vectors of its own for mutants")
        return found

    def mutations(self, count: int, seed: int) -> list[str]:
        """Mutants, the same for the same seed."""
        return self._mutable.mutations(count, seed)

    def identity(self, mutation: str, hunter: str) -> str:
        """The hash of all that a finding depends on. Only the proofs depend on the promises."""
        mutable = self._mutable
        core = mutable.sha256 if hunter == "proofs" else mutable.core_sha256
        parts = (core, mutation, hunter, self._against[hunter], version("pyosys"))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @cached_property
    def _against(self) -> dict[str, str]:
        """What each hunter holds a mutant against."""
        return {
            "proofs": repr(self._cycles),
            "vectors": repr([(file.name, file.vectors) for file in self.files]),
            "testbench": self._testbench,
            EQUIVALENCE: "",
        }

    def check_unchanged(self) -> None:
        """Hold the unchanged core against every hunter."""
        outcomes = self._mutable.outcomes(None, self._cycles, len(self._cycles) * SOLVER_LIMIT_S)
        for name, outcome in outcomes.items():
            if outcome != KEPT:
                raise InputError(f"the unchanged core must keep the promise {name}, not: {outcome}")
        for hunter in (self._by_vectors, self._by_testbench):
            finding = hunter("")
            if finding.outcome != MISSED:
                raise InputError(
                    f"the unchanged core must pass its {finding.hunter}, not: {finding.by}"
                )
        self._unchanged_passes = True

    def finding(self, mutation: str, hunter: str) -> Finding:
        """What a hunter says of a mutant; before the first one, of the unchanged core."""
        if not self._unchanged_passes:
            self.check_unchanged()
        hunters: dict[str, Callable[[str], Finding]] = {
            "proofs": self._by_proofs,
            "vectors": self._by_vectors,
            "testbench": self._by_testbench,
            EQUIVALENCE: self._by_equivalence,
        }
        return hunters[hunter](mutation)

    def _by_proofs(self, mutation: str) -> Finding:
        try:
            outcomes = self._mutable.outcomes(mutation, self._cycles, SOLVER_LIMIT_S)
        except ToolStoppedError:
            return Finding(mutation, "proofs", NO_ANSWER, "time")
        refuted = [name for name, outcome in outcomes.items() if outcome == REFUTED]
        unsure = [name for name, outcome in outcomes.items() if outcome not in (KEPT, REFUTED)]
        if refuted:
            return Finding(mutation, "proofs", CAUGHT, refuted[0])
        return Finding(mutation, "proofs", NO_ANSWER if unsure else MISSED, ", ".join(unsure))

    def _by_vectors(self, mutation: str) -> Finding:
        text = self._mutable.verilog(mutation or None, self._generated.name)
        self._engine.verilog = replace(self._generated, text=text)
        try:
            said = self._first_failure()
        except ToolStoppedError as error:
            return Finding(mutation, "vectors", NO_ANSWER, str(error))
        finally:
            verilator.forget(self._engine.verilog)
        return Finding(mutation, "vectors", CAUGHT if said else MISSED, said)

    def _first_failure(self) -> str:
        for file in self.files:
            try:
                record = check_vectors(file, self._engine, self._architecture)
            except ToolStoppedError:
                raise
            except (ToolError, ValueError, StopIteration) as error:
                # A core that hangs, or breaks a promise that the harness watches.
                return str(error).strip().splitlines()[-1][:80] or "no words"
            if record.failures:
                return record.failures[0]
        return ""

    def _by_testbench(self, mutation: str) -> Finding:
        text = self._mutable.verilog(mutation or None, self._generated.name)
        with private_folder() as folder:
            (folder / "core.v").write_text(text)
            (folder / "bench.v").write_text(self._testbench)
            command = ["iverilog", "-g2005", "-o", "bench.vvp", "bench.v", "core.v"]
            run_tool(command, cwd=folder, install="apt-get install iverilog")
            try:
                said = run_tool(["vvp", "-n", "bench.vvp"], cwd=folder,
                                time_limit_s=_SIMULATION_LIMIT_S)  # fmt: skip
            except ToolStoppedError as error:
                return Finding(mutation, "testbench", NO_ANSWER, str(error))
            except ToolError as error:
                said = str(error)
        first = next(iter(said.splitlines()), "nothing")
        caught = not re.match("PASS: ", first)
        return Finding(mutation, "testbench", CAUGHT if caught else MISSED, first * caught)

    def _by_equivalence(self, mutation: str) -> Finding:
        same = self._mutable.is_equivalent(mutation, SOLVER_LIMIT_S)
        return Finding(mutation, EQUIVALENCE, EQUIVALENT if same else DIFFERENT)


def _undisturbed(watch: Watch) -> Watch:
    """A promise in a run that nothing disturbs."""

    def both(m: Module, core: Any, watcher: Watcher) -> None:
        watch(m, core, watcher)
        watch_undisturbed(m, core, watcher)

    return both


@dataclass(frozen=True)
class Score:
    """How many mutants some hunters caught together."""

    hunters: str
    mutants: int
    caught: int
    equivalent: int
    """Not caught, and proven to change nothing."""
    no_answer: int
    """Not caught, not proven to change nothing, and the solver came to no answer."""
    holes: tuple[str, ...]
    """The others that were not caught."""

    @property
    def percent(self) -> float | None:
        """Of the mutants that are not known to be equivalent, how many were caught."""
        different = self.mutants - self.equivalent
        return round(100 * self.caught / different, 1) if different else None


def scores(findings: Sequence[Finding]) -> list[Score]:
    """The score of each hunter, of proofs and vectors, and of all."""
    outcome = {(one.mutation, one.hunter): one.outcome for one in findings}
    mutants = list(dict.fromkeys(one.mutation for one in findings))
    sets = [(hunter,) for hunter in HUNTERS] + [HUNTERS[:2], HUNTERS]
    return [_score(hunters, mutants, outcome) for hunters in sets]


_NAMES = {HUNTERS[:2]: "proofs, vectors", HUNTERS: "all"}


def _score(
    hunters: tuple[str, ...], mutants: Sequence[str], outcome: dict[tuple[str, str], str]
) -> Score:
    left = [mutant for mutant in mutants
            if not any(outcome[mutant, hunter] == CAUGHT for hunter in hunters)]  # fmt: skip
    same = [mutant for mutant in left if outcome.get((mutant, EQUIVALENCE)) == EQUIVALENT]
    unsure = [mutant for mutant in left if mutant not in same
              and any(outcome[mutant, hunter] == NO_ANSWER for hunter in hunters)]  # fmt: skip
    holes = tuple(mutant for mutant in left if mutant not in same and mutant not in unsure)
    return Score(
        _NAMES.get(hunters, hunters[0]),
        len(mutants),
        len(mutants) - len(left),
        len(same),
        len(unsure),
        holes,
    )
