# SPDX-License-Identifier: Apache-2.0
"""Figures of a core on an FPGA: cells of the core alone, frequency in the shell over seeds."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from headwater.emit.verilog import Verilog
from headwater.errors import ToolError
from headwater.flow import doing
from headwater.flow.folders import private_folder
from headwater.flow.fpga.cells import Cells
from headwater.flow.fpga.family import synthesise
from headwater.flow.fpga.nextpnr import Route, TooLargeError, place_and_route
from headwater.flow.process import TookTooLongError
from headwater.kinds.stepped.prng.shape import source_of
from headwater.measure.figures import Figures, Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.record import NOT_TRIED, unfit
from headwater.measure.shell import SHELL, in_shell, shell_registers
from headwater.measure.target import FpgaTarget

_DEEP = 4
"""Where a source of random bits makes more than so many times the steps of the natural radix in a
cycle, the tools' proof that what they mapped equals it takes tens of minutes, and is left out."""


@dataclass(frozen=True)
class Candidate:
    """The result of one way of mapping; without routes on a target without place and route, and
    where the core does not fit or is not routed."""

    mapping: str
    core: Cells
    slices: int | None
    routes: list[Route]
    too_large: str | None = None
    """What the part has too little of; None if the core fits."""
    not_routed: str | None = None
    """Why place and route came to no end; None if it did, or if the target has none."""

    @property
    def fmax(self) -> Frequency | None:
        """The frequency over the seeds; None if there is none."""
        runs = [route.fmax_mhz for route in self.routes]
        return Frequency.over(runs) if runs else None

    @property
    def critical_path(self) -> tuple[str, str] | None:
        """The critical path of the median run; of an even number of runs, the slower of the two in
        the middle."""
        if not self.routes:
            return None
        middle = statistics.median_low(route.fmax_mhz for route in self.routes)
        typical = next(route for route in self.routes if route.fmax_mhz == middle)
        return (typical.path_from, typical.path_to)

    @property
    def absent(self) -> dict[str, str]:
        """Figures that are absent, and why."""
        reason = unfit(self.as_json())
        return {"fmax_mhz": reason} if reason else {}

    def gain(self, objective: str) -> tuple[float, ...]:
        """The values that the objective maximises, the most important first; what fits and is
        routed comes before what is not. On a target without frequencies the area decides."""
        fits = float(not self.absent)
        median = self.fmax.median if self.fmax else 0.0
        size = (-(self.slices or 0), -self.core.lut)
        if objective == "area" or not median:
            return (fits, *size, median)
        return (fits, median / self.core.lut if objective == "balanced" else median, *size)

    def as_json(self) -> dict[str, Any]:
        """Cells, slices and the frequency of each seed, as a record has them."""
        figures = {**asdict(self.core), "slices": self.slices}
        for reason in ("too_large", "not_routed"):
            if told := getattr(self, reason):
                figures[reason] = told
        if self.routes:
            figures["fmax_by_seed"] = [round(route.fmax_mhz, 2) for route in self.routes]
        return figures


def evaluate_on_fpga(point: DesignPoint, target: FpgaTarget, verilog: Verilog) -> Figures:
    """Synthesise, place and route one design point in every way of mapping that its family has.

    The figures belong to the mapping that is best for the objective; ``mappings`` has the results
    of all. The best balance is the highest frequency per LUT: flip-flops, which the cipher has in
    any mapping, would hide what LUTs cost. On a target without place and route the least area is
    the best balance. A core that the
    part has no room for has no frequency, and ``too_large`` says what is missing; one whose place
    and route takes longer than the time limit has none either, and ``not_routed`` says so. It is an
    error if flip-flops of the core are missing after placement. ``settings`` say where the tools
    did not prove their mapping.
    """
    objective = point.settings.objective
    tools = target.tools()
    seeds = range(1, point.settings.seeds + 1) if target.is_placed else range(0)
    deep = point.architecture.radix > _DEEP * point.cipher.natural_radix
    checked = source_of(point.cipher, point.architecture) is None or not deep
    candidates = in_every_way(verilog, target, seeds, checked=checked)
    best = max(candidates, key=lambda candidate: candidate.gain(objective))
    part = target.part
    return Figures(
        point=point,
        rtl_sha256=verilog.sha256,
        circuit_sha256=verilog.circuit_sha256,
        tools=tools,
        fmax_mhz=best.fmax,
        critical_path=best.critical_path,
        lut=best.core.lut,
        ff=best.core.ff,
        slices=best.slices,
        mapping=best.mapping,
        mappings={candidate.mapping: candidate.as_json() for candidate in candidates},
        settings={
            "seeds": list(seeds),
            "objective": objective,
            "device": part.device,
            "package": part.package,
            "speed_grade": part.speed,
            **({} if checked else {"mapping": "not proven"}),
        },
        too_large=best.too_large,
        not_routed=best.not_routed,
        absent=target.absent | best.absent,
    )


def in_every_way(
    verilog: Verilog, target: FpgaTarget, seeds: range, *, checked: bool = True
) -> list[Candidate]:
    """The results of each way of mapping of a core, whosever it is; if ``checked``, the tools prove
    that what they mapped is the core."""
    candidates: list[Candidate] = []
    for way in target.part.family.ways:
        candidates.append(_candidate(verilog, way, target, seeds, checked, candidates))
    return candidates


def _candidate(
    verilog: Verilog,
    way: str,
    target: FpgaTarget,
    seeds: range,
    checked: bool,
    others: Sequence[Candidate],
) -> Candidate:
    """One way of mapping. It is not routed where another with no more LUTs took too long: what is
    larger takes longer still."""
    part, core = target.part, verilog.name
    text, top = (in_shell(verilog), SHELL) if target.is_placed else (verilog.text, core)
    doing.step(f"synthesis for {way}")
    with private_folder() as folder:
        cells = synthesise(part.family, text, core, top, way, folder, checked=checked)
        slices = part.family.slices(cells)
        slow = [other.core.lut for other in others if other.not_routed]
        if slow and min(slow) <= cells.lut:
            reason = f"{NOT_TRIED}, as {min(slow)} LUTs took too long"
            return Candidate(way, cells, slices, [], not_routed=reason)
        try:
            routes = place_and_route(part, seeds, folder)
        except TooLargeError as error:
            return Candidate(way, cells, slices, [], too_large=str(error))
        except TookTooLongError as error:
            return Candidate(way, cells, slices, [], not_routed=str(error))
    for route in routes:
        _refuse_missing_registers(verilog, cells.ff, route.ff)
    return Candidate(way, cells, slices, routes)


def _refuse_missing_registers(verilog: Verilog, core: int, placed: int) -> None:
    expected = core + shell_registers(verilog)
    if placed != expected:
        raise ToolError(
            f"{verilog.name} must have {expected} flip-flops in its shell after placement, "
            f"not {placed}"
        )
