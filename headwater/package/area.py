# SPDX-License-Identifier: Apache-2.0
"""What an interface costs beside its core: both mapped for one FPGA family, module by module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headwater.flow.folders import private_folder
from headwater.flow.fpga.cells import Cells
from headwater.flow.fpga.family import Family, mapped_modules, synthesise
from headwater.flow.fpga.lattice import ECP5
from headwater.flow.yosys import yosys_version

_CELL = {"blackbox", "whitebox"}
"""Attributes by which Yosys marks the modules that stand for cells."""


@dataclass(frozen=True)
class Area:
    """The cells of a core and of all that is around it, in one way of mapping: its name, and the
    command of Yosys."""

    way: str
    command: str
    core: Cells
    wrapper: Cells


@dataclass(frozen=True)
class Areas:
    """Areas in the ways of mapping of a family, and the tool that they are from."""

    family: str
    tool: str
    ways: tuple[Area, ...]


def areas_of(rtl: Mapping[str, str], top: str, core: str, family: Family = ECP5) -> Areas:
    """The areas of a design. Its modules are mapped one by one, so that those of the core are the
    same as without the interface.

    Parameters
    ----------
    rtl
        The Verilog, by file name.
    top, core
        The module on top and that of the core.
    """
    text = "\n".join(rtl.values())
    ways = tuple(_area(family, text, top, core, way) for way in family.ways)
    return Areas(family.name, f"Yosys {yosys_version()}", ways)


def _area(family: Family, text: str, top: str, core: str, way: str) -> Area:
    with private_folder() as folder:
        cells = synthesise(family, text, core, top, way, folder)
        modules = mapped_modules(folder)
    rest = {
        name: module
        for name, module in modules.items()
        if name != core and not _CELL & set(module["attributes"])
    }
    command = f"{family.synth} {family.ways[way].flags}".rstrip()
    return Area(way, command, cells, _without(core, top, rest, family))


def _without(core: str, top: str, modules: Mapping[str, Any], family: Family) -> Cells:
    """The cells of a module and of all below it but the core."""
    cells = Cells()
    for cell in modules[top]["cells"].values():
        if cell["type"] in modules:
            cells += _without(core, cell["type"], modules, family)
        elif cell["type"] != core:
            cells += family.cost(cell)
    return cells
