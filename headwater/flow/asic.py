# SPDX-License-Identifier: Apache-2.0
"""Mapping to standard cells: Yosys with ABC, to a flat netlist and its area.

No placement follows: area is the sum of the cells, and wires have no length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.errors import InputError, ToolError, unknown
from headwater.flow.clockgate import GATE_MODULE, RESETS_AS_LOGIC, ClockGate
from headwater.flow.kept import hash_of
from headwater.flow.liberty import Library
from headwater.flow.process import written_json
from headwater.flow.recipes import DEFAULT, Recipe
from headwater.flow.yosys import run_yosys

_APART, _PARTS_FILE = "keep_hierarchy", "parts.json"
_SMALLEST_GATED = 4
"""Number of registers that must share an enable to get a clock gate. A clock gate has about the
area of three multiplexers."""


@dataclass(frozen=True)
class MappedNetlist:
    """A design in cells of one library."""

    verilog: str
    """The flat gate-level module."""
    area_um2: float
    sequential_area_um2: float
    """The part of flip-flops; clock gates are not in it."""
    ge: float
    """Area in gate equivalents: the area of the library's smallest 2-input NAND is one."""
    cells: Counter[str]
    flip_flops: int
    """Number of cells that are flip-flops."""
    period_ps: float | None
    """The clock period that mapping aimed at, in picoseconds, or None for the smallest area. Timing
    analysis tells the reached period."""
    recipe: Recipe = DEFAULT
    clock_gating: str = "none"
    """How clocks are gated: "none", "latch" or "integrated"."""
    clock_gates: int = 0
    """Number of clock gates."""
    part_areas_um2: Mapping[str, float] = field(default_factory=dict)
    """The area of each part that was mapped by itself, with that of parts in it."""

    @property
    def has_latches(self) -> bool:
        """Whether its clock gates have latches of their own."""
        return self.clock_gating == "latch"


def map_to_cells(
    verilog: str,
    top: str,
    library: Library,
    folder: Path,
    period_ps: float | None = None,
    clock_gating: str = "none",
    recipe: Recipe = DEFAULT,
    parts: Sequence[str] = (),
) -> MappedNetlist:
    """Synthesise a design and map it to the cells of a library; the same bytes each time.

    Parameters
    ----------
    top
        The top module, which is flattened.
    period_ps
        Clock period to aim at, in picoseconds. ABC ignores the delay of flip-flops, and a small
        change of the period may give a very different netlist: try several periods and keep the
        best netlists. With None, gates are neither sized nor buffered, so nets with high fan-out
        are slow.
    clock_gating
        "none": an enable is a multiplexer. "latch" or "integrated": registers that share an enable
        share a clock gate: a latch with an AND gate, or an integrated one. "auto": the first of
        "integrated", "latch" and "none" that the library has cells for.
    recipe
        The structure of adders, and ABC's script.
    parts
        Modules below ``top`` that are synthesised and mapped each by itself: no logic moves across
        their bounds. The netlist is flat all the same.
    """
    if period_ps is not None and not period_ps > 0:
        raise InputError(f"period_ps must be a positive number of picoseconds, not {period_ps!r}")
    gating = _of_library(library) if clock_gating == "auto" else clock_gating
    gate = _clock_gate(library, gating)
    gated = gate.verilog if gate else ""
    liberty = _write_inputs(verilog, gated, library, folder)
    # What does not depend on the period is done once in a folder.
    name = hash_of(verilog, top, gated, library.sha256, recipe.synthesis, *parts)
    if (folder / f"{name}.il").exists():
        before = [f"read_rtlil {name}.il"]
    else:
        before = _synthesis(name, top, library, liberty, recipe, parts, gated=bool(gate))
    run_yosys([*before, *_mapping(library, liberty, period_ps, recipe, parts)], folder)
    return _written(
        library,
        folder,
        period_ps=period_ps,
        recipe=recipe,
        clock_gating=gating,
        clock_gates=_gate_count(folder / f"{name}.json") if gate else 0,
        part_areas_um2=_areas(folder / _PARTS_FILE, parts) if parts else {},
    )


def _write_inputs(verilog: str, gated: str, library: Library, folder: Path) -> str:
    """Write what Yosys reads; returns the name of the liberty file."""
    (folder / "design.v").write_text(verilog)
    (folder / "abc.constr").write_text(_constraints(library))
    (folder / "gate.v").write_text(gated)
    (folder / "resets.v").write_text(RESETS_AS_LOGIC)
    return library.unpack(folder)


def _written(library: Library, folder: Path, **settings: Any) -> MappedNetlist:
    """The netlist that Yosys wrote, and how it was made."""
    statistics = written_json(folder / "stat.json")["design"]
    counts = Counter(dict(sorted(statistics["num_cells_by_type"].items())))
    _refuse_unmapped(counts, library)
    # Yosys leaves out an area of zero.
    area_um2 = statistics.get("area", 0.0)
    return MappedNetlist(
        verilog=(folder / "netlist.v").read_text(),
        area_um2=area_um2,
        sequential_area_um2=statistics.get("sequential_area", 0.0),
        ge=area_um2 / library.nand_area_um2,
        cells=counts,
        flip_flops=sum(counts[cell] for cell in library.sequential - library.latches),
        **settings,
    )


def _of_library(library: Library) -> str:
    """How clocks are gated in a library, unless something else is asked for."""
    if library.integrated_gate:
        return "integrated"
    return "latch" if library.latch_gate else "none"


def _clock_gate(library: Library, clock_gating: str) -> ClockGate | None:
    if clock_gating == "none":
        return None
    if clock_gating not in ("latch", "integrated"):
        raise unknown("clock gating", clock_gating, ("auto", "none", "latch", "integrated"))
    gate = library.latch_gate if clock_gating == "latch" else library.integrated_gate
    if gate is None:
        cell = "latch" if clock_gating == "latch" else "clock-gating cell for rising edges"
        raise InputError(f"clock gating {clock_gating} needs a {cell}, and {library.name} has none")
    return gate


def _areas(statistics: Path, parts: Sequence[str]) -> dict[str, float]:
    modules = written_json(statistics)["modules"]
    return {part: modules[f"\\{part}"].get("area", 0.0) for part in parts}


def _gate_count(statistics: Path) -> int:
    gated = written_json(statistics)["modules"].values()
    return sum(module.get("num_cells_by_type", {}).get(GATE_MODULE, 0) for module in gated)


def _synthesis(
    name: str,
    top: str,
    library: Library,
    liberty: str,
    recipe: Recipe,
    parts: Sequence[str] = (),
    *,
    gated: bool,
) -> list[str]:
    """Passes up to the flip-flops; the design is then in a file of that name."""
    gating = [
        "techmap -map resets.v",
        "simplemap",
        "opt_merge",
        "opt_clean",
        f"clockgate -pos {GATE_MODULE} ce:clk:gclk -min_net_size {_SMALLEST_GATED}",
        f"tee -q -o {name}.json stat -json",
        "read_verilog gate.v",
        "flatten -noscopeinfo",
    ]
    return [
        "read_verilog design.v",
        *(f"setattr -mod -set {_APART} 1 {part}" for part in parts),
        f"synth -flatten -top {top}{recipe.synthesis}",
        *(gating if gated else []),
        f"dfflibmap {_cells(library, liberty)}",
        f"write_rtlil {name}.il",
    ]


def _mapping(
    library: Library,
    liberty: str,
    period_ps: float | None,
    recipe: Recipe,
    parts: Sequence[str] = (),
) -> list[str]:
    """Passes that map the logic between the flip-flops, and write what came of it."""
    # ABC buffers and sizes gates only if it knows the driving cell and the load; a delay alone is
    # not enough.
    timing = "" if period_ps is None else f" -D {period_ps:.0f} -constr abc.constr"
    script = recipe.mapping(timed=period_ps is not None)
    return [
        f"abc {_cells(library, liberty)}{timing}{script}",
        *(_joined(liberty) if parts else []),
        "opt_clean -purge",
        # Plain names, which every following tool can read.
        "rename -hide c:*",
        f"tee -q -o stat.json stat -json -liberty {liberty}",
        # OpenSTA reads no assignment to a concatenation.
        "write_verilog -noattr -simple-lhs netlist.v",
    ]


def _joined(liberty: str) -> list[str]:
    """Passes that write the area of each part, and make one module of all."""
    return [
        "opt_clean -purge",
        f"tee -q -o {_PARTS_FILE} stat -json -liberty {liberty}",
        f"setattr -mod -unset {_APART} *",
        "flatten -noscopeinfo",
    ]


def _cells(library: Library, liberty: str) -> str:
    """The arguments that name the cells that may be used."""
    return f"-liberty {liberty}" + "".join(f" -dont_use {cell}" for cell in library.dont_use)


def _constraints(library: Library) -> str:
    """ABC's constraint file; the load is in femtofarads."""
    return f"set_driving_cell {library.driving_cell}\nset_load {library.output_load_ff:g}\n"


def _refuse_unmapped(cells: Counter[str], library: Library) -> None:
    unmapped = [cell for cell in cells if cell.startswith("$")]
    if unmapped:
        raise ToolError(f"library {library.name} has no cell for {', '.join(unmapped)}")
