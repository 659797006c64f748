# SPDX-License-Identifier: Apache-2.0
"""Where the pins of placed cells are, in hundredths of a micrometre."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.flow.layout.circuit import Circuit
from headwater.flow.layout.floorplan import Point
from headwater.flow.layout.lef import Macro
from headwater.flow.layout.placement import UNITS, Placed


def pin_of(macro: Macro, pin: str) -> Point:
    """The middle of the last shape of a pin, from the lower left corner of its cell."""
    _, (left, lower, right, upper) = macro.pins[pin].shapes[-1]
    return round(UNITS * (left + right) / 2), round(UNITS * (lower + upper) / 2)


def pin_places(
    circuit: Circuit, cells: Mapping[str, Placed], macros: Mapping[str, Macro]
) -> dict[str, dict[tuple[str, str], Point]]:
    """By net the place of each (instance, pin)."""
    places: dict[str, dict[tuple[str, str], Point]] = {}
    for name, cell in circuit.cells.items():
        for pin, net in cell.nets.items():
            places.setdefault(net, {})[name, pin] = _placed(cells[name], macros[cell.kind], pin)
    return places


def _placed(placed: Placed, macro: Macro, pin: str) -> Point:
    x, y = pin_of(macro, pin)
    if placed.orientation in ("FN", "S"):
        x = placed.width - x
    if placed.orientation in ("FS", "S"):
        y = round(UNITS * macro.height) - y
    return placed.x + x, placed.y + y
