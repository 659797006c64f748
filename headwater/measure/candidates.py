# SPDX-License-Identifier: Apache-2.0
"""Netlists of one core that an objective chooses among."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from headwater.flow.asic import MappedNetlist
from headwater.flow.gatesim import GateRun
from headwater.flow.opensta import Timing, Wires
from headwater.flow.power import Power


@dataclass(frozen=True)
class Candidate:
    """A netlist, and its shortest period over all paths."""

    netlist: MappedNetlist
    timing: Timing
    wires: Wires | None = None
    """None after synthesis."""

    @property
    def balance(self) -> float:
        """Throughput per area, up to a factor that all candidates share."""
        return self.timing.fmax_mhz / self.netlist.area_um2


@dataclass(frozen=True)
class Powered:
    """A candidate with its activity, and the power of each phase at one clock. The activity is
    that of gates without delays."""

    candidate: Candidate
    run: GateRun
    power: dict[str, Power]
    clock_mhz: float
    settled: Power | None = None
    """Running power without glitches, if they were simulated."""
    no_power: str = ""
    """Why there is no power; empty if there is."""

    @property
    def cycle_nj(self) -> float:
        """Energy of a running cycle."""
        return 1000 * self.power["running"].total / self.clock_mhz


GOALS: Mapping[str, Callable[[Candidate], tuple[float, ...]]] = {
    "balanced": lambda found: (-found.balance,),
    "area": lambda found: (found.netlist.area_um2, found.timing.period_ns),
    "speed": lambda found: (found.timing.period_ns, found.netlist.area_um2),
}
"""What each objective but that of power minimises."""


def front(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that no other beats in both frequency and area, smallest first."""
    best: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda one: (one.netlist.ge, -one.timing.fmax_mhz)):
        if not best or corner(candidate)["fmax_mhz"] > corner(best[-1])["fmax_mhz"]:
            best.append(candidate)
    return best


def corner(candidate: Candidate) -> dict[str, float]:
    """Area in GE and frequency in MHz of a candidate, as they are told."""
    ge, fmax_mhz = candidate.netlist.ge, candidate.timing.fmax_mhz
    return {"ge": round(ge, 1), "fmax_mhz": round(fmax_mhz, 2)}
