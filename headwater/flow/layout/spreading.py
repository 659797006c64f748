# SPDX-License-Identifier: Apache-2.0
"""Gaps between placed cells, for wires that found no way between them.

The placer fills its rows, and knows no other density.
"""

from __future__ import annotations

from dataclasses import replace

from headwater.flow.layout.placement import UNITS, Placement
from headwater.flow.layout.technology import Technology


def spread(placement: Placement, longer: float, technology: Technology) -> Placement:
    """The placement with rows that are longer by this part, e.g. 0.15. The order of cells stays,
    and every gap can be filled with fill cells."""
    if not longer:
        return placement
    step = round(UNITS * technology.lef.macros[technology.fill_cell].width)
    left = min(cell.x for cell in placement.cells.values())

    def moved(x: int) -> int:
        return left + step * round((1 + longer) * (x - left) / step)

    cells = dict(placement.cells)
    for row in placement.rows().values():
        edge = left
        for name in row:
            edge = max(edge, moved(cells[name].x))
            cells[name] = replace(cells[name], x=edge)
            edge += cells[name].width
    pads = {name: replace(pad, x=moved(pad.x)) for name, pad in placement.pads.items()}
    return Placement(cells, pads)
