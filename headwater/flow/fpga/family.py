# SPDX-License-Identifier: Apache-2.0
"""What an FPGA family is to the flow, and synthesis for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.flow.fpga.cells import Cells, cost_of
from headwater.flow.yosys import run_yosys

SMALL_LUTS = ("scratchpad -copy abc9.script.default.area abc9.script",)
"""Makes Yosys look for the fewest LUTs; by default it looks for the fewest levels."""


@dataclass(frozen=True)
class Way:
    """One way of mapping: flags of the synthesis command, and passes before and after it."""

    flags: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """An FPGA family; what differs in more than data is a class of its own.

    Members
    -------
    name
        As its maker writes it.
    synth
        Yosys's synthesis command. It neither flattens, so that a core keeps its own shape when it
        is joined to the shell, nor makes pins, which a core has none of.
    ways
        The ways of mapping, by what each is good for.
    costs
        What each type of cell takes; names may be patterns.
    nextpnr
        Which nextpnr places it, as in the name of its package; empty if there is none.
    join
        Passes that make of core and shell, flattened, the netlist that nextpnr takes.
    files
        What those passes read, by file name.
    arguments
        What nextpnr is told for every part.
    placed_ff
        Where nextpnr's report counts flip-flops.
    """

    name: str
    synth: str
    ways: Mapping[str, Way]
    costs: Mapping[str, Cells]
    nextpnr: str = ""
    join: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    placed_ff: str = ""

    # Tables have no hash of their own.
    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def package(self) -> str:
        """The Python package that holds its nextpnr, which is the name of the program as well."""
        return f"yowasp-nextpnr-{self.nextpnr}"

    def cost(self, cell: Mapping[str, Any]) -> Cells:
        """What one cell of a netlist takes."""
        return cost_of(cell["type"], self.costs, self.name)

    def slices(self, cells: Cells) -> int | None:  # noqa: ARG002
        """Slices that those cells take at least, where slices are what a family is counted in."""
        return None

    def flip_flops_placed(self, report: Mapping[str, Any], folder: Path) -> int:  # noqa: ARG002
        """Flip-flops after placement, from nextpnr's report."""
        return int(report["utilization"][self.placed_ff]["used"])


@dataclass(frozen=True)
class Part:
    """A part of a family.

    Members
    -------
    device, package, speed
        As its maker writes them; None if nothing depends on it.
    arguments
        The same in nextpnr's words.
    pins
        The file of constraints that those arguments name ``pins``, if it needs one.
    """

    family: Family
    device: str
    package: str | None = None
    speed: str | None = None
    arguments: tuple[str, ...] = ()
    pins: str = ""


def synthesise(family: Family, verilog: str, core: str, top: str, way: str, folder: Path) -> Cells:
    """Map modules one by one, count the cells of ``core``, and leave the whole for nextpnr.

    Parameters
    ----------
    verilog
        Text of all modules.
    core
        The module that is counted.
    top
        The module that holds it, or ``core`` itself.
    way
        A name in ``family.ways``.
    folder
        Where ``netlist.json`` is put: everything flattened, with pins.

    Raises
    ------
    ToolError
        If Yosys fails, or leaves a cell that cannot be counted.
    """
    (folder / "design.v").write_text(verilog)
    for name, text in family.files.items():
        (folder / name).write_text(text)
    run_yosys(_passes(family, top, family.ways[way]), folder)
    modules = json.loads((folder / "mapped.json").read_text())["modules"]
    return sum((family.cost(cell) for cell in modules[core]["cells"].values()), Cells())


def _passes(family: Family, top: str, way: Way) -> list[str]:
    passes = [
        "read_verilog design.v",
        *way.before,
        f"{family.synth} -top {top} {way.flags}".rstrip(),
        *way.after,
        "write_json mapped.json",
    ]
    if family.nextpnr:
        passes += ["flatten", "clean", *family.join, "write_json netlist.json"]
    return passes
