# SPDX-License-Identifier: Apache-2.0
"""FPGA families as data, and synthesis for a family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.flow.fpga.cells import Cells, cost_of
from headwater.flow.fpga.packing import SLICE, Packing
from headwater.flow.process import written_json
from headwater.flow.yosys import run_yosys

SMALL_LUTS = ("scratchpad -copy abc9.script.default.area abc9.script",)
"""Passes that make ABC minimise LUTs; by default it minimises levels."""

MAPPED_TWICE = ("scratchpad -copy abc9.script.flow abc9.script",)
"""Passes that make ABC rewrite and map again what it has mapped, which saves LUTs in wide cores."""

_UNCHECKED = ("scratchpad -set abc9.verify false",)
"""Passes that keep ABC from proving that what it mapped equals what it was given."""

_MAPPED = "mapped.json"


@dataclass(frozen=True)
class Way:
    """One way of mapping: flags of the synthesis command, and passes before and after it."""

    flags: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """An FPGA family. A family that differs in more than data is a subclass."""

    name: str
    """Name as the maker writes it."""
    synth: str
    """Yosys's synthesis command. The command does not flatten, so that a core is mapped
    independently of the shell, and makes no pins, because a core has none."""
    ways: Mapping[str, Way]
    """The ways of mapping by their goal: area, balanced, speed."""
    costs: Mapping[str, Cells]
    """Resources of each cell type; names may be patterns."""
    nextpnr: str = ""
    """The nextpnr of the family, as in the name of its package; empty for a family without place
    and route."""
    join: tuple[str, ...] = ()
    """Passes that flatten core and shell to the netlist that nextpnr reads."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Files that these passes read, by name."""
    arguments: tuple[str, ...] = ()
    """Arguments of nextpnr for every part."""
    placed_ff: str = ""
    """The entry of nextpnr's report that counts flip-flops."""
    packing: Packing = SLICE
    """What area is counted in."""

    # Hashed by name, because dictionaries have no hash.
    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def package(self) -> str:
        """The Python package with the family's nextpnr; the program has the same name."""
        return f"yowasp-nextpnr-{self.nextpnr}"

    def cost(self, cell: Mapping[str, Any]) -> Cells:
        """The resources of one cell of a netlist."""
        return cost_of(cell["type"], self.costs, self.name)

    def slices(self, cells: Cells) -> int | None:  # noqa: ARG002
        """The least number of slices that hold these cells; None for a family that is not counted
        in slices."""
        return None

    def flip_flops_placed(self, report: Mapping[str, Any], folder: Path) -> int:  # noqa: ARG002
        """Flip-flops after placement, from nextpnr's report."""
        return int(report["utilization"][self.placed_ff]["used"])


@dataclass(frozen=True)
class Part:
    """A part of a family."""

    family: Family
    device: str
    """As the maker writes it, like package and speed."""
    package: str | None = None
    """None if nothing depends on it; so for the speed."""
    speed: str | None = None
    arguments: tuple[str, ...] = ()
    """Arguments of nextpnr that choose the part."""
    pins: str = ""
    """Content of the constraints file ``pins`` that the arguments name, if the part needs one."""


def synthesise(
    family: Family,
    verilog: str,
    core: str,
    top: str,
    way: str,
    folder: Path,
    *,
    checked: bool = True,
) -> Cells:
    """Map modules separately, count the cells of ``core``, and write the joined netlist for
    nextpnr.

    ``top`` is the module that holds the core, or ``core`` itself; ``way`` a name in
    ``family.ways``. The flattened netlist with pins is ``netlist.json`` in the folder. If not
    ``checked``, the tools do not prove that the mapping equals the module.
    """
    (folder / "design.v").write_text(verilog)
    for name, text in family.files.items():
        (folder / name).write_text(text)
    unchecked = () if checked else _UNCHECKED
    run_yosys(_passes(family, top, family.ways[way], unchecked), folder)
    cells = mapped_modules(folder)[core]["cells"].values()
    return sum((family.cost(cell) for cell in cells), Cells())


def mapped_modules(folder: Path) -> dict[str, Any]:
    """The modules that `synthesise` mapped there, by name, as Yosys writes them."""
    modules: dict[str, Any] = written_json(folder / _MAPPED)["modules"]
    return modules


def _passes(family: Family, top: str, way: Way, first: Sequence[str]) -> list[str]:
    passes = [
        "read_verilog design.v",
        *first,
        *way.before,
        f"{family.synth} -top {top} {way.flags}".rstrip(),
        *way.after,
        f"write_json {_MAPPED}",
    ]
    if family.nextpnr:
        passes += ["flatten", "clean", *family.join, "write_json netlist.json"]
    return passes
