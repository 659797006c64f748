# SPDX-License-Identifier: Apache-2.0
"""Placement of cells in rows by Coloquinte, which pip installs.

Cells are placed twice: first without the pins of the core, then with each pin at the edge near to
the cells that it leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

from headwater.flow.layout.bookshelf import Rows, bookshelf, read_places
from headwater.flow.layout.circuit import Circuit
from headwater.flow.layout.floorplan import Point
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.pins import pin_places
from headwater.flow.layout.placement import UNITS, Pad, Placed, Placement
from headwater.flow.layout.tools import COLOQUINTE
from headwater.flow.process import find_program, run_tool

_EFFORT = "9"
"""The most there is."""
_SEED = "0"


def place_cells(circuit: Circuit, outlines: Outlines, rows: Rows, folder: Path) -> Placement:
    """Place a circuit in rows, and its pins around them; the same placement each time."""
    cells = _run(circuit, outlines, rows, {}, folder)
    pins = _at_edges(circuit, cells, outlines, rows)
    cells = _run(circuit, outlines, rows, pins, folder)
    pads = {name: Pad(x, y, x in (0, rows.width)) for name, (x, y) in pins.items()}
    return Placement(cells, pads)


def _run(
    circuit: Circuit, outlines: Outlines, rows: Rows, pins: Mapping[str, Point], folder: Path
) -> dict[str, Placed]:
    for file, text in bookshelf(circuit, outlines, rows, pins).items():
        (folder / file).write_text(text)
    placed = folder / "placed.pl"
    command = ["--effort", _EFFORT, "--seed", _SEED, "--save-solution", placed.name, "core.aux"]
    run_tool([find_program("coloquinte", COLOQUINTE), *command], cwd=folder)
    return read_places(placed.read_text(), circuit, outlines, "coloquinte")


def _at_edges(
    circuit: Circuit, cells: Mapping[str, Placed], outlines: Outlines, rows: Rows
) -> dict[str, Point]:
    """A place at the edge of the core for each of its pins: the nearest to the middle of what it
    leads to that is free."""
    ends = pin_places(circuit, cells, outlines.lef.macros)
    pitch = round(UNITS * max(layer.pitch for layer in outlines.signal_layers))
    free = _edge(rows, pitch, len(circuit.pads))
    points: dict[str, Point] = {}
    for name, net in circuit.pads.items():
        # A port that no cell reads may be anywhere.
        places = ends.get(net, {(name, ""): (0, 0)}).values()
        x, y = fmean(x for x, _ in places), fmean(y for _, y in places)
        points[name] = min(free, key=lambda at: (abs(at[0] - x) + abs(at[1] - y), at))
        free.remove(points[name])
    return points


def _edge(rows: Rows, pitch: int, least: int) -> set[Point]:
    """Points around the core, at least so many."""
    pitch = min(pitch, 2 * (rows.width + rows.upper) // least)
    across = ((x, y) for x in range(0, rows.width, pitch) for y in (0, rows.upper))
    along = ((x, y) for y in range(pitch, rows.upper, pitch) for x in (0, rows.width))
    return {*across, *along}
