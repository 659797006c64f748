# SPDX-License-Identifier: Apache-2.0
"""Standard-cell libraries: properties of a liberty file that the flow needs.

Cells are recognised by what they compute, as Yosys reads it from the file, never by their name.
Only cells of equal function (a delay cell is a buffer) are told apart by the foundries' habits of
naming.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from headwater.errors import InputError, ToolError
from headwater.flow.cells import Cell, Gate
from headwater.flow.clockgate import ClockGate, integrated_gate, latch_gate
from headwater.flow.folders import private_folder
from headwater.flow.layout.lef import read_lef
from headwater.flow.process import written_json
from headwater.flow.yosys import run_yosys

_FANOUT = 4
_FARAD_PREFIX_FF = {"ff": 1.0, "pf": 1000.0}
_NAND, _BUFFER, _INVERTER = (1, 1, 1, 0), (0, 1), (1, 0)


@dataclass(frozen=True)
class Library:
    """A standard-cell library at one corner."""

    name: str
    """Name of the library in figures."""
    path: Path
    """The liberty file, plain or gzip'd."""
    sha256: str
    """Hash of the plain text, in which areas that it lacks are those of the LEF file."""
    nand_cell: str
    nand_area_um2: float
    """The area of the smallest 2-input NAND: one gate equivalent (GE)."""
    flip_flop_cell: str
    """The smallest positive-edge D flip-flop without set or reset; in a library without one, the
    smallest flip-flop."""
    flip_flop_area_um2: float
    inverter: Gate
    driving_cell: str
    """The buffer of middle strength (an inverter if there is no buffer), which drives inputs."""
    output_load_ff: float
    """Load on every output, in femtofarads: four inputs of the smallest inverter."""
    dont_use: tuple[str, ...] = field(repr=False)
    """Cells that mapping must not pick: flip-flops with an enable or a scan input, three-state
    drivers, delay, clock-tree and low-power cells."""
    sequential: frozenset[str] = field(repr=False)
    """Every flip-flop and latch."""
    latches: frozenset[str] = field(repr=False)
    """Those of them that are latches."""
    without_area: frozenset[str] = field(repr=False)
    """Cells whose area is not known."""
    clock_pins: frozenset[tuple[str, str]] = field(repr=False)
    """Cell and pin of every input that clocks a flip-flop."""
    lost_conditions: str
    """Operating conditions that a script must set, because OpenSTA does not find the default in the
    file; empty if it does."""
    latch_gate: ClockGate | None = field(repr=False)
    """A clock gate made of a latch and an AND gate; None if the library cannot make it."""
    integrated_gate: ClockGate | None = field(repr=False)
    """The library's own clock gate; None if there is none."""

    @property
    def text(self) -> str:
        """The plain text; an error if it is no longer the one that was read."""
        text = _read(self.path)
        if hashlib.sha256(text).hexdigest() != self.sha256:
            raise InputError(f"library must not change while it is in use, but {self.path} did")
        return text.decode(errors="replace")

    def unpack(self, folder: Path) -> str:
        """Write the plain text into ``folder`` for the tools; returns the name of the file there.

        Not every tool reads gzip, and some tools cannot read every path that a user may have.
        """
        (folder / "library.lib").write_text(self.text)
        return "library.lib"


_CONDITIONS = re.compile(rb'\boperating_conditions\s*\(\s*"?([^")\s]+)"?\s*\)\s*\{[^}]*\}')
_DEFAULT = re.compile(rb'\bdefault_operating_conditions\s*:\s*"?([^";\s]+)"?\s*;')


def _lost_conditions(text: bytes) -> str:
    """The operating conditions that a script must make the default. OpenSTA needs the default named
    behind the group of the conditions: SKY130 of open_pdks names it before the group, GF180MCU not
    at all. The first group is then taken. Empty if the file needs no help."""
    groups = list(_CONDITIONS.finditer(text))
    default = _DEFAULT.search(text)
    named = [group for group in groups if default and group[1] == default[1]]
    if not groups or (default and named and default.start() > named[0].end()):
        return ""
    return (named or groups)[0][1].decode()


@lru_cache
def library_sha256(path: Path) -> str:
    """Hash of the plain text of a liberty file, plain or gzip'd."""
    return hashlib.sha256(_read(path)).hexdigest()


@lru_cache
def load_library(path: Path, name: str | None = None) -> Library:
    """Read a liberty file (.lib or .lib.gz) and derive the properties that the flow needs. Figures
    call the library by the file's name unless another is given."""
    text = _read(path)
    cells = [Cell(name, module) for name, module in _modules(text, path).items()]
    usable = [cell for cell in cells if not cell.special]
    nand = _smallest(usable, _NAND, "a 2-input NAND", path)
    inverter = _smallest(usable, _INVERTER, "an inverter", path)
    flip_flop = _flip_flop(usable, path)
    unit_ff = _capacitance_unit_ff(text, path)
    return Library(
        name=name or path.name.removesuffix(".gz").removesuffix(".lib"),
        path=path,
        sha256=hashlib.sha256(text).hexdigest(),
        nand_cell=nand.name,
        nand_area_um2=nand.area_um2,
        flip_flop_cell=flip_flop.name,
        flip_flop_area_um2=flip_flop.area_um2,
        inverter=inverter.gate,
        driving_cell=_driver(usable),
        output_load_ff=round(_FANOUT * inverter.input_capacitance() * unit_ff, 6),
        dont_use=tuple(sorted(cell.name for cell in cells if cell.special)),
        sequential=frozenset(cell.name for cell in cells if cell.states),
        latches=frozenset(
            cell.name for cell in cells if any("LATCH" in kind for kind in cell.states)
        ),
        without_area=frozenset(cell.name for cell in cells if not cell.area_um2),
        clock_pins=frozenset((cell.name, pin) for cell in cells for pin in cell.clock_pins),
        lost_conditions=_lost_conditions(text),
        latch_gate=latch_gate(cells),
        integrated_gate=integrated_gate(text.decode(errors="replace")),
    )


def _read(path: Path) -> bytes:
    """The plain text of a library. Cells that have no area in it take that of the LEF file beside
    it, where there is one of the same name."""
    text = _plain(path)
    outlines = path.with_name(path.name.removesuffix(".gz")).with_suffix(".lef")
    if not outlines.exists() or not _NO_AREA.search(text):
        return text
    macros = read_lef(outlines).macros

    def with_area(cell: re.Match[bytes]) -> bytes:
        macro = macros.get(cell[2].decode())
        return b"%s%g;" % (cell[1], macro.width * macro.height) if macro else cell[0]

    return _NO_AREA.sub(with_area, text)


_NO_AREA = re.compile(rb'(\bcell\s*\(\s*"?(\w+)"?\s*\)\s*\{[^{}]*?\barea\s*:\s*)0(?:\.0*)?\s*;')
"""The beginning of a cell whose area is zero, up to this area; the name of the cell."""


def _plain(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "the gzip data is damaged"
        raise InputError(
            f"library must be a readable liberty file, not {path}: {reason}"
        ) from error


def _modules(text: bytes, path: Path) -> dict[str, Any]:
    ignore = "-ignore_miss_func -ignore_miss_dir -ignore_miss_data_latch -ignore_buses"
    with private_folder() as folder:
        (folder / "library.lib").write_bytes(text)
        try:
            run_yosys([f"read_liberty {ignore} library.lib", "write_json cells.json"], folder)
        except ToolError as error:
            reason = re.search(r"^ERROR: (.*)$", str(error), re.MULTILINE)
            if reason is None:
                raise
            raise InputError(
                f"library must be a liberty file, not {path}: Yosys says {reason[1]!r}"
            ) from error
        modules: dict[str, Any] = written_json(folder / "cells.json")["modules"]
    return modules


def _smallest(cells: list[Cell], table: tuple[int, ...], what: str, path: Path) -> Cell:
    candidates = [cell for cell in cells if cell.truth_table() == table and cell.area_um2 > 0]
    if not candidates:
        raise InputError(f"library must have {what} with an area, and {path} has none")
    return min(candidates, key=lambda cell: (cell.area_um2, cell.name))


def _flip_flop(cells: list[Cell], path: Path) -> Cell:
    def preference(cell: Cell) -> tuple[bool, float, str]:
        return not cell.plain_flip_flop, cell.area_um2, cell.name

    candidates = [cell for cell in cells if any(kind.startswith("$_DFF") for kind in cell.states)]
    if not candidates:
        raise InputError(f"library must have a flip-flop, and {path} has none")
    return min(candidates, key=preference)


def _driver(cells: list[Cell]) -> str:
    def of(table: tuple[int, ...]) -> list[tuple[float, str]]:
        return sorted((cell.area_um2, cell.name) for cell in cells if cell.truth_table() == table)

    candidates = of(_BUFFER) or of(_INVERTER)
    return candidates[(len(candidates) - 1) // 2][1]


def _capacitance_unit_ff(text: bytes, path: Path) -> float:
    """The unit of capacitances in femtofarads, which Yosys does not pass on."""
    declared = re.search(rb'capacitive_load_unit\s*\(\s*([\d.eE+-]+)\s*,\s*"?(\w+)"?\s*\)', text)
    unit = _FARAD_PREFIX_FF.get(declared[2].decode().lower()) if declared else None
    if declared is None or unit is None:
        raise InputError(f"library must state its capacitive_load_unit in fF or pF, not as {path}")
    return float(declared[1]) * unit
