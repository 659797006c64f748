# SPDX-License-Identifier: Apache-2.0
"""A placed netlist whose wires are estimated: nothing is routed.

The wire of a net is a short tree over its pins (`headwater.flow.layout.steiner`). Its horizontal
pieces are on one layer and its vertical ones on another; resistance and capacitance of a micrometre
are those of these layers. What routing adds is left out: detours, vias, and wires on other layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from headwater.flow import doing
from headwater.flow.layout.bookshelf import Rows
from headwater.flow.layout.circuit import Circuit, read_circuit
from headwater.flow.layout.clocktree import grow
from headwater.flow.layout.coloquinte import place_cells
from headwater.flow.layout.floorplan import Point
from headwater.flow.layout.layout import Layout, timed_wires
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.parasitics import Branch, Wire
from headwater.flow.layout.pins import pin_places
from headwater.flow.layout.placement import UNITS, Placement
from headwater.flow.layout.steiner import Tree, steiner_tree
from headwater.flow.liberty import Library

_PORT = "PIN"


@dataclass(frozen=True)
class Estimate:
    """The wire of a net, and its length in micrometres."""

    wire: Wire
    length_um: float


def estimate_layout(
    netlist: str, outlines: Outlines, library: Library, top: str, folder: Path
) -> Layout:
    """Place a mapped netlist, grow its clock tree, and estimate its wires; the same each time.

    Raises
    ------
    ToolError
        If the placer is missing, fails or takes too long, or if data are faster than the clock.
    """
    doing.step("placement")
    mapped = read_circuit(netlist, library, top, folder)
    outlines.refuse_unknown(cell.kind for cell in mapped.cells.values())
    rows = Rows.of(mapped, outlines)
    tree = grow(mapped, place_cells(mapped, outlines, rows, folder), outlines)
    parasitics = estimates(tree.circuit, tree.placement, outlines)
    wires = {net: estimate.wire for net, estimate in parasitics.items()}
    timed, clock = timed_wires(tree.circuit, wires, library, folder)
    cells = tree.placement.cells
    return Layout(
        outlines=outlines,
        circuit=tree.circuit,
        tree=tree,
        places={name: (cell.x, cell.y) for name, cell in cells.items()},
        die=(0, 0, max(rows.width, *(cell.x + cell.width for cell in cells.values())), rows.upper),
        lengths_um={net: estimate.length_um for net, estimate in parasitics.items()},
        wires=timed,
        clock=clock,
        wire_pf=fsum(wire.pf for wire in wires.values()),
    )


def estimates(circuit: Circuit, placement: Placement, outlines: Outlines) -> dict[str, Estimate]:
    """The wire of each net with several ends, from the pin that drives it."""
    places = pin_places(circuit, placement.cells, outlines.lef.macros)
    for name, net in circuit.pads.items():
        pad = placement.pads[name]
        places.setdefault(net, {})[_PORT, name] = pad.x, pad.y
    drivers = _drivers(circuit, outlines)
    return {
        net: _estimate(drivers[net], ends, outlines)
        for net, ends in places.items()
        if len(ends) > 1
    }


def _drivers(circuit: Circuit, outlines: Outlines) -> dict[str, tuple[str, str]]:
    """What drives each net: (instance, pin), or (``PIN``, port)."""
    drivers = {
        net: (name, pin)
        for name, cell in circuit.cells.items()
        for pin, net in cell.nets.items()
        if outlines.lef.macros[cell.kind].pins[pin].direction == "OUTPUT"
    }
    inputs = (
        bit
        for name, port in circuit.ports.items()
        if port.direction == "input"
        for bit in port.bits(name)
    )
    return {**drivers, **{net: (_PORT, bit) for bit, net in inputs}}


def _estimate(
    driver: tuple[str, str], ends: Mapping[tuple[str, str], Point], outlines: Outlines
) -> Estimate:
    order = [driver, *(end for end in ends if end != driver)]
    tree = steiner_tree([ends[end] for end in order])
    names = ["/".join(end) for end in order]
    return Estimate(Wire(names[0], _Pieces(tree, names, outlines).from_root()), tree.length / UNITS)


class _Pieces:
    """The pieces of a tree with their resistance and capacitance."""

    def __init__(self, tree: Tree, names: list[str], outlines: Outlines) -> None:
        self._tree, self._names = tree, names
        self._children = tree.children()
        layers = outlines.signal_layers
        self._ohm = [layer.wire_ohm / UNITS for layer in layers]
        self._pf = [outlines.wire_pf(layer) / UNITS for layer in layers]

    def from_root(self) -> Branch:
        """A piece without a length at the driver, and all behind it."""
        return Branch(0.0, 0.0, (), self._behind(0))

    def _behind(self, place: int) -> tuple[Branch, ...]:
        return tuple(map(self._branch, self._children.get(place, ())))

    def _branch(self, child: int) -> Branch:
        lengths = self._tree.piece(child)
        ohm, pf = (
            sum(length * value for length, value in zip(lengths, values, strict=True))
            for values in (self._ohm, self._pf)
        )
        pins = (self._names[child],) if child < len(self._names) else ()
        return Branch(ohm, pf, pins, self._behind(child))
