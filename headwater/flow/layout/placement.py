# SPDX-License-Identifier: Apache-2.0
"""Placement of cells in rows, by graywolf.

Coordinates are whole hundredths of a micrometre, as in the files of the placer and router.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.layout.circuit import Circuit
from headwater.flow.layout.lef import Macro
from headwater.flow.layout.technology import Technology
from headwater.flow.layout.tools import GRAYWOLF
from headwater.flow.process import find_program, run_tool

UNITS = 100
"""Steps in a micrometre."""

_PAD = "twpin_"
"""How graywolf begins the name of a pad."""
_FEED = "twfeed"
_MOST_LAYERS = 3
"""The highest layer of pins that graywolf knows."""
_ORIENTATIONS = ("N", "FS", "FN", "S", "FE", "FW", "W", "E")


@dataclass(frozen=True)
class Placed:
    """A placed cell: its kind, lower left corner, width and orientation."""

    kind: str
    x: int
    y: int
    width: int
    orientation: str

    @property
    def middle(self) -> int:
        """Horizontal middle."""
        return self.x + self.width // 2


@dataclass(frozen=True)
class Pad:
    """A pin of the core: its position, and whether it is on the left or right edge."""

    x: int
    y: int
    on_side: bool


@dataclass(frozen=True)
class Placement:
    """Where cells and pins are."""

    cells: dict[str, Placed]
    pads: dict[str, Pad]

    def rows(self) -> dict[int, list[str]]:
        """The cells of each row from left to right, by the row's lower edge."""
        rows: dict[int, list[str]] = {}
        for name in sorted(self.cells, key=lambda name: self.cells[name].x):
            rows.setdefault(self.cells[name].y, []).append(name)
        return dict(sorted(rows.items()))


def place(
    circuit: Circuit, technology: Technology, folder: Path, seed: int | None = None
) -> Placement:
    """Place a circuit; the same placement each time that the seed is the same, by default that of
    the technology's parameters."""
    technology.refuse_unknown(cell.kind for cell in circuit.cells.values())
    (folder / "core.cel").write_text("\n".join(_cel(circuit, technology)) + "\n")
    (folder / "core.par").write_text(_parameters(technology.placer_file.read_text(), seed))
    # Without -n the program needs a display.
    run_tool([find_program("graywolf", GRAYWOLF), "-n", "core"], cwd=folder)
    written = folder / "core.pl1"
    if not written.is_file():
        raise ToolError("graywolf placed nothing and did not say why")
    return read_placement(written.read_text(), circuit)


def _parameters(text: str, seed: int | None) -> str:
    """Parameters of graywolf with this seed."""
    if seed is None:
        return text
    changed, count = re.subn(r"(?m)^(\*random\.seed\s*:).*$", rf"\1 {seed}", text)
    return changed if count else f"{text}\n*random.seed : {seed}\n"


def _cel(circuit: Circuit, technology: Technology) -> Iterator[str]:
    """The cells and pads in the format of graywolf."""
    layers = technology.lef.layers
    pitch_x = round(UNITS * min(layer.pitch for layer in layers if not layer.horizontal))
    pitch_y = round(UNITS * min(layer.pitch for layer in layers if layer.horizontal))
    for number, (instance, cell) in enumerate(circuit.cells.items()):
        macro = technology.lef.macros[cell.kind]
        yield f"cell {number} {instance}"
        yield from _outline(macro, pitch_x)
        for pin, net in cell.nets.items():
            layer, place = _place_of(macro, pin)
            yield f"pin name {pin} signal {net} layer {layer} {place}"
    x, y = pitch_x // 2, pitch_y // 2
    for number, (pad, net) in enumerate(circuit.pads.items(), 1):
        yield f"pad {number} name {_PAD}{pad}"
        yield f"corners 4 -{x} -{y} -{x} {y} {x} {y} {x} -{y}"
        yield f"pin name {pad} signal {net} layer 1 0 0"


def _outline(macro: Macro, pitch: int) -> Iterator[str]:
    """The edges of a cell around its middle, and where wires pass over it."""
    width, height = round(UNITS * macro.width), round(UNITS * macro.height)
    left, bottom = -(width // 2), -(height // 2)
    top = bottom + height
    yield f"left {left} right {left + width} bottom {bottom} top {top}"
    for number, x in enumerate(range(left + pitch // 2, left + width, pitch), 1):
        name = f"name {_FEED}{number}"
        yield f"pin {name} signal TW_PASS_THRU layer 1 {x} {bottom}"
        yield f"   equiv {name} layer 1 {x} {top}"


def _place_of(macro: Macro, pin: str) -> tuple[int, str]:
    """The number of the layer, and the middle, of the last shape of a pin, around the middle of its
    cell."""
    layer, (left, lower, right, upper) = macro.pins[pin].shapes[-1]
    digits = "".join(filter(str.isdigit, layer))
    x = int(UNITS * (left + right) / 2) - round(UNITS * macro.width) // 2
    y = int(UNITS * (lower + upper) / 2) - round(UNITS * macro.height) // 2
    return min(int(digits or 1), _MOST_LAYERS), f"{x} {y}"


def read_placement(text: str, circuit: Circuit) -> Placement:
    """The placement that graywolf wrote: a line for each cell or pad, with name, lower left and
    upper right corner, orientation and row."""
    cells, pads = {}, {}
    for line in text.splitlines():
        name, *rest = line.split()
        left, lower, right, upper, orientation, row = map(int, rest[:6])
        if name.startswith(_PAD):
            x, y = (left + right) // 2, (lower + upper) // 2
            pads[name.removeprefix(_PAD)] = Pad(x, y, row in (-1, -2))
        elif not name.startswith(_FEED):
            kind = circuit.cells[name].kind
            cells[name] = Placed(kind, left, lower, right - left, _ORIENTATIONS[orientation])
    missing = circuit.cells.keys() - cells.keys()
    if missing:
        raise ToolError(f"graywolf did not place {len(missing)} cells, among them {min(missing)}")
    return Placement(cells, pads)
