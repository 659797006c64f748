# SPDX-License-Identifier: Apache-2.0
"""The verdict on a masked netlist: every probe of two neighbouring cycles, and the induction."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from headwater import python_limits
from headwater.leakage.cones import Cones
from headwater.leakage.cuts import check_cuts, with_cuts
from headwater.leakage.exact import Budget
from headwater.leakage.independence import UNDECIDED, Answer, dependence
from headwater.leakage.machine import Control, Machine
from headwater.leakage.netlist import Bit, Netlist, read_netlist
from headwater.leakage.rows import Row, rows_of
from headwater.leakage.shown import Leak, leak_of
from headwater.leakage.spec import Spec, read_spec, roles_of
from headwater.leakage.terms import Function, Terms
from headwater.leakage.uniformity import Flaw, flaws
from headwater.leakage.window import Window, windows

CLAIM = "first-order robust probing security of the netlist, under uniform fresh randomness"
SECURE, INSECURE, UNDECIDED_VERDICT = "secure", "leaks", "undecided"


class TooLongError(Exception):
    """The time limit came before the verdict."""


@dataclass(frozen=True)
class Verdict:
    """What was found of a netlist."""

    top: str
    shares: int
    gates: int
    registers: int
    probes: int
    """Nets that a probe can be put on."""
    windows: int
    """Pairs of neighbouring cycles: cases of the control bits."""
    leaks: tuple[Leak, ...]
    """A net each, those first whose inputs do not leak."""
    undecided: tuple[str, ...]
    """Nets of which neither rules nor counting decided whether they leak."""
    flaws: tuple[Flaw, ...]
    """Why the induction does not go on; of outputs, why they are no uniform sharing."""

    @property
    def verdict(self) -> str:
        """``secure``, ``leaks`` or ``undecided``; a sharing that is not uniform or not correct is
        no leak that was shown, but nothing is secure then."""
        if self.leaks or any(not flaw.undecided for flaw in self.flaws):
            return INSECURE if self.leaks else "not uniform"
        return UNDECIDED_VERDICT if self.undecided or self.flaws else SECURE

    @property
    def holds(self) -> bool:
        """Whether the claim is proven."""
        return self.verdict == SECURE

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "top": self.top,
            "claim": CLAIM,
            "verdict": self.verdict,
            "shares": self.shares,
            "gates": self.gates,
            "registers": self.registers,
            "probes": self.probes,
            "windows": self.windows,
            "leaks": [leak.as_json() for leak in self.leaks],
            "undecided": list(self.undecided),
            "flaws": [flaw.as_json() for flaw in self.flaws],
        }


def check_leakage(files: Sequence[Path], spec: Path, liberty: Path | None = None) -> Verdict:
    """The verdict on the netlist in some files.

    Parameters
    ----------
    files
        Verilog: RTL, or a netlist of library cells.
    spec
        The TOML file that says what its signals are.
    liberty
        The library of its cells.

    Raises
    ------
    InputError
        If the files cannot be read, or do not fit together.
    """
    specification = read_spec(spec)
    return verdict_of(read_netlist(files, specification.top, liberty), specification)


def verdict_of(netlist: Netlist, spec: Spec, limit_s: float = inf) -> Verdict:
    """The verdict on a netlist.

    Raises
    ------
    InputError
        If netlist and specification do not fit together.
    TooLongError
        If it takes more than ``limit_s`` seconds of processor time.
    """
    cut = with_cuts(netlist, spec)
    roles = roles_of(spec, cut)
    check_cuts(netlist, cut, roles)
    with python_limits.for_circuits():
        return _Check(cut, Machine(cut, roles), limit_s).verdict()


def _processor_s() -> float:
    """Seconds of processor time of this process and of the tools that it ran."""
    return sum(os.times()[:4])


class _Check:
    """One check, with what it found so far."""

    def __init__(self, netlist: Netlist, machine: Machine, limit_s: float) -> None:
        self._netlist, self._machine = netlist, machine
        self._ends = _processor_s() + limit_s
        self._terms = Terms(machine.roles.shares)
        self._cones = Cones(netlist)
        self._budget = Budget()
        self._answers: dict[frozenset[Function], Answer] = {}
        self._leaks: dict[Bit, Leak] = {}
        self._undecided: dict[Bit, None] = {}
        self._flaws: dict[Flaw, None] = {}
        self._followed: set[tuple[Control, ...]] = set()

    def verdict(self) -> Verdict:
        """What is found of all windows."""
        count = 0
        for window in windows(self._machine, self._terms):
            count += 1
            self._look(window)
            self._go_on(window)
        netlist = self._netlist
        return Verdict(
            top=netlist.top,
            shares=self._machine.roles.shares,
            gates=len(netlist.gates),
            registers=len(netlist.registers),
            probes=self._cones.probes,
            windows=count,
            leaks=tuple(self._ordered()),
            undecided=tuple(sorted(map(self._name, self._undecided))),
            flaws=tuple(self._flaws),
        )

    def _go_on(self, window: Window) -> None:
        """Look at what the induction needs. It does not depend on the second cycle's inputs; once
        it fails, no further case can mend it."""
        if self._flaws or window.controls in self._followed:
            return
        self._followed.add(window.controls)
        wanted = [window.outputs()] if window.stalled else [window.next_class(), window.outputs()]
        self._flaws = dict.fromkeys(flaw for each in wanted for flaw in flaws(self._terms, each))

    def _look(self, window: Window) -> None:
        """Look at the widest cones, and where one leaks, at those that its gate reads."""
        seen: set[Bit] = set()
        answers: dict[int, Answer] = {}
        waiting = list(self._cones.widest)
        while waiting:
            bit = waiting.pop()
            if bit in seen:
                continue
            seen.add(bit)
            cone = self._cones.of[bit]
            if cone not in answers:
                answers[cone] = self._answer(cone, window)
            answer = answers[cone]
            if answer is None:
                continue
            if answer is UNDECIDED:
                self._undecided[bit] = None
            elif bit not in self._leaks:
                self._leaks[bit] = leak_of(self._name(bit), answer, window.controls)
            waiting.extend(self._cones.inside(bit))

    def _answer(self, cone: int, window: Window) -> Answer:
        if _processor_s() > self._ends:
            raise TooLongError
        support = 0
        sources = list(self._cones.members(cone))
        for bit in sources:
            support |= window.supports[bit]
        if not self._terms.complete(support):
            return None
        rows = self._seen(sources, window)
        key = frozenset(row.function for row in rows)
        if key not in self._answers:
            self._answers[key] = dependence(self._terms, rows, self._budget)
        return self._answers[key]

    def _seen(self, sources: Sequence[Bit], window: Window) -> list[Row]:
        both = ((window.before, 0), (window.after, 1))
        return rows_of(
            (f"{self._name(bit)}@{cycle}", values[bit]) for values, cycle in both for bit in sources
        )

    def _name(self, bit: Bit) -> str:
        return self._netlist.names[bit]

    def _ordered(self) -> Iterator[Leak]:
        """First the leaking nets whose gates read no leaking net, then the others."""
        first = [
            bit
            for bit in self._leaks
            if not any(one in self._leaks for one in self._cones.inside(bit))
        ]
        for several in (first, [bit for bit in self._leaks if bit not in first]):
            yield from sorted((self._leaks[bit] for bit in several), key=lambda leak: leak.net)
