# SPDX-License-Identifier: Apache-2.0
"""The Bookshelf format, which academic placers read: nodes, nets, rows and places.

Nodes are named by number, ``c0`` and so on for cells and ``p0`` for pins of the core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from headwater.errors import ToolError
from headwater.flow.layout.circuit import CLOCK, Circuit
from headwater.flow.layout.floorplan import Point
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.pins import pin_of
from headwater.flow.layout.placement import UNITS, Placed

_FLIPPED = ("N", "FS")
"""The orientations of rows in turn, so that neighbours share a supply."""


@dataclass(frozen=True)
class Rows:
    """The rows of a core; lengths in hundredths of a micrometre."""

    count: int
    height: int
    width: int

    @classmethod
    def of(cls, circuit: Circuit, outlines: Outlines) -> Rows:
        """The rows of a square core that holds the cells with the density of the library."""
        macros = outlines.lef.macros
        widths = sum(round(UNITS * macros[cell.kind].width) for cell in circuit.cells.values())
        height, site = (round(UNITS * size) for size in (outlines.row_height, outlines.site_width))
        length = widths / outlines.density
        count = max(1, round(sqrt(length / height)))
        return cls(count, height, site * ceil(length / count / site))

    @property
    def upper(self) -> int:
        """The upper edge of the core."""
        return self.count * self.height


def bookshelf(
    circuit: Circuit, outlines: Outlines, rows: Rows, pins: Mapping[str, Point]
) -> dict[str, str]:
    """The files by name for cells that are to be placed in rows, and pins of the core that are
    placed; the clock is left out, as it gets a tree."""
    parts = {
        "nodes": _nodes(circuit, outlines, rows, pins),
        "nets": _nets(circuit, outlines, pins),
        "pl": _places(circuit, rows, pins),
        "scl": _rows(rows),
    }
    files = {f"core.{part}": "\n".join(lines) + "\n" for part, lines in parts.items()}
    return {**files, "core.aux": f"RowBasedPlacement : {' '.join(files)}\n"}


def _nodes(
    circuit: Circuit, outlines: Outlines, rows: Rows, pins: Mapping[str, Point]
) -> Iterator[str]:
    yield "UCLA nodes 1.0"
    yield f"NumNodes : {len(circuit.cells) + len(pins)}"
    yield f"NumTerminals : {len(pins)}"
    for number, cell in enumerate(circuit.cells.values()):
        width = round(UNITS * outlines.lef.macros[cell.kind].width)
        yield f"c{number} {width} {rows.height}"
    yield from (f"p{number} 0 0 terminal" for number in range(len(pins)))


def _nets(circuit: Circuit, outlines: Outlines, pins: Mapping[str, Point]) -> Iterator[str]:
    ends: dict[str, list[str]] = {}
    for number, cell in enumerate(circuit.cells.values()):
        macro = outlines.lef.macros[cell.kind]
        for pin, net in cell.nets.items():
            x, y = pin_of(macro, pin)
            middle = f"{x - UNITS * macro.width / 2:.1f} {y - UNITS * macro.height / 2:.1f}"
            ends.setdefault(net, []).append(f"c{number} B : {middle}")
    for number, pin in enumerate(pins):
        ends.setdefault(circuit.pads[pin], []).append(f"p{number} B : 0 0")
    wires = {
        net: ends_of_net
        for net, ends_of_net in ends.items()
        if len(ends_of_net) > 1 and net != CLOCK
    }
    yield "UCLA nets 1.0"
    yield f"NumNets : {len(wires)}"
    yield f"NumPins : {sum(map(len, wires.values()))}"
    for number, ends_of_net in enumerate(wires.values()):
        yield f"NetDegree : {len(ends_of_net)} n{number}"
        yield from ends_of_net


def _places(circuit: Circuit, rows: Rows, pins: Mapping[str, Point]) -> Iterator[str]:
    yield "UCLA pl 1.0"
    for number in range(len(circuit.cells)):
        yield f"c{number} {rows.width // 2} {rows.upper // 2} : N"
    for number, (x, y) in enumerate(pins.values()):
        yield f"p{number} {x} {y} : N /FIXED"


def _rows(rows: Rows) -> Iterator[str]:
    yield "UCLA scl 1.0"
    yield f"NumRows : {rows.count}"
    for number in range(rows.count):
        yield "CoreRow Horizontal"
        yield f"Coordinate : {number * rows.height}"
        yield f"Height : {rows.height}"
        yield f"Sitewidth : 1 Sitespacing : 1 Siteorient : {_FLIPPED[number % 2]}"
        yield f"SubrowOrigin : 0 NumSites : {rows.width}"
        yield "End"


def read_places(text: str, circuit: Circuit, outlines: Outlines, placer: str) -> dict[str, Placed]:
    """The placed cells by name."""
    numbered = list(circuit.cells.items())
    places = {}
    for node, x, y, orientation in _placed_nodes(text.splitlines()):
        name, cell = numbered[int(node)]
        width = round(UNITS * outlines.lef.macros[cell.kind].width)
        places[name] = Placed(cell.kind, x, y, width, orientation)
    missing = circuit.cells.keys() - places.keys()
    if missing:
        raise ToolError(f"{placer} did not place {len(missing)} cells, among them {min(missing)}")
    return places


def _placed_nodes(lines: Sequence[str]) -> Iterator[tuple[str, int, int, str]]:
    """Number, lower left corner and orientation of each cell."""
    for line in lines:
        words = line.replace(":", " ").split()
        if words and words[0][0] == "c" and words[0][1:].isdigit():
            yield words[0][1:], int(words[1]), int(words[2]), words[3]
