# SPDX-License-Identifier: Apache-2.0
"""What a foreign core costs, by the mapping and the timing that cores of ours go through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from headwater.bench.asic import NO_HURRY_PS, SWEEP
from headwater.bench.fpga import in_every_way
from headwater.bench.target import AsicTarget, FpgaTarget, Target
from headwater.emit.verilog import Verilog
from headwater.flow.asic import MappedNetlist, map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.liberty import Library
from headwater.flow.opensta import minimum_period

_GATING = ("none", "auto")
_SEEDS = 3


def cost(verilog: Verilog, target: Target, radix: int | None) -> dict[str, Any]:
    """Area and clock of a core on a target.

    Parameters
    ----------
    verilog
        One module, whose clock is called ``clk``.
    target
        FPGA: every way of mapping, placed and routed in the shell over three seeds; the figures
        are those of the way with the most MHz per LUT. Standard cells: the area without a timing
        goal, with clock gates and without, and the clock and area of the netlist with the best
        throughput per area, of those that the sweep of target periods gives.
    radix
        Bits per cycle, for the throughput; None where it is not known.

    Raises
    ------
    ToolError
        If a tool fails.
    """
    if isinstance(target, FpgaTarget):
        return _on_fpga(verilog, target, radix)
    return _in_cells(verilog, target, radix)


def _on_fpga(verilog: Verilog, target: FpgaTarget, radix: int | None) -> dict[str, Any]:
    seeds = range(1, _SEEDS + 1) if target.is_placed else range(0)
    found = in_every_way(verilog, target, seeds)
    best = max(found, key=lambda one: one.gain("balanced"))
    clock = best.fmax.median if best.fmax else None
    text = f"{best.core.lut} LUT, {best.core.ff} FF" + (f", {clock:g} MHz" if clock else "")
    return {"target": target.name, "lut": best.core.lut, "ff": best.core.ff, "fmax_mhz": clock,
            "mapping": best.mapping, "mbps": _mbps(clock, radix),
            "mappings": {one.mapping: one.as_json() for one in found},
            "text": _with_rate(text, clock, radix), "short": f"{best.core.lut} LUT"}  # fmt: skip


def _in_cells(verilog: Verilog, target: AsicTarget, radix: int | None) -> dict[str, Any]:
    library = target.library()
    with private_folder() as folder:
        areas = {gating: map_to_cells(verilog.text, verilog.name, library, folder, None, gating)
                 for gating in _GATING}  # fmt: skip
        sweep = [areas["none"], *_sweep(verilog, library, folder)]
        timed = [(made, minimum_period(made.verilog, library, verilog.name, folder))
                 for made in sweep]  # fmt: skip
    best, timing = max(timed, key=lambda one: one[1].fmax_mhz / one[0].ge)
    smallest, gated = (round(areas[gating].ge, 1) for gating in _GATING)
    clock = round(timing.fmax_mhz, 2)
    text = f"{smallest:g} GE, with clock gates {gated:g} GE; {clock:g} MHz in {best.ge:.1f} GE"
    return {"target": target.name, "ge": smallest, "ge_gated": gated,
            "ge_at_fmax": round(best.ge, 1), "fmax_mhz": clock, "ff": best.flip_flops,
            "mbps": _mbps(clock, radix), "text": _with_rate(text, clock, radix),
            "short": f"{smallest:g} GE"}  # fmt: skip


def _sweep(verilog: Verilog, library: Library, folder: Path) -> Iterator[MappedNetlist]:
    """Netlists at the range of target periods that cores of ours are mapped for."""
    unhurried = map_to_cells(verilog.text, verilog.name, library, folder, NO_HURRY_PS)
    yield unhurried
    reached = minimum_period(unhurried.verilog, library, verilog.name, folder)
    for part in SWEEP:
        goal = round(part * 1000 * reached.period_ns, 1)
        yield map_to_cells(verilog.text, verilog.name, library, folder, goal)


def _mbps(clock: float | None, radix: int | None) -> float | None:
    return round(clock * radix, 2) if clock and radix else None


def _with_rate(text: str, clock: float | None, radix: int | None) -> str:
    rate = _mbps(clock, radix)
    return f"{text}, {rate:g} Mbit/s" if rate else text
