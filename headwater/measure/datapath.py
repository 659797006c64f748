# SPDX-License-Identifier: Apache-2.0
"""Figures of a datapath alone in standard cells: area and frequency, as of a core.

Its netlists are simulated beside the core's controller, and must give the words of the model. Power
is that of whole cores, so a datapath has none.
"""

from __future__ import annotations

from typing import Any

from headwater.emit.verilog import Verilog, around_datapath, module_name
from headwater.flow.folders import private_folder
from headwater.flow.gatesim import GateRun
from headwater.measure.asic import Flow
from headwater.measure.candidates import Candidate, Powered
from headwater.measure.figures import Figures
from headwater.measure.point import DesignPoint
from headwater.measure.target import AsicTarget

_OF_CORES = "a figure of whole cores: this is the datapath alone"
_ABSENT = ("power_mw", "energy_pj_per_bit", "critical_stage", "running_fmax_mhz")


def evaluate_datapath(point: DesignPoint, target: AsicTarget, verilog: Verilog) -> Figures:
    """Map and time the datapath of a design point; an error if a netlist gives other words than the
    model."""
    with private_folder() as folder:
        return _DatapathFlow(point, target, target.library(), verilog, folder, None).figures()


class _DatapathFlow(Flow):
    """The flow of a core without what needs its activity."""

    def _powered(self, candidate: Candidate) -> Powered:
        run = self._simulate(candidate.netlist.verilog, watch=False)
        return Powered(candidate, run, {}, self.point.settings.clock_mhz)

    def _simulated(self, netlist: str) -> tuple[str, str]:
        of = self.point.cipher, self.point.architecture
        return f"{around_datapath(*of)}\n{netlist}", module_name(*of)

    def _stage(self, chosen: Candidate, run: GateRun) -> dict[str, Any]:  # noqa: ARG002
        return {}

    def _power_figures(self, powered: Powered) -> dict[str, Any]:  # noqa: ARG002
        return {"absent": dict.fromkeys(_ABSENT, _OF_CORES)}
