# SPDX-License-Identifier: Apache-2.0
"""A placed circuit as DEF, for the router. The lines look as those of qflow's ``place2def``, since
scripts of qflow read them, too."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.flow.layout.circuit import Circuit
from headwater.flow.layout.floorplan import Floorplan
from headwater.flow.layout.placement import UNITS


def placed_def(circuit: Circuit, plan: Floorplan) -> str:
    """A placed circuit without wires."""
    left, lower, right, upper = plan.die
    lines = [
        "VERSION 5.6 ;",
        "NAMESCASESENSITIVE ON ;",
        'DIVIDERCHAR "/" ;',
        'BUSBITCHARS "[]" ;',
        f"DESIGN {circuit.name} ;",
        f"UNITS DISTANCE MICRONS {UNITS} ;",
        "",
        f"DIEAREA ( {left} {lower} ) ( {right} {upper} ) ;",
        "",
        *_tracks(plan),
        "",
        *_components(plan),
        "",
        *_pins(circuit, plan),
        "",
        *_nets(circuit),
        "",
        "END DESIGN",
    ]
    return "\n".join(lines) + "\n"


def _tracks(plan: Floorplan) -> Iterator[str]:
    left, lower, right, upper = plan.die
    for layer in plan.technology.lef.layers:
        pitch = round(UNITS * layer.pitch)
        start, end = (lower, upper) if layer.horizontal else (left, right)
        # Tracks go through multiples of the pitch.
        first = pitch * -(-start // pitch)
        axis = "Y" if layer.horizontal else "X"
        count = 1 + (end - first) // pitch
        yield f"TRACKS {axis} {first} DO {count} STEP {pitch} LAYER {layer.name} ;"


def _components(plan: Floorplan) -> Iterator[str]:
    yield f"COMPONENTS {len(plan.placement.cells)} ;"
    for row in plan.placement.rows().values():
        for name in row:
            cell = plan.placement.cells[name]
            x, y = cell.x + plan.dx, cell.y + plan.dy
            yield f"- {name} {cell.kind} + PLACED ( {x} {y} ) {cell.orientation} ;"
    yield "END COMPONENTS"


def _pins(circuit: Circuit, plan: Floorplan) -> Iterator[str]:
    """The pins, not on the lowest layer, which the cells use."""
    above = plan.technology.lef.layers[1:]
    along = next(layer.name for layer in above if layer.horizontal)
    across = next(layer.name for layer in above if not layer.horizontal)
    nets = circuit.pads
    yield f"PINS {len(nets)} ;"
    for name, (x, y) in plan.pins().items():
        layer = along if plan.placement.pads[name].on_side else across
        yield f"- {name} + NET {nets[name]}"
        yield f"  + LAYER {layer} ( 0 0 ) ( 1 1 )"
        yield f"  + PLACED ( {x} {y} ) N ;"
    yield "END PINS"


def _nets(circuit: Circuit) -> Iterator[str]:
    ends: dict[str, list[str]] = {}
    for name, net in circuit.pads.items():
        ends.setdefault(net, []).append(f"( PIN {name} )")
    for instance, cell in circuit.cells.items():
        for pin, net in cell.nets.items():
            ends.setdefault(net, []).append(f"( {instance} {pin} )")
    yield f"NETS {len(ends)} ;"
    for net, pins in ends.items():
        yield f"- {net}"
        yield from (f"  {pin}" for pin in pins[:-1])
        yield f"  {pins[-1]} ;"
    yield "END NETS"
