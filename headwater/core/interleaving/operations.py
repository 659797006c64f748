# SPDX-License-Identifier: Apache-2.0
"""The operations of a netlist as Amaranth expressions of other operands."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.hdl._nir import (
    AssignmentList,
    Cell,
    Instance,
    Matches,
    Operator,
    Part,
    PriorityMatch,
)
from amaranth.hdl._nir import Value as Nets

from headwater.core import function

Read = Callable[[Nets], Value]
"""The operand that some nets stand for."""

_ONE: Mapping[str, Callable[[Any], Value]] = {
    "~": operator.invert,
    "-": operator.neg,
    "b": Value.bool,
    "r|": Value.any,
    "r&": Value.all,
    "r^": Value.xor,
}
_TWO: Mapping[str, Callable[[Any, Any], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "&": operator.and_,
    "^": operator.xor,
    "|": operator.or_,
    "==": operator.eq,
    "!=": operator.ne,
    "u<": operator.lt,
    "u>": operator.gt,
    "u<=": operator.le,
    "u>=": operator.ge,
    "<<": operator.lshift,
    "u>>": operator.rshift,
}


def width_of(cell: Cell) -> int:
    """Bits of the word that an operation makes."""
    return len(cell.output_nets(1))


def operands_of(cell: Cell) -> list[Nets]:
    """All that an operation reads."""
    match cell:
        case Operator():
            return list(cell.inputs)
        case Part():
            return [cell.value, cell.offset]
        case Matches():
            return [cell.value]
        case PriorityMatch():
            return [Nets(cell.en), cell.inputs]
        case AssignmentList():
            conditions = [Nets(one.cond) for one in cell.assignments]
            return [cell.default, *conditions, *(one.value for one in cell.assignments)]
        case Instance():
            return list(cell.ports_i.values())
    raise ValueError(f"an operation must be one that cores use, not {cell!r}")


def connect(m: Module, cell: Cell, result: Signal, read: Read) -> None:
    """Let ``result`` be what an operation makes of its operands."""
    if isinstance(cell, Instance):
        inputs = {f"i_{name}": read(nets) for name, nets in cell.ports_i.items()}
        m.submodules += function.instance(cell.type, inputs, result)
    else:
        m.d.comb += result.eq(_expression(cell, read))


def _expression(cell: Cell, read: Read) -> Value:
    match cell:
        case Operator(operator="m"):
            return Mux(*map(read, cell.inputs))
        case Operator(inputs=(one,)):
            return _ONE[cell.operator](read(one))
        case Operator(operator="+", inputs=(one, other, carry)):
            return read(one) + read(other) + read(carry)
        case Operator(inputs=(one, other)):
            return _TWO[cell.operator](read(one), read(other))
        case Part():
            value, offset = read(cell.value), read(cell.offset)
            part = value.word_select if cell.stride == cell.width else value.bit_select
            return part(offset, cell.width)
        case Matches():
            return read(cell.value).matches(*cell.patterns)
        case PriorityMatch():
            return _first(read(Nets(cell.en)), list(read(cell.inputs)))
        case AssignmentList():
            return _assigned(cell, read)
    raise ValueError(f"an operation must be one that cores use, not {cell!r}")


def _first(enable: Value, conditions: list[Value]) -> Value:
    """The first condition that holds, alone, if the switch is reached."""
    free = [
        ~Cat(*conditions[:place]).any() if place else Const(1, 1)
        for place in range(len(conditions))
    ]
    return Cat(enable & one & condition for one, condition in zip(free, conditions, strict=True))


def _assigned(cell: AssignmentList, read: Read) -> Value:
    """A word with the assignments whose conditions hold, the last of them strongest."""
    word = read(cell.default)
    for one in cell.assignments:
        condition, value, end = read(Nets(one.cond)), read(one.value), one.start + len(one.value)
        whole = Cat(word[: one.start], value, word[end:])
        word = Mux(condition, whole, word)
    return word
