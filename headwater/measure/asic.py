# SPDX-License-Identifier: Apache-2.0
"""Figures of a core in standard cells: area, frequency by a period sweep, power and energy.

All figures of a design point except ``ge_smallest`` and ``pareto`` belong to one netlist: the
netlist that the objective asks for, by default the one with the best throughput per area. Every
netlist with a figure has been simulated and gave the words of the model. Before layout there are no
wires, and the clock is ideal, behind clock gates too. If a layout is asked for, this netlist is
laid out, and all figures but ``ge_smallest`` and ``pareto`` are those of the layout. The same holds
of a placement, whose wires are estimated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headwater.emit.verilog import Verilog, in_parts
from headwater.errors import InputError
from headwater.flow import doing
from headwater.flow.asic import MappedNetlist, map_to_cells
from headwater.flow.fo4 import fo4_ps
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import GateRun, Timed
from headwater.flow.layout.artefacts import artefacts
from headwater.flow.layout.estimate import estimate_layout
from headwater.flow.layout.layout import Layout, lay_out
from headwater.flow.liberty import Library
from headwater.flow.opensta import minimum_period
from headwater.flow.power import NoEnergyError, Power, power
from headwater.flow.recipes import DEFAULT, Recipe, portfolio
from headwater.flow.running import running_logic
from headwater.measure.candidates import GOALS, Candidate, Powered, corner, front
from headwater.measure.energy import OF_POWER, energy_figures
from headwater.measure.facts import facts_at
from headwater.measure.figures import Figures, Frequency
from headwater.measure.glitches import glitch_figures, timed_gates
from headwater.measure.layout import LayoutFigures, layout_figures
from headwater.measure.masked import netlist_verdict
from headwater.measure.point import DesignPoint
from headwater.measure.settings import BEST_RECIPE, FLAT, LAYOUT, SYNTHESIS
from headwater.measure.stimulus import simulate_as_model
from headwater.measure.target import AsicTarget

SWEEP = (1.0, 0.8, 0.6, 0.45, 0.3)
"""Target periods, as fractions of the period that mapping without a target reaches."""

_POWER_CYCLES = 300
_SAME_PERIOD = 1e-4
"""Relative difference below which two periods are taken to belong to the same path."""

Keep = Callable[[str, bytes], object]
"""Is called with name and content of each file that a user may want to keep."""


def evaluate_in_cells(
    point: DesignPoint, target: AsicTarget, verilog: Verilog, keep: Keep | None = None
) -> Figures:
    """Map, time, simulate and power one design point, and place it or lay it out if that is asked
    for; an error if a netlist gives other words than the model."""
    with private_folder() as folder:
        return Flow(point, target, target.library(), verilog, folder, keep).figures()


NO_HURRY_PS = 1e6
"""A period that every netlist reaches."""


@dataclass(frozen=True)
class Flow:
    """The flow of one design point: tools, core, library and folder."""

    point: DesignPoint
    target: AsicTarget
    library: Library
    verilog: Verilog
    folder: Path
    keep: Keep | None

    def figures(self) -> Figures:
        """Figures of one of the netlists; the module says of which."""
        recipes = self._recipes()
        unsized = [self._map(recipe) for recipe in recipes]
        smallest = self._timed(
            min(unsized, key=lambda candidate_netlist: candidate_netlist.area_um2)
        )
        sweep = [candidate for recipe in recipes for candidate in self._sweep(recipe)]
        mapped = self._best([*sweep, smallest])
        best, layout = self._laid_out(mapped)
        chosen = best.candidate
        for netlist in {candidate.netlist.verilog for candidate in (smallest, *sweep)}:
            if netlist != mapped.candidate.netlist.verilog:
                self._simulate(netlist, watch=False)
        fo4 = fo4_ps(self.library)
        return Figures(
            point=self.point,
            rtl_sha256=self.verilog.sha256,
            circuit_sha256=self.verilog.circuit_sha256,
            tools=self.point.tools,
            fmax_mhz=Frequency.over([chosen.timing.fmax_mhz]),
            critical_path=(chosen.timing.startpoint, chosen.timing.endpoint),
            **self._area(chosen.netlist),
            ge_smallest=round(smallest.netlist.ge, 1),
            pareto=tuple(map(corner, front([*sweep, mapped.candidate]))),
            mapping=str(chosen.netlist.recipe) if len(recipes) > 1 else None,
            **self._stage(chosen, best.run),
            **self._glitches(best),
            layout=self._layout_figures(layout, mapped) if layout else None,
            fo4_ps=fo4,
            period_fo4=round(1000 * chosen.timing.period_ns / fo4, 2),
            **self._power_figures(best),
            leakage=self._leakage(mapped.candidate),
            settings={
                "library_sha256": self.library.sha256,
                "target_period_ps": chosen.netlist.period_ps,
                "clock_gating": chosen.netlist.clock_gating,
                "power_words": self._power_words,
                **self._without_area(chosen.netlist),
            },
        )

    def _leakage(self, candidate: Candidate) -> str | None:
        """The verdict on the netlist of a core in shares: the checker reads none with clock gates,
        so these are left out of it."""
        cipher, architecture = self.point.cipher, self.point.architecture
        if not architecture.is_masked or architecture.has_datapath_apart:
            return None
        doing.step("leakage")
        text, parts = self._mapped_text()
        netlist = candidate.netlist
        ungated = (
            netlist
            if not netlist.clock_gates
            else map_to_cells(
                text,
                self.verilog.name,
                self.library,
                self.folder,
                netlist.period_ps,
                "none",
                netlist.recipe,
                parts,
            )
        )
        return netlist_verdict(cipher, architecture, self.target, ungated.verilog)

    def _best(self, candidates: Sequence[Candidate]) -> Powered:
        """The netlist that the objective asks for. Every netlist that gets a figure is
        simulated."""
        objective = self.point.settings.objective
        if objective == "power":
            powered = [self._powered(candidate) for candidate in candidates]
            if powered[0].no_power:
                raise InputError(f"objective power needs energies, but {powered[0].no_power}")
            return min(
                powered, key=lambda measured: (measured.cycle_nj, -measured.candidate.balance)
            )
        return self._powered(min(candidates, key=GOALS[objective]))

    def _laid_out(self, mapped: Powered) -> tuple[Powered, Layout | None]:
        """A netlist with its wires and clock tree, if a placement or layout is asked for: figures
        are of what was placed or routed."""
        if self.point.settings.stage == SYNTHESIS:
            return mapped, None
        netlist, name = mapped.candidate.netlist, self.verilog.name
        layout = self._layout(netlist.verilog)
        placed = replace(
            netlist,
            verilog=layout.circuit.verilog(),
            area_um2=netlist.area_um2 + layout.added_um2,
            ge=(netlist.area_um2 + layout.added_um2) / self.library.nand_area_um2,
        )
        timing = minimum_period(placed.verilog, self.library, name, self.folder, wires=layout.wires)
        powered = self._powered(Candidate(placed, timing, layout.wires))
        if self.keep:
            for file, content in artefacts(layout, self.library, self.folder).items():
                self.keep(file, content)
        return powered, layout

    def _layout(self, netlist: str) -> Layout:
        name = self.verilog.name
        if self.point.settings.stage == LAYOUT:
            return lay_out(netlist, self.target.technology(), self.library, name, self.folder)
        return estimate_layout(netlist, self.target.outlines(), self.library, name, self.folder)

    def _layout_figures(self, layout: Layout, mapped: Powered) -> LayoutFigures:
        before = mapped.candidate
        return layout_figures(
            layout,
            self.library,
            before.netlist.ge,
            before.timing.fmax_mhz,
            self._power_figures(mapped).get("energy_pj_per_bit"),
        )

    def _power_figures(self, powered: Powered) -> dict[str, Any]:
        """The figures of power and energy; where the library cannot tell them, why they are
        absent."""
        if powered.no_power:
            return {"absent": dict.fromkeys(OF_POWER, powered.no_power)}
        fmax_mhz = powered.candidate.timing.fmax_mhz
        return energy_figures(self.point, powered.run, powered.power, powered.clock_mhz, fmax_mhz)

    def _area(self, netlist: MappedNetlist) -> dict[str, Any]:
        unit_um2 = self.library.nand_area_um2
        sequential = netlist.sequential_area_um2
        return {
            "ff": netlist.flip_flops,
            "area_um2": round(netlist.area_um2, 3),
            "ge": round(netlist.ge, 1),
            "ge_cell": self.library.nand_cell,
            "ge_sequential": round(sequential / unit_um2, 1),
            "ge_combinational": round((netlist.area_um2 - sequential) / unit_um2, 1),
            "ff_cell": self.library.flip_flop_cell,
            "ff_ge": round(self.library.flip_flop_area_um2 / unit_um2, 2),
            "clock_gates": netlist.clock_gates,
        }

    def _without_area(self, netlist: MappedNetlist) -> dict[str, Any]:
        """The cells in use whose area neither the liberty file nor a LEF file tells, if there are
        any: the area is without them."""
        cells = sorted(netlist.cells.keys() & self.library.without_area)
        return {"cells_without_area": cells} if cells else {}

    @property
    def _power_words(self) -> int:
        return facts_at(self.point.cipher, self.point.architecture).words_in(_POWER_CYCLES)

    def _recipes(self) -> list[Recipe]:
        if self.point.settings.recipe != BEST_RECIPE:
            return [DEFAULT]
        return portfolio(self.verilog.text, self.verilog.name, self.folder)

    def _map(self, recipe: Recipe, period_ps: float | None = None) -> MappedNetlist:
        verilog = self.verilog
        text, parts = self._mapped_text()
        hurried = period_ps is not None and period_ps < NO_HURRY_PS
        by = "" if recipe == DEFAULT else f" by the recipe {recipe}"
        aim = f" for {period_ps:.0f} ps" if hurried else ", no timing goal"
        doing.step(f"synthesis{by}{aim}")
        return map_to_cells(
            text,
            verilog.name,
            self.library,
            self.folder,
            period_ps,
            self.point.settings.clock_gating,
            recipe,
            parts,
        )

    def _mapped_text(self) -> tuple[str, tuple[str, ...]]:
        """What is mapped, and the modules in it that are mapped each by itself."""
        if self.point.settings.hierarchy == FLAT:
            return self.verilog.text, ()
        return in_parts(self.point.cipher, self.point.architecture)

    def _timed(self, mapped: MappedNetlist) -> Candidate:
        timing = minimum_period(
            mapped.verilog,
            self.library,
            self.verilog.name,
            self.folder,
            latches=mapped.has_latches,
        )
        return Candidate(mapped, timing)

    def _sweep(self, recipe: Recipe) -> list[Candidate]:
        """Netlists at a range of target periods, the first without a target; each once."""
        unhurried = self._timed(self._map(recipe, NO_HURRY_PS))
        reached_ps = 1000 * unhurried.timing.period_ns
        candidates = {unhurried.netlist.verilog: unhurried}
        for part in SWEEP:
            netlist = self._map(recipe, round(part * reached_ps, 1))
            if netlist.verilog not in candidates:
                candidates[netlist.verilog] = self._timed(netlist)
        return list(candidates.values())

    def _simulate(self, netlist: str, *, watch: bool, timed: Timed | None = None) -> GateRun:
        """Simulate a netlist's gates, and refuse it if it is not the cipher."""
        doing.step("simulation with delays" if timed else "simulation")
        text, top = self._simulated(netlist)
        return simulate_as_model(
            self.point.cipher,
            self.point.architecture,
            text,
            self.library,
            top,
            self._power_words,
            self.folder,
            watch=watch,
            timed=timed,
        )

    def _simulated(self, netlist: str) -> tuple[str, str]:
        """What is simulated of a netlist: the text, and the name of its module on top."""
        return netlist, self.verilog.name

    def _stage(self, chosen: Candidate, run: GateRun) -> dict[str, Any]:
        """Whether the slowest path belongs to the running cipher, and the slowest path that
        does."""
        netlist, name = chosen.netlist.verilog, self.verilog.name
        logic = running_logic(netlist, self.library, name, run.running.steady, self.folder)
        if logic is None:
            return {}
        running = minimum_period(
            netlist,
            self.library,
            name,
            self.folder,
            latches=chosen.netlist.has_latches,
            wires=chosen.wires,
            constants=logic.constants,
            endpoints=logic.endpoints,
        )
        slower = chosen.timing.period_ns > running.period_ns * (1 + _SAME_PERIOD)
        return {
            "critical_stage": "setup" if slower else "running",
            # A part is never slower than the whole. The timer may say so: beside constants data can
            # have shorter slews, for which a library may have longer setup times.
            "running_fmax_mhz": round(max(running.fmax_mhz, chosen.timing.fmax_mhz), 2),
            "running_path": (running.startpoint, running.endpoint),
        }

    def _powered(self, candidate: Candidate) -> Powered:
        """Power of a netlist from its activity in each phase."""
        netlist = candidate.netlist.verilog
        run = self._simulate(netlist, watch=True)
        clock_mhz = min(self.point.settings.clock_mhz, candidate.timing.fmax_mhz)
        try:
            powers = self._powers(candidate, run, clock_mhz)
        except NoEnergyError as error:
            return Powered(candidate, run, {}, clock_mhz, no_power=str(error))
        if not self.point.settings.glitches:
            return Powered(candidate, run, powers, clock_mhz)
        timed = timed_gates(
            netlist, self.library, self.verilog.name, self.folder, candidate.timing, candidate.wires
        )
        real = self._simulate(netlist, watch=True, timed=timed)
        with_glitches = self._powers(candidate, real, clock_mhz)
        return Powered(candidate, run, with_glitches, clock_mhz, powers["running"])

    def _powers(self, candidate: Candidate, run: GateRun, clock_mhz: float) -> dict[str, Power]:
        """Power in each phase of a run."""
        doing.step("power")
        # In a layout the gates of clocks are buffers of the clock tree.
        clock_gates = () if candidate.wires else run.clock_gates
        return {
            name: power(
                candidate.netlist.verilog,
                self.library,
                self.verilog.name,
                phase.activity,
                1000 / clock_mhz,
                self.folder,
                states=phase.states,
                clock_gates=clock_gates,
                wires=candidate.wires,
            )
            for name, phase in run.phases.items()
        }

    def _glitches(self, best: Powered) -> dict[str, Any]:
        """The figures of glitches, if they were simulated."""
        if best.settled is None:
            return {}
        bits = facts_at(self.point.cipher, self.point.architecture).bits_per_cycle
        return glitch_figures(best.power["running"], best.settled, best.clock_mhz, bits)
