# SPDX-License-Identifier: Apache-2.0
"""The files of a layout that a user may keep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.layout.layout import Layout
from headwater.flow.layout.picture import picture
from headwater.flow.layout.technology import Technology
from headwater.flow.layout.tools import MAGIC
from headwater.flow.liberty import Library
from headwater.flow.process import find_program, run_tool


def artefacts(layout: Layout, library: Library, folder: Path) -> dict[str, bytes]:
    """Netlist, SPEF, SDF and picture by file name; of a routed layout also DEF, and a GDS file
    where Magic is installed. There cells are abstract: outlines, pins and wires, because the
    libraries have no more."""
    name = layout.circuit.name
    texts = {
        f"{name}.v": layout.circuit.verilog(),
        f"{name}.spef": layout.wires.spef,
        f"{name}.sdf": layout.clock.sdf,
        f"{name}.svg": picture(layout, library),
    }
    files = {file: text.encode() for file, text in texts.items()}
    if layout.is_routed and isinstance(layout.outlines, Technology):
        files[f"{name}.def"] = (folder / "routed.def").read_bytes()
        if magic := _magic():
            files[f"{name}.gds"] = _gds(magic, name, layout.outlines, folder)
    return files


def _magic() -> Path | None:
    with suppress(ToolError):
        return find_program("magic", MAGIC)
    return None


def _gds(magic: Path, name: str, technology: Technology, folder: Path) -> bytes:
    (folder / "gds.tcl").write_text("\n".join(_script(name, technology)) + "\n")
    start = technology.folder / f"{technology.name}.magicrc"
    run_tool([magic, "-dnull", "-noconsole", "-rcfile", start, "gds.tcl"], cwd=folder)
    written = folder / "core.gds"
    if not written.is_file():
        raise ToolError("magic wrote no GDS file and did not say why")
    return written.read_bytes()


def _script(name: str, technology: Technology) -> Iterator[str]:
    yield "drc off"
    yield f"lef read {technology.lef_file}"
    yield "def read routed.def"
    yield f"load {name}"
    yield "select top cell"
    yield "gds write core.gds"
    yield "quit -noprompt"
