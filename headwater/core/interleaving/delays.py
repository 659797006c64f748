# SPDX-License-Identifier: Apache-2.0
"""Estimated delays of word operations, in an FPGA and in standard cells.

They decide where the stages of a core part, and nothing else: a wrong one costs speed. Those of an
FPGA are in tenths of a look-up table of four inputs with its wire. Those of cells are in fifths of
a gate with its wire, as Yosys and ABC map it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from amaranth.hdl import Fragment, Signal
from amaranth.hdl._ir import build_netlist
from amaranth.hdl._nir import (
    AssignmentList,
    Cell,
    Instance,
    Matches,
    Netlist,
    Operator,
    Part,
    PriorityMatch,
    Top,
)

from headwater.core.function import Function, FunctionCollection
from headwater.core.interleaving.graph import Graph, graph_of

_GATE, _CHOICE, _PRIORITY = 5, 6, 3
Delay = tuple[int, int]
"""In an FPGA, and in cells."""
_NONE: Delay = (0, 0)


def delay_of(cell: Cell, functions: FunctionCollection | None) -> Delay:
    """The delays of one operation; those of a function are of the longest path in it."""
    match cell:
        case Operator():
            return _of_operator(cell)
        case Part():
            return _of_table(_address_bits(cell))
        case Matches():
            return _of_gates(len(cell.value))
        case PriorityMatch():
            return _NONE if len(cell.inputs) == 1 else _same(_PRIORITY)
        case AssignmentList():
            return _same(_CHOICE * len(cell.assignments))
        case Instance() if functions is not None:
            return _of_function(functions.named(cell.type))
    raise ValueError(f"a core in streams must be of operations and registers, not {cell!r}")


def _address_bits(cell: Part) -> int:
    """The bits of an offset that can change."""
    return sum(not net.is_const for net in cell.offset)


def _of_table(address: int) -> Delay:
    """A look-up table of four address bits, then for each further bit a multiplexer, whose select
    goes to many; gates for each bit."""
    return 10 + 12 * max(0, address - 4), 8 * address


def _of_operator(cell: Operator) -> Delay:
    width = len(cell.inputs[0])
    match cell.operator:
        case "~":
            return _NONE
        case "&" | "^" | "|":
            return _same(_GATE)
        case "m":
            return _same(_CHOICE)
        case "+" | "-":
            # A chain of carries, four bits in a unit; a tree, and the load of its inputs.
            return 16 + width // 4, 40 + 3 * width
        case "b" | "r|" | "r&" | "r^":
            return _of_gates(width)
    return _sum(_same(_GATE), _of_gates(width))


def _same(delay: int) -> Delay:
    return delay, delay


def _sum(one: Delay, other: Delay) -> Delay:
    return one[0] + other[0], one[1] + other[1]


def _of_gates(inputs: int) -> Delay:
    """A tree of gates with so many inputs."""
    return _same(_GATE * max(0, inputs - 1).bit_length())


def _of_function(function: Function) -> Delay:
    """The longest path of a function; where all is exclusive or, a tree of its inputs."""
    named = {f"x{place}": word for place, word in enumerate(function.arguments)}
    netlist = netlist_of(Fragment.get(function.body(), None), {**named, "y": function.result})
    if all(isinstance(cell, Top) or getattr(cell, "operator", "") == "^" for cell in netlist.cells):
        return _of_gates(sum(map(len, function.arguments)))
    graph = graph_of(netlist)
    return longest(graph, {number: delay_of(netlist.cells[number], None) for number in graph.order})


def longest(graph: Graph, delays: Mapping[int, Delay]) -> Delay:
    """The delays of the longest paths of a circuit, between its registers."""
    ends: dict[int, Delay] = {}
    for number in graph.order:
        begins = [ends.get(source, _NONE) for source in graph.reads[number]]
        ends[number] = _sum(_latest(begins), delays[number])
    return _latest(ends.values())


def _latest(times: Iterable[Delay]) -> Delay:
    """The latest time of each of the two."""
    one, other = zip(_NONE, *times, strict=True)
    return max(one), max(other)


def netlist_of(fragment: Fragment, ports: Mapping[str, Signal]) -> Netlist:
    """The netlist of an elaborated circuit with these signals as its ports."""
    return build_netlist(fragment, ports={name: (port, None) for name, port in ports.items()})
