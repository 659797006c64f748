# SPDX-License-Identifier: Apache-2.0
"""What a foreign core costs, by the mapping and the timing that cores of ours go through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from headwater.emit.verilog import Verilog
from headwater.flow.asic import MappedNetlist, map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.liberty import Library
from headwater.flow.opensta import minimum_period
from headwater.measure.asic import NO_HURRY_PS, SWEEP
from headwater.measure.figures import Frequency
from headwater.measure.fpga import in_every_way
from headwater.measure.settings import AUTO_GATING, NO_GATING
from headwater.measure.target import AsicTarget, FpgaTarget, Target

GATING = (NO_GATING, AUTO_GATING)
SEEDS = 3
"""Place-and-route runs on an FPGA, of cores that stand beside each other."""


def cost(verilog: Verilog, target: Target) -> dict[str, Any]:
    """Area and clock of a core on a target, under the names that they have in records of ours.

    Parameters
    ----------
    verilog
        One module, whose clock is called ``clk``.
    target
        FPGA: every way of mapping, placed and routed in the shell over three seeds; the figures
        are those of the way with the most MHz per LUT. Standard cells: the area without a timing
        goal, with clock gates and without, and the clock and area of the netlist with the best
        throughput per area, of those that the sweep of target periods gives.

    Raises
    ------
    ToolError
        If a tool fails.
    """
    if isinstance(target, FpgaTarget):
        return _on_fpga(verilog, target)
    return _in_cells(verilog, target)


def _on_fpga(verilog: Verilog, target: FpgaTarget) -> dict[str, Any]:
    seeds = range(1, SEEDS + 1) if target.is_placed else range(0)
    ways = in_every_way(verilog, target, seeds)
    best = max(ways, key=lambda one: one.gain("balanced"))
    return {
        "lut": best.core.lut,
        "ff": best.core.ff,
        "slices": best.slices,
        "fmax_mhz": asdict(best.fmax) if best.fmax else None,
        "too_large": best.too_large,
        "not_routed": best.not_routed,
        "mapping": best.mapping,
        "mappings": {one.mapping: one.as_json() for one in ways},
        "ge": None,
    }


def _in_cells(verilog: Verilog, target: AsicTarget) -> dict[str, Any]:
    """``ge`` is of the netlist with the best throughput per area, ``ge_smallest`` the least area,
    ``ge_plain`` that with plain flip-flops, each without and with clock gates."""
    library = target.library()
    with private_folder() as folder:
        areas = areas_of(verilog, library, folder)
        netlists = [areas[NO_GATING], *_sweep(verilog, library, folder)]
        timed = [
            (one, minimum_period(one.verilog, library, verilog.name, folder)) for one in netlists
        ]
    best, timing = max(timed, key=lambda one: one[1].fmax_mhz / one[0].ge)
    return {
        "lut": None,
        "ff": best.flip_flops,
        "ge": round(best.ge, 1),
        "ge_smallest": round(areas[NO_GATING].ge, 1),
        "ge_smallest_gated": round(areas[AUTO_GATING].ge, 1),
        "ge_plain": round(plain_ge(areas[NO_GATING], library), 1),
        "ge_plain_gated": round(plain_ge(areas[AUTO_GATING], library), 1),
        "fmax_mhz": asdict(Frequency.over([timing.fmax_mhz])),
    }


def areas_of(verilog: Verilog, library: Library, folder: Path) -> dict[str, MappedNetlist]:
    """The netlist without a timing goal for each way of gating clocks."""
    return {
        gating: map_to_cells(verilog.text, verilog.name, library, folder, None, gating)
        for gating in GATING
    }


def plain_ge(mapped: MappedNetlist, library: Library) -> float:
    """Area in GE with each flip-flop as small as a plain one: a library may have no other with a
    reset at any time than a large one that has a set, too."""
    plain_um2 = mapped.flip_flops * library.flip_flop_area_um2
    return (mapped.area_um2 - mapped.sequential_area_um2 + plain_um2) / library.nand_area_um2


def _sweep(verilog: Verilog, library: Library, folder: Path) -> Iterator[MappedNetlist]:
    """Netlists at the range of target periods that cores of ours are mapped for."""
    unhurried = map_to_cells(verilog.text, verilog.name, library, folder, NO_HURRY_PS)
    yield unhurried
    reached = minimum_period(unhurried.verilog, library, verilog.name, folder)
    for part in SWEEP:
        goal = round(part * 1000 * reached.period_ns, 1)
        yield map_to_cells(verilog.text, verilog.name, library, folder, goal)
