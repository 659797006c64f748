# SPDX-License-Identifier: Apache-2.0
"""The layout of a netlist: placement, clock tree, routing and extraction."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow import doing
from headwater.flow.layout.circuit import Circuit, read_circuit
from headwater.flow.layout.clocktree import ClockTree, grow
from headwater.flow.layout.parasitics import extract, read_wires
from headwater.flow.layout.placement import UNITS, place
from headwater.flow.layout.routed import Routed, read_routed
from headwater.flow.layout.routing import route
from headwater.flow.layout.spef import spef
from headwater.flow.layout.technology import Technology
from headwater.flow.layout.timing import ClockTiming, clock_timing
from headwater.flow.liberty import Library
from headwater.flow.opensta import Wires


@dataclass(frozen=True)
class Layout:
    """A placed and routed netlist."""

    technology: Technology
    circuit: Circuit
    """The netlist that was routed, with the clock tree."""
    tree: ClockTree
    routed: Routed
    wires: Wires
    clock: ClockTiming
    wire_pf: float
    """Capacitance of all wires."""
    stacked_vias: int
    """Places where the router kept more vias above one another than it should."""

    @property
    def die_um2(self) -> float:
        """Area of the die, with its pins and power stripes, without pads."""
        left, lower, right, upper = self.routed.die
        return (right - left) * (upper - lower) / UNITS**2

    @property
    def cells_um2(self) -> float:
        """Area of all cells but fillers."""
        macros = self.technology.lef.macros
        used = [macros[cell.kind] for cell in self.circuit.cells.values()]
        return fsum(macro.width * macro.height for macro in used)

    @property
    def clock_um2(self) -> float:
        """The part of the clock tree."""
        macro = self.technology.lef.macros[self.technology.clock_buffer]
        return len(self.tree.buffers) * macro.width * macro.height

    @property
    def wire_mm(self) -> float:
        """Length of all wires."""
        return fsum(net.length_um for net in self.routed.nets.values()) / 1000

    @property
    def longest(self) -> tuple[str, float]:
        """The net with the longest wire, and its length in micrometres."""
        name, net = max(self.routed.nets.items(), key=lambda item: (item[1].length_um, item[0]))
        return name, net.length_um


def lay_out(
    netlist: str, technology: Technology, library: Library, top: str, folder: Path
) -> Layout:
    """Lay out a mapped netlist; the same layout each time.

    Raises
    ------
    ToolError
        If a tool is missing, fails or takes too long, if nets cannot be routed, or if data are
        faster than the clock (which no lower clock frequency would heal).
    """
    doing.step("placement")
    mapped = read_circuit(netlist, library, top, folder)
    tree = grow(mapped, place(mapped, technology, folder), technology)
    doing.step("routing")
    stacked = route(tree.circuit, tree.placement, technology, folder)
    routed = read_routed((folder / "routed.def").read_text())
    circuit = routed.circuit(mapped)
    if circuit.cells != tree.circuit.cells:
        raise ToolError(f"the routed netlist of {top} is not the one that was to be routed")
    doing.step("extraction")
    layers = {layer.name: layer for layer in technology.lef.layers}
    found = extract(routed, read_wires((folder / "routed.rc").read_text()), layers)
    text = spef(top, found)
    clock = clock_timing(circuit.verilog(), library, top, folder, text)
    if clock.hold_slack_ns < 0:
        late = -1000 * clock.hold_slack_ns
        raise ToolError(f"data in the layout of {top} change {late:.0f} ps too early for the clock")
    return Layout(
        technology, circuit, tree, routed, Wires(text, clock.insertion_ns), clock,
        fsum(wire.pf for wire in found.values()), stacked,
    )  # fmt: skip
