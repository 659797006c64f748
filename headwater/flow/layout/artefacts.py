# SPDX-License-Identifier: Apache-2.0
"""The files of a layout that a user may keep."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.layout.layout import Layout
from headwater.flow.layout.picture import picture
from headwater.flow.layout.tools import MAGIC
from headwater.flow.liberty import Library
from headwater.flow.process import find_program, run_tool


def artefacts(layout: Layout, library: Library, folder: Path) -> dict[str, bytes]:
    """Netlist, DEF, SPEF, SDF and picture by file name; a GDS file where Magic is installed. There
    cells are abstract: outlines, pins and wires, because the libraries have no more."""
    name = layout.circuit.name
    texts = {
        f"{name}.v": layout.circuit.verilog(),
        f"{name}.def": (folder / "routed.def").read_text(),
        f"{name}.spef": layout.wires.spef,
        f"{name}.sdf": layout.clock.sdf,
        f"{name}.svg": picture(layout, library),
    }
    found = {file: text.encode() for file, text in texts.items()}
    try:
        magic = find_program("magic", MAGIC)
    except ToolError:
        return found
    return {**found, f"{name}.gds": _gds(magic, layout, folder)}


def _gds(magic: Path, layout: Layout, folder: Path) -> bytes:
    (folder / "gds.tcl").write_text("\n".join(_script(layout)) + "\n")
    technology = layout.technology.folder / f"{layout.technology.name}.magicrc"
    run_tool([magic, "-dnull", "-noconsole", "-rcfile", technology, "gds.tcl"], cwd=folder)
    written = folder / "core.gds"
    if not written.is_file():
        raise ToolError("magic wrote no GDS file and did not say why")
    return written.read_bytes()


def _script(layout: Layout) -> Iterator[str]:
    yield "drc off"
    yield f"lef read {layout.technology.lef_file}"
    yield "def read routed.def"
    yield f"load {layout.circuit.name}"
    yield "select top cell"
    yield "gds write core.gds"
    yield "quit -noprompt"
