# SPDX-License-Identifier: Apache-2.0
"""Figures of a core in standard cells: area, frequency by a period sweep, power and energy.

All figures of a design point but ``ge_smallest`` and ``pareto`` belong to one netlist: the one of
the sweep with the best throughput per area. Every netlist that has a figure has been simulated and
gave what the model gives. Pre-layout: no wires, an ideal clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.bench.energy import energy_figures
from headwater.bench.point import DesignPoint, Figures, Frequency
from headwater.bench.stimulus import stimulus
from headwater.bench.target import AsicTarget
from headwater.core.build import facts_of
from headwater.emit.verilog import Verilog
from headwater.flow.asic import MappedNetlist, map_to_cells
from headwater.flow.gatesim import GateRun, simulate_gates
from headwater.flow.liberty import Library
from headwater.flow.opensta import Timing, minimum_period
from headwater.flow.power import power
from headwater.flow.process import private_folder

_SWEEP = (1.0, 0.8, 0.6, 0.45, 0.3)
"""Target periods, as parts of the period that mapping without haste reaches."""

_POWER_CYCLES = 300


@dataclass(frozen=True)
class _Candidate:
    netlist: MappedNetlist
    timing: Timing


def evaluate_in_cells(point: DesignPoint, target: AsicTarget, verilog: Verilog) -> Figures:
    """Map, time, simulate and power one design point.

    Raises
    ------
    ToolError
        If a tool or the library is missing, a tool fails, or a netlist gives anything else than the
        model.
    """
    with private_folder() as folder:
        return _Flow(point, target, target.library(), verilog, folder).figures()


@dataclass(frozen=True)
class _Flow:
    """The tools, with all that stays the same at one design point."""

    point: DesignPoint
    target: AsicTarget
    library: Library
    verilog: Verilog
    folder: Path

    def figures(self) -> Figures:
        smallest = self._map()
        sweep = self._sweep()
        best = max(sweep, key=lambda found: found.timing.fmax_mhz / found.netlist.area_um2)
        for verilog in {smallest.verilog, *(found.netlist.verilog for found in sweep)}:
            if verilog != best.netlist.verilog:
                self._simulate(verilog, watch=False)
        return Figures(
            point=self.point,
            rtl_sha256=self.verilog.sha256,
            tools=self.target.tools(),
            fmax_mhz=Frequency.over([best.timing.fmax_mhz]),
            critical_path=(best.timing.startpoint, best.timing.endpoint),
            ff=best.netlist.flip_flops,
            area_um2=round(best.netlist.area_um2, 3),
            ge=round(best.netlist.ge, 1),
            ge_smallest=round(smallest.ge, 1),
            ge_cell=self.library.nand_cell,
            pareto=_pareto(sweep),
            **self._energy(best),
            settings={
                "library_sha256": self.library.sha256,
                "target_period_ps": best.netlist.period_ps,
                "power_words": self._power_words,
            },
        )

    @property
    def _power_words(self) -> int:
        return facts_of(self.point.cipher, self.point.architecture).words_in(_POWER_CYCLES)

    def _map(self, period_ps: float | None = None) -> MappedNetlist:
        verilog = self.verilog
        return map_to_cells(verilog.text, verilog.name, self.library, self.folder, period_ps)

    def _candidate(self, period_ps: float) -> _Candidate:
        mapped = self._map(period_ps)
        timing = minimum_period(mapped.verilog, self.library, self.verilog.name, self.folder)
        return _Candidate(mapped, timing)

    def _sweep(self) -> list[_Candidate]:
        """Netlists at a range of target periods, the first one without haste."""
        unhurried = self._candidate(1e6)
        reached_ps = 1000 * unhurried.timing.period_ns
        return [unhurried, *(self._candidate(round(part * reached_ps, 1)) for part in _SWEEP)]

    def _simulate(self, netlist: str, *, watch: bool) -> GateRun:
        """Simulate a netlist's gates, and refuse it if it is not the cipher."""
        name = self.verilog.name
        given = stimulus(self.point.cipher, self.point.architecture, self._power_words)
        run = simulate_gates(
            netlist, self.library, name, load_words=given.load_words, words=len(given.words),
            folder=self.folder, data_words=given.data_words, watch=watch,
        )  # fmt: skip
        given.check(run, f"the {self.library.name} netlist of {name}")
        return run

    def _energy(self, best: _Candidate) -> dict[str, Any]:
        """Power and energy of the netlist, from its activity in each phase."""
        netlist = best.netlist.verilog
        run = self._simulate(netlist, watch=True)
        clock_mhz = min(self.point.settings.clock_mhz, best.timing.fmax_mhz)
        period_ns = 1000 / clock_mhz
        power_w = {
            name: power(netlist, self.library, self.verilog.name, phase.activity, period_ns,
                        self.folder).total
            for name, phase in run.phases.items()
        }  # fmt: skip
        return energy_figures(self.point, run, power_w, clock_mhz)


def _pareto(sweep: Sequence[_Candidate]) -> tuple[dict[str, float], ...]:
    """Frequency and area of the candidates that no other beats in both, smallest first."""
    points = sorted({(found.netlist.ge, -found.timing.fmax_mhz) for found in sweep})
    front: list[dict[str, float]] = []
    for ge, negative_fmax in points:
        fmax = round(-negative_fmax, 2)
        if not front or fmax > front[-1]["fmax_mhz"]:
            front.append({"ge": round(ge, 1), "fmax_mhz": fmax})
    return tuple(front)
