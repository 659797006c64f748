# SPDX-License-Identifier: Apache-2.0
"""The layout of a netlist: placement, clock tree and wires. These are routed and extracted here;
`headwater.flow.layout.estimate` estimates them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow import doing
from headwater.flow.layout.circuit import PORT_BUFFER, Circuit, read_circuit
from headwater.flow.layout.clocktree import ClockTree, grow
from headwater.flow.layout.floorplan import Box, Point
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.parasitics import Wire, extract, read_wires
from headwater.flow.layout.placement import UNITS, place
from headwater.flow.layout.routed import Routed, read_routed
from headwater.flow.layout.routing import UnroutedError, route
from headwater.flow.layout.spef import spef
from headwater.flow.layout.spreading import spread
from headwater.flow.layout.technology import Technology
from headwater.flow.layout.timing import ClockTiming, clock_timing
from headwater.flow.liberty import Library
from headwater.flow.opensta import Wires

_LONGER = (0.0, 0.15, 0.4)
"""By which part the rows of the placer are made longer, one after the other, until every net is
routed."""


@dataclass(frozen=True)
class Layout:
    """A placed netlist with its clock tree, and wires that are routed or estimated."""

    outlines: Outlines
    circuit: Circuit
    """The netlist with the clock tree."""
    tree: ClockTree
    places: Mapping[str, Point]
    """The lower left corner of each cell."""
    die: Box
    lengths_um: Mapping[str, float]
    """Length of the wire of each net."""
    wires: Wires
    clock: ClockTiming
    wire_pf: float
    """Capacitance of all wires."""
    vias: int | None = None
    """None: wires are estimated."""
    stacked_vias: int | None = None
    """Places where the router kept more vias above one another than it should."""

    @property
    def is_routed(self) -> bool:
        """Whether the wires are routed, not estimated."""
        return self.vias is not None

    @property
    def die_um2(self) -> float:
        """Area of the die, without pads; if it is routed, with its pins and power stripes."""
        left, lower, right, upper = self.die
        return (right - left) * (upper - lower) / UNITS**2

    @property
    def cells_um2(self) -> float:
        """Area of all cells but fillers."""
        macros = self.outlines.lef.macros
        used = [macros[cell.kind] for cell in self.circuit.cells.values()]
        return fsum(macro.width * macro.height for macro in used)

    @property
    def clock_um2(self) -> float:
        """The part of the clock tree."""
        return len(self.tree.buffers) * self._buffer_um2

    @property
    def added_um2(self) -> float:
        """The part of all cells that the netlist before did not have: the clock tree, and buffers
        before ports."""
        before_ports = sum(name.startswith(PORT_BUFFER) for name in self.circuit.cells)
        return self.clock_um2 + before_ports * self._buffer_um2

    @property
    def _buffer_um2(self) -> float:
        macro = self.outlines.lef.macros[self.outlines.clock_buffer]
        return macro.width * macro.height

    @property
    def wire_mm(self) -> float:
        """Length of all wires."""
        return fsum(self.lengths_um.values()) / 1000

    @property
    def longest(self) -> tuple[str, float]:
        """The net with the longest wire, and its length in micrometres."""
        return max(self.lengths_um.items(), key=lambda item: (item[1], item[0]))


def lay_out(
    netlist: str,
    technology: Technology,
    library: Library,
    top: str,
    folder: Path,
    seed: int | None = None,
) -> Layout:
    """Lay out a mapped netlist; the same layout each time that the placer's seed is the same.

    Raises
    ------
    ToolError
        If a tool is missing, fails or takes too long, if nets cannot be routed, or if data are
        faster than the clock (which no lower clock frequency would heal).
    """
    doing.step("placement")
    mapped = read_circuit(netlist, library, top, folder).with_ports_apart(
        # Of the ports of a net, the router tells the wire to one alone.
        technology.clock_buffer,
        technology.clock_buffer_input,
        technology.clock_buffer_output,
    )
    tree = grow(mapped, place(mapped, technology, folder, seed), technology)
    stacked, routed, parasitics = _routed(tree, technology, folder)
    circuit = routed.circuit(mapped)
    if circuit.cells != tree.circuit.cells:
        raise ToolError(f"the routed netlist of {top} is not the one that was to be routed")
    wires, clock = timed_wires(circuit, parasitics, library, folder)
    return Layout(
        outlines=technology,
        circuit=circuit,
        tree=tree,
        places={name: (cell.x, cell.y) for name, cell in routed.components.items()},
        die=routed.die,
        lengths_um={name: net.length_um for name, net in routed.nets.items()},
        wires=wires,
        clock=clock,
        wire_pf=fsum(wire.pf for wire in parasitics.values()),
        vias=sum(net.vias for net in routed.nets.values()),
        stacked_vias=stacked,
    )


def _routed(
    tree: ClockTree, technology: Technology, folder: Path
) -> tuple[int, Routed, dict[str, Wire]]:
    """Route a circuit and extract its wires, with gaps between its cells if this cannot be done
    without; gives what `_attempt` gives."""
    *attempts, last = _LONGER
    for longer in attempts:
        with suppress(UnroutedError):
            return _attempt(tree, longer, technology, folder)
    return _attempt(tree, last, technology, folder)


def _attempt(
    tree: ClockTree, longer: float, technology: Technology, folder: Path
) -> tuple[int, Routed, dict[str, Wire]]:
    """What `route` gives with rows that are longer by this part, what was routed, and its wires; an
    `UnroutedError` if a wire does not lead to all pins of its net."""
    doing.step(f"routing of rows {longer:.0%} longer" if longer else "routing")
    stacked = route(tree.circuit, spread(tree.placement, longer, technology), technology, folder)
    doing.step("extraction")
    routed = read_routed((folder / "routed.def").read_text())
    layers = {layer.name: layer for layer in technology.lef.layers}
    return stacked, routed, extract(routed, read_wires((folder / "routed.rc").read_text()), layers)


def timed_wires(
    circuit: Circuit, wires: Mapping[str, Wire], library: Library, folder: Path
) -> tuple[Wires, ClockTiming]:
    """The wires as OpenSTA reads them, and the clock that comes through them; an error if data are
    faster than the clock."""
    text = spef(circuit.name, wires)
    clock = clock_timing(circuit.verilog(), library, circuit.name, folder, text)
    if clock.hold_slack_ns < 0:
        late = f"{-1000 * clock.hold_slack_ns:.0f} ps too early for the clock"
        raise ToolError(f"data in the layout of {circuit.name} change {late}")
    return Wires(text, clock.insertion_ns), clock
