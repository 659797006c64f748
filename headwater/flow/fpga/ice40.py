# SPDX-License-Identifier: Apache-2.0
"""Lattice iCE40: logic cells of a LUT4, a carry and a flip-flop, and no wide LUTs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwater.flow.fpga.cells import FF, LUT, Cells
from headwater.flow.fpga.family import MAPPED_TWICE, SMALL_LUTS, Family, Way
from headwater.flow.fpga.packing import LOGIC_CELL
from headwater.flow.process import written_json


class _Ice40(Family):
    """The report of nextpnr counts logic cells only; the netlist tells which of them has a
    flip-flop."""

    def flip_flops_placed(self, report: Mapping[str, Any], folder: Path) -> int:  # noqa: ARG002
        (top,) = (
            module
            for module in written_json(folder / "placed.json")["modules"].values()
            if "blackbox" not in module["attributes"]
        )
        return sum(
            int(cell["parameters"]["DFF_ENABLE"], 2)
            for cell in top["cells"].values()
            if cell["type"] == "ICESTORM_LC"
        )


ICE40 = _Ice40(
    name="iCE40",
    synth="synth_ice40 -noflatten",
    ways={"area": Way(before=SMALL_LUTS), "balanced": Way(before=MAPPED_TWICE), "speed": Way()},
    # A carry shares the logic cell of the LUT that uses it.
    costs={
        "SB_LUT4": LUT,
        "SB_CARRY": Cells(carry=1),
        "SB_DFF*": FF,
        "SB_RAM40_4K*": Cells(memory=1),
    },
    nextpnr="ice40",
    packing=LOGIC_CELL,
    arguments=("--write", "placed.json"),
)
