# SPDX-License-Identifier: Apache-2.0
"""A plain circuit as a netlist with the stages of its operations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amaranth.hdl import Fragment, Signal
from amaranth.hdl._nir import Net, Netlist

from headwater.core.function import FunctionCollection
from headwater.core.interleaving.delays import delay_of, netlist_of
from headwater.core.interleaving.graph import INPUTS, Graph, graph_of, read_by
from headwater.core.interleaving.schedule import Schedule, schedule


@dataclass(frozen=True)
class Staged:
    """A plain circuit with one clock, whose reset is an input as any other, and its stages."""

    netlist: Netlist
    graph: Graph
    schedule: Schedule
    constants: frozenset[str]
    """The names of inputs that never change."""
    names: Mapping[int, str]
    """The names of its registers, by number."""


def staged(
    circuit: object, ports: Mapping[str, Signal], constants: frozenset[str],
    functions: FunctionCollection | None, streams: int,
) -> Staged:  # fmt: skip
    """The stages of a circuit for so many sessions. Functions are whole if they are collected."""
    fragment = Fragment.get(circuit, functions)
    registers = registers_of(fragment)
    netlist = netlist_of(fragment, ports)
    fixed = [Net.from_cell(INPUTS, start + bit)
             for name, (start, width) in netlist.top.ports_i.items() if name in constants
             for bit in range(width)]  # fmt: skip
    graph = graph_of(netlist, fixed)
    delays = {number: delay_of(netlist.cells[number], functions) for number in graph.order}
    updates, outputs = set[int](), set[int]()
    for reader, nets in read_by(netlist):
        ends = outputs if reader == INPUTS else updates
        ends |= {net.cell for net in nets if net.is_cell}
    made = schedule(graph, delays, sorted(updates), sorted(outputs), streams)
    names = {netlist.signals[register][0].cell: name for name, register in registers.items()}
    return Staged(netlist, graph, made, constants, names)


def registers_of(fragment: Fragment) -> dict[str, Signal]:
    """The registers of an elaborated circuit, by name."""
    found: dict[str, Signal] = {}
    for domain, statements in fragment.statements.items():
        if domain != "comb":
            found |= {one.name: one for statement in statements for one in statement._lhs_signals()}
    for part, *_ in fragment.subfragments:
        found |= registers_of(part)
    return found
