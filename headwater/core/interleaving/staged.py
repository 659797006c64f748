# SPDX-License-Identifier: Apache-2.0
"""A plain circuit as a netlist with the stages of its operations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amaranth.hdl import Fragment, Signal
from amaranth.hdl._nir import Net, Netlist

from headwater.core.function import FunctionCollection
from headwater.core.interleaving.delays import Delay, delay_of, longest, netlist_of
from headwater.core.interleaving.graph import INPUTS, Graph, graph_of, read_by
from headwater.core.interleaving.schedule import Schedule, schedule
from headwater.core.interleaving.sums import CutNetlist

PART_BITS = 8
"""Bits of the parts of additions, where they are cut."""
_UNIT = 10_000
"""The period of the plain core."""


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
    circuit: object,
    ports: Mapping[str, Signal],
    constants: frozenset[str],
    functions: FunctionCollection | None,
    streams: int,
) -> Staged:
    """The stages of a circuit for so many sessions. Functions are whole if they are collected."""
    fragment = Fragment.get(circuit, functions)
    registers = registers_of(fragment)
    plain = netlist_of(fragment, ports)
    graph = graph_of(plain, _constant_nets(plain, constants))
    period = longest(graph, _delays(plain, graph, functions))
    cut = CutNetlist(plain, PART_BITS)
    parts = graph_of(cut, _constant_nets(cut, constants))
    netlist, graph, plan = min(
        _scheduled(plain, graph, functions, period, streams),
        _scheduled(cut, parts, functions, period, streams),
        key=lambda one: sorted(one[2].period, reverse=True),
    )
    names = {netlist.signals[register][0].cell: name for name, register in registers.items()}
    return Staged(netlist, graph, plan, constants, names)


def _constant_nets(netlist: Netlist, constants: frozenset[str]) -> list[Net]:
    return [
        Net.from_cell(INPUTS, start + bit)
        for name, (start, width) in netlist.top.ports_i.items()
        if name in constants
        for bit in range(width)
    ]


def _delays(
    netlist: Netlist, graph: Graph, functions: FunctionCollection | None
) -> dict[int, Delay]:
    return {number: delay_of(netlist.cells[number], functions) for number in graph.order}


def _scheduled(
    netlist: Netlist,
    graph: Graph,
    functions: FunctionCollection | None,
    period: Delay,
    streams: int,
) -> tuple[Netlist, Graph, Schedule]:
    """The stages of a netlist; ``period`` is that of the plain core."""
    delays = {
        number: (one * _UNIT // period[0], other * _UNIT // period[1])
        for number, (one, other) in _delays(netlist, graph, functions).items()
    }
    updates, outputs = set[int](), set[int]()
    for reader, nets in read_by(netlist):
        ends = outputs if reader == INPUTS else updates
        ends |= {net.cell for net in nets if net.is_cell}
    plan = schedule(graph, delays, sorted(updates), sorted(outputs), streams)
    return netlist, graph, plan


def registers_of(fragment: Fragment) -> dict[str, Signal]:
    """The registers of an elaborated circuit that have bits, by name."""
    registers: dict[str, Signal] = {}
    for domain, statements in fragment.statements.items():
        if domain != "comb":
            registers |= {
                one.name: one
                for statement in statements
                for one in statement._lhs_signals()
                if len(one)
            }
    for part, *_ in fragment.subfragments:
        registers |= registers_of(part)
    return registers
