# SPDX-License-Identifier: Apache-2.0
"""A picture of a die, as SVG: registers, other cells, and the clock tree."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator

from headwater.flow.layout.layout import Layout
from headwater.flow.layout.placement import UNITS
from headwater.flow.liberty import Library

COLOURS = {"register": "#2f6fb0", "logic": "#c9ccd1", "clock": "#c8452f"}
"""The colour of each class of cells."""
_GROUND, _EDGE = "#f6f4ee", "#555555"
_LINE = 0.5
"""Width of the lines of the clock tree, in micrometres."""


def picture(layout: Layout, library: Library) -> str:
    """The die with its cells; lines lead from each clock buffer to what it drives. One unit is a
    micrometre."""
    left, lower, right, upper = (value / UNITS for value in layout.die)
    width, height = f"{right - left:g}", f"{upper - lower:g}"
    title = f"{layout.circuit.name} on {library.name}, {width} by {height} micrometres"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f"<title>{title}</title>",
        f'<path fill="{_GROUND}" stroke="{_EDGE}" d="M0 0H{width}V{height}H0z"/>',
    ]
    for look, colour in COLOURS.items():
        outlines = "".join(_outlines(layout, library, look))
        lines.append(
            f'<path class="{look}" fill="{colour}" stroke="{_GROUND}" stroke-width="0.4" '
            f'd="{outlines}"/>'
        )
    lines.append(
        f'<path class="tree" fill="none" stroke="{COLOURS["clock"]}" stroke-width="{_LINE}" '
        f'd="{"".join(_branches(layout))}"/>'
    )
    return "\n".join([*lines, "</svg>"]) + "\n"


def packed(svg: str) -> str:
    """A picture as text for a record: compressed, in base 64."""
    return base64.b64encode(zlib.compress(svg.encode(), 9)).decode()


def _outlines(layout: Layout, library: Library, look: str) -> Iterator[str]:
    """The outline of each cell of a class."""
    for name, cell in layout.circuit.cells.items():
        if look == _class(name, cell.kind, layout, library):
            x, y, width, height = _box(layout, name)
            yield f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z"


def _class(name: str, kind: str, layout: Layout, library: Library) -> str:
    if name in layout.tree.buffers:
        return "clock"
    return "register" if kind in library.sequential else "logic"


def _box(layout: Layout, name: str) -> tuple[float, float, float, float]:
    """Left and upper edge, width and height of a cell; y grows downwards."""
    x, y = layout.places[name]
    macro = layout.outlines.lef.macros[layout.circuit.cells[name].kind]
    left, _, _, upper = layout.die
    return (x - left) / UNITS, upper / UNITS - y / UNITS - macro.height, macro.width, macro.height


def _branches(layout: Layout) -> Iterator[str]:
    """A line from each clock buffer to the middle of each cell that it drives."""
    driven: dict[str, list[str]] = {}
    for name, cell in layout.circuit.cells.items():
        for net in cell.nets.values():
            driven.setdefault(net, []).append(name)
    for buffer in sorted(layout.tree.buffers):
        net = layout.circuit.cells[buffer].nets[layout.outlines.clock_buffer_output]
        start = _middle(layout, buffer)
        for instance in driven[net]:
            if instance != buffer:
                yield f"M{start}L{_middle(layout, instance)}"


def _middle(layout: Layout, name: str) -> str:
    x, y, width, height = _box(layout, name)
    return f"{x + width / 2:g} {y + height / 2:g}"
