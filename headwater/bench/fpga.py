# SPDX-License-Identifier: Apache-2.0
"""Figures of a core on an FPGA: cells of the core alone, frequency in the shell over seeds."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from headwater.bench.point import DesignPoint, Figures, Frequency
from headwater.bench.shell import SHELL, in_shell, shell_registers
from headwater.bench.target import FpgaTarget
from headwater.emit.verilog import Verilog
from headwater.errors import ToolError
from headwater.flow.nextpnr import (
    MAPPINGS,
    Route,
    Utilisation,
    place_and_route,
    synthesise,
)
from headwater.flow.process import private_folder


@dataclass(frozen=True)
class _Candidate:
    """What one way of mapping gives."""

    mapping: str
    core: Utilisation
    routes: list[Route]

    @property
    def fmax(self) -> Frequency:
        return Frequency.over([route.fmax_mhz for route in self.routes])


def evaluate_on_fpga(point: DesignPoint, target: FpgaTarget, verilog: Verilog) -> Figures:
    """Synthesise, place and route one design point, mapped for area and for speed.

    The figures are those of the mapping with the better throughput per LUT; what the other one
    gives is told as well.

    Raises
    ------
    ToolError
        If a tool fails, or flip-flops of the core are missing after placement.
    """
    seeds = range(1, point.settings.seeds + 1)
    candidates = [_candidate(verilog, mapping, target, seeds) for mapping in MAPPINGS]
    best = max(candidates, key=lambda found: found.fmax.median / found.core.lut)
    middle = statistics.median_low(route.fmax_mhz for route in best.routes)
    typical = next(route for route in best.routes if route.fmax_mhz == middle)
    return Figures(
        point=point,
        rtl_sha256=verilog.sha256,
        tools=target.tools(),
        fmax_mhz=best.fmax,
        critical_path=(typical.path_from, typical.path_to),
        lut=best.core.lut,
        ff=best.core.ff,
        mapping=best.mapping,
        mappings={
            found.mapping: {
                "lut": found.core.lut,
                "ff": found.core.ff,
                "carry": found.core.carry,
                "fmax_by_seed": [round(route.fmax_mhz, 2) for route in found.routes],
            }
            for found in candidates
        },
        settings={
            "seeds": list(seeds),
            "package": target.device.package,
            "speed_grade": target.device.speed,
        },
    )


def _candidate(verilog: Verilog, mapping: str, target: FpgaTarget, seeds: range) -> _Candidate:
    with private_folder() as folder:
        core = synthesise(verilog.text, verilog.name, mapping, folder)
        routes = place_and_route(in_shell(verilog), SHELL, mapping, target.device, seeds, folder)
    _refuse_missing_registers(verilog, core.ff, routes[0].ff)
    return _Candidate(mapping, core, routes)


def _refuse_missing_registers(verilog: Verilog, core: int, placed: int) -> None:
    expected = core + shell_registers(verilog)
    if placed != expected:
        raise ToolError(
            f"{verilog.name} must have {expected} flip-flops in its shell after placement, "
            f"not {placed}"
        )
