# SPDX-License-Identifier: Apache-2.0
"""The floorplan: where the router finds core, pins, die and tracks.

Cells begin one offset off the grid of wires, so that their pins are on it. Around the core is a
ring of a few tracks for the pins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from headwater.flow.layout.lef import Layer
from headwater.flow.layout.placement import UNITS, Pad, Placement
from headwater.flow.layout.technology import Technology

_RING = 3
"""Tracks between the core and the edge of the die."""

Box = tuple[int, int, int, int]
"""Left, lower, right and upper edge."""
Point = tuple[int, int]


@dataclass(frozen=True)
class Grid:
    """The grid of wires: pitch and offset in both directions."""

    pitch_x: int
    pitch_y: int
    offset_x: int
    offset_y: int

    @classmethod
    def of(cls, layers: tuple[Layer, ...]) -> Grid:
        """The grid of the lowest layer of each direction."""
        across = next(layer for layer in layers if not layer.horizontal)
        along = next(layer for layer in layers if layer.horizontal)
        sizes = (across.pitch, along.pitch, across.offset, along.offset)
        return cls(*(round(UNITS * size) for size in sizes))


@dataclass(frozen=True)
class Floorplan:
    """A placement, and how far it is moved so that pins are on the grid of wires."""

    placement: Placement
    technology: Technology
    grid: Grid
    dx: int
    dy: int
    core: Box
    die: Box

    @classmethod
    def of(cls, placement: Placement, technology: Technology) -> Floorplan:
        """The floorplan of a placement."""
        grid = Grid.of(technology.lef.layers)
        cells = placement.cells.values()
        dx = grid.offset_x - min(cell.x for cell in cells)
        dy = grid.offset_y - min(cell.y for cell in cells)
        right = dx + max(cell.x + cell.width for cell in cells)
        upper = dy + max(cell.y for cell in cells) + round(UNITS * technology.row_height)
        die = (
            -_RING * grid.pitch_x,
            -_RING * grid.pitch_y,
            grid.pitch_x * (ceil(right / grid.pitch_x) + _RING),
            grid.pitch_y * (ceil(upper / grid.pitch_y) + _RING),
        )
        core = grid.offset_x, grid.offset_y, right, upper
        return cls(placement, technology, grid, dx, dy, core, die)

    def pins(self) -> dict[str, Point]:
        """The pins at points of the grid beside the core, no two at the same."""
        places: dict[str, Point] = {}
        occupied: set[Point] = set()
        for name, pad in self.placement.pads.items():
            point = self._beside_core(pad)
            while point in occupied:
                x, y = point
                point = (x, y + self.grid.pitch_y) if pad.on_side else (x + self.grid.pitch_x, y)
            occupied.add(point)
            places[name] = point
        return places

    def _beside_core(self, pad: Pad) -> Point:
        """The point of the grid where a pin is wanted, moved to the ring around the core."""
        grid, die, core = self.grid, self.die, self.core
        x = grid.pitch_x * round((pad.x + self.dx) / grid.pitch_x)
        y = grid.pitch_y * round((pad.y + self.dy) / grid.pitch_y)
        if pad.on_side:
            return (die[0] + grid.pitch_x if x < core[2] / 2 else die[2] - grid.pitch_x), y
        return x, (die[1] + grid.pitch_y if y < core[3] / 2 else die[3] - grid.pitch_y)

    def obstructions(self) -> Iterator[tuple[Layer, tuple[float, ...]]]:
        """Where no wire may go, in micrometres: in the ring on the lowest layer, and on the others
        where they would lie on pins."""
        left, lower, right, upper = _grown(self.die, self.grid.pitch_x, self.grid.pitch_y)
        inner = _grown(self.core, self.grid.pitch_x // 2, self.grid.pitch_y // 2)
        beyond = [(left, inner[3], right, upper), (left, lower, right, inner[1])]
        beside = [(left, inner[1], inner[0], inner[3]), (inner[2], inner[1], right, inner[3])]
        lowest, *others = self.technology.lef.layers
        blocked = [(lowest, [*beyond, *beside])]
        blocked += [(layer, beyond if layer.horizontal else beside) for layer in others]
        for layer, boxes in blocked:
            for box in boxes:
                yield layer, tuple(edge / UNITS for edge in box)


def _grown(box: Box, dx: int, dy: int) -> Box:
    left, lower, right, upper = box
    return left - dx, lower - dy, right + dx, upper + dy
