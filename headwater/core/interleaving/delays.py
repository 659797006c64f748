# SPDX-License-Identifier: Apache-2.0
"""Estimated delays of word operations, in tenths of a look-up table of four inputs with its wire.

They decide where the stages of a core part, and nothing else: a wrong one costs speed.
"""

from __future__ import annotations

from collections.abc import Mapping

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
from headwater.core.interleaving.graph import INPUTS, graph_of

_GATE, _CHOICE, _PRIORITY, _INDEX_BIT = 5, 6, 3, 3
_ADDITION, _CARRIES_IN_UNIT = 16, 4
"""An addition without its carry chain, and bits of the chain that take one unit."""


def delay_of(cell: Cell, functions: FunctionCollection | None) -> int:
    """The delay of one operation; that of a function is the longest path in it."""
    match cell:
        case Operator():
            return _of_operator(cell)
        case Part():
            return _INDEX_BIT * len(cell.offset)
        case Matches():
            return _of_gates(len(cell.value))
        case PriorityMatch():
            return 0 if len(cell.inputs) == 1 else _PRIORITY
        case AssignmentList():
            return _CHOICE * len(cell.assignments)
        case Instance() if functions is not None:
            return _of_function(functions.named(cell.type))
    raise ValueError(f"a core in streams must be of operations and registers, not {cell!r}")


def _of_operator(cell: Operator) -> int:
    width = len(cell.inputs[0])
    match cell.operator:
        case "~":
            return 0
        case "&" | "^" | "|":
            return _GATE
        case "m":
            return _CHOICE
        case "+" | "-":
            return _ADDITION + width // _CARRIES_IN_UNIT
        case "b" | "r|" | "r&" | "r^":
            return _of_gates(width)
    return _GATE + _of_gates(width)


def _of_gates(inputs: int) -> int:
    """A tree of gates with so many inputs."""
    return _GATE * max(0, inputs - 1).bit_length()


def _of_function(function: Function) -> int:
    """The longest path of a function; where all is exclusive or, a tree of its inputs."""
    named = {f"x{place}": word for place, word in enumerate(function.arguments)}
    netlist = netlist_of(Fragment.get(function.body(), None), {**named, "y": function.result})
    if all(isinstance(cell, Top) or getattr(cell, "operator", "") == "^" for cell in netlist.cells):
        return _of_gates(sum(map(len, function.arguments)))
    graph = graph_of(netlist)
    ends = {INPUTS: 0}
    for number in graph.order:
        begins = max((ends.get(source, 0) for source in graph.reads[number]), default=0)
        ends[number] = begins + delay_of(netlist.cells[number], None)
    return max(ends.values())


def netlist_of(fragment: Fragment, ports: Mapping[str, Signal]) -> Netlist:
    """The netlist of an elaborated circuit with these signals as its ports."""
    return build_netlist(fragment, ports={name: (port, None) for name, port in ports.items()})
