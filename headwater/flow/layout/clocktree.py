# SPDX-License-Identifier: Apache-2.0
"""A clock tree: registers that are near each other share a buffer, these buffers share buffers, up
to one at the root.

The tree is grown after the cells are placed, so that position decides. Every register is behind the
same number of buffers, and buffers of one level drive equally many loads, or one more or less. The
buffers are put into the rows where their loads are; the cells to the right make room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from headwater.errors import ToolError
from headwater.flow.layout.circuit import CLOCK, Cell, Circuit
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.placement import UNITS, Placed, Placement

_FANOUT = 20
"""Loads of one buffer at most: with this many flip-flops a small clock buffer of the libraries
drives about a third of the capacitance that it may drive."""
_LONGER = 4
"""A buffer rather goes so many times farther up or down than it makes the longest row longer."""
_NAME = "clock_tree_"
_NORTH = "N"


@dataclass(frozen=True)
class _Load:
    """A pin that the tree drives, and where it is."""

    instance: str
    pin: str
    x: float
    y: float


@dataclass(frozen=True)
class ClockTree:
    """The circuit and its placement with the buffers of the tree."""

    circuit: Circuit
    placement: Placement
    buffers: frozenset[str]
    levels: int


def grow(circuit: Circuit, placement: Placement, outlines: Outlines) -> ClockTree:
    """Put a tree between the clock port and the registers."""
    loads = [
        _Load(name, pin, placed.middle, placed.y)
        for name, cell in circuit.cells.items()
        for pin, net in cell.nets.items()
        if net == CLOCK
        for placed in (placement.cells[name],)
    ]
    if not loads:
        raise ToolError(f"{circuit.name} has no register that the port {CLOCK} clocks")
    cells = dict(circuit.cells)
    wanted: dict[str, tuple[float, float]] = {}
    levels = 0
    while levels == 0 or len(loads) > 1:
        levels += 1
        groups = _near(loads, -(-len(loads) // _FANOUT))
        loads = [_drive(group, cells, wanted, outlines) for group in groups]
    [root] = loads
    cells[root.instance] = _connected(cells[root.instance], root.pin, CLOCK)
    grown = Circuit(circuit.name, circuit.ports, cells)
    return ClockTree(grown, _make_room(placement, wanted, outlines), frozenset(wanted), levels)


def _near(loads: Sequence[_Load], groups: int) -> list[list[_Load]]:
    """So many groups of nearly equal size: the loads are cut in two along their longer side, and so
    are the halves."""
    if groups == 1:
        return [list(loads)]
    wide = _extent([load.x for load in loads]) > _extent([load.y for load in loads])
    ordered = sorted(loads, key=lambda load: (load.x, load.y) if wide else (load.y, load.x))
    first = groups // 2
    cut = round(len(ordered) * first / groups)
    return _near(ordered[:cut], first) + _near(ordered[cut:], groups - first)


def _extent(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _drive(
    group: Sequence[_Load],
    cells: dict[str, Cell],
    wanted: dict[str, tuple[float, float]],
    outlines: Outlines,
) -> _Load:
    """A buffer in the middle of a group that drives it; its input is to be driven in turn."""
    name = f"{_NAME}{len(wanted)}"
    net = f"{name}_net"
    for load in group:
        cells[load.instance] = _connected(cells[load.instance], load.pin, net)
    cells[name] = Cell(outlines.clock_buffer, {outlines.clock_buffer_output: net})
    wanted[name] = fmean(load.x for load in group), fmean(load.y for load in group)
    return _Load(name, outlines.clock_buffer_input, *wanted[name])


def _connected(cell: Cell, pin: str, net: str) -> Cell:
    return replace(cell, nets={**cell.nets, pin: net})


def _make_room(
    placement: Placement, wanted: dict[str, tuple[float, float]], outlines: Outlines
) -> Placement:
    """The placement with a buffer near each wanted position."""
    width = round(UNITS * outlines.lef.macros[outlines.clock_buffer].width)
    rows = placement.rows()
    cells = dict(placement.cells)
    filled = {y: sum(cells[name].width for name in row) for y, row in rows.items()}
    mean = fmean(filled.values())
    for buffer, (x, y) in wanted.items():
        chosen = min(
            rows, key=lambda row: abs(row - y) + _LONGER * max(0, filled[row] + width - mean)
        )
        like = cells[rows[chosen][0]].orientation
        cells[buffer] = Placed(
            outlines.clock_buffer, round(x) - width // 2, chosen, width, _upright(like)
        )
        filled[chosen] += width
        rows[chosen].append(buffer)
    return Placement(_pushed_apart(rows, cells), placement.pads)


def _upright(orientation: str) -> str:
    """The orientation of a cell whose supplies are where those of its neighbours are."""
    return _NORTH if orientation in ("N", "FN") else "FS"


def _pushed_apart(rows: dict[int, list[str]], cells: dict[str, Placed]) -> dict[str, Placed]:
    """Every row from left to right without overlaps."""
    places = {}
    for row in rows.values():
        edge = min(cells[name].x for name in row)
        for name in sorted(row, key=lambda name: (cells[name].x, name)):
            placed = cells[name]
            edge = max(edge, placed.x)
            places[name] = replace(placed, x=edge)
            edge += placed.width
    return places
