# SPDX-License-Identifier: Apache-2.0
"""Functions of a few bits that are given as tables, written as expressions of few gates.

A table is an integer: bit k is the value for the inputs k, the first input lowest. The expression
is found by taking the function apart, at each step in the cheapest of these ways: leaving out an
input that it does not depend on; as an AND, OR or XOR of an input and the rest; as a multiplexer;
as ``rest ^ (input & difference)``; as a function of a function of two inputs and the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from headwater.algebra.word import choose

_COST = {"not": 2, "and": 4, "or": 4, "xor": 7, "mux": 7}
"""Thirds of a NAND gate, as standard cells commonly have it."""


@dataclass(frozen=True)
class _Form:
    """An expression: its cost, its operation and its operands.

    ``kind`` is an operation, or "input" for the first input.
    """

    cost: int
    kind: str
    parts: tuple[_Part, ...] = ()


@dataclass(frozen=True)
class _Part:
    """An operand: an expression, and the places of its inputs among those of the whole function."""

    form: _Form
    places: tuple[int, ...]


def apply_table(table: int, inputs: Sequence[Any]) -> Any:
    """The value of the function, for inputs of any reading (integers, hardware, symbols): one-bit
    words, the first of which has the least weight. The function must not be constant."""
    return _read(_form(table, len(inputs)), inputs)


def _read(form: _Form, inputs: Sequence[Any]) -> Any:
    if form.kind == "input":
        return inputs[0]
    if form.kind == "let":
        outer, inner = form.parts
        return _read_part(outer, [*inputs, _read_part(inner, inputs)])
    one, *others = (_read_part(part, inputs) for part in form.parts)
    match form.kind:
        case "same":
            return one
        case "not":
            return ~one
        case "and":
            return one & others[0]
        case "or":
            return one | others[0]
        case "xor":
            return one ^ others[0]
        case "mux":
            return choose(one, *others)
    raise ValueError(f"no expression is of kind {form.kind!r}")


def _read_part(part: _Part, inputs: Sequence[Any]) -> Any:
    return _read(part.form, [inputs[place] for place in part.places])


@cache
def _form(table: int, count: int) -> _Form:
    """The cheapest expression found of a function of so many inputs."""
    assert 0 < table < (1 << (1 << count)) - 1, "a constant function needs no gate"
    for place in range(count):
        low, high = _cofactors(table, count, place)
        if low == high:
            return _made("same", _others(low, count, place))
    if count == 1:
        return _made("not", _own(0)) if table == 0b01 else _Form(0, "input")
    forms = [_apart(table, count, place) for place in range(count)]
    if count > 2:
        pairs = combinations(range(count), 2)
        forms += [form for pair in pairs if (form := _joined(table, count, *pair))]
    return min(forms, key=lambda form: form.cost)


@cache
def _cofactors(table: int, count: int, place: int) -> tuple[int, int]:
    """The function where an input is zero, and where it is one."""
    low = high = 0
    width = 1 << place
    for number in range(1 << count - 1 - place):
        part = table >> 2 * width * number & (1 << 2 * width) - 1
        low |= (part & (1 << width) - 1) << width * number
        high |= part >> width << width * number
    return low, high


def _apart(table: int, count: int, place: int) -> _Form:
    """The function as an operation on one input and a function of all others."""
    low, high = _cofactors(table, count, place)
    full = (1 << (1 << count - 1)) - 1
    own = _own(place)
    inverted = _Part(_made("not", own), tuple(range(count)))
    if low == 0:
        return _made("and", own, _others(high, count, place))
    if high == 0:
        return _made("and", inverted, _others(low, count, place))
    if low == full:
        return _made("or", inverted, _others(high, count, place))
    if high == full:
        return _made("or", own, _others(low, count, place))
    rest, other = _others(low, count, place), _others(high, count, place)
    if low == high ^ full:
        return _made("xor", own, rest)
    difference = _others(low ^ high, count, place)
    where_one = _Part(_made("and", own, difference), tuple(range(count)))
    where_zero = _Part(_made("and", inverted, difference), tuple(range(count)))
    return min(
        _made("mux", own, other, rest),
        _made("xor", rest, where_one),
        _made("xor", other, where_zero),
        key=lambda form: form.cost,
    )


def _joined(table: int, count: int, first: int, second: int) -> _Form | None:
    """The function as a function of the others and of a function of two inputs; None if it has no
    such form."""
    low, high = _cofactors(table, count, second)
    quarters = (*_cofactors(low, count - 1, first), *_cofactors(high, count - 1, first))
    if len(set(quarters)) != 2:
        return None
    zero, one = sorted(set(quarters))
    pair = sum((part == one) << place for place, part in enumerate(quarters))
    others = tuple(place for place in range(count) if place not in (first, second))
    # The joined function is the last input.
    outer = _form(zero | one << (1 << len(others)), count - 1)
    return _made("let", _Part(outer, (*others, count)), _Part(_form(pair, 2), (first, second)))


def _own(place: int) -> _Part:
    """An input itself."""
    return _Part(_Form(0, "input"), (place,))


def _others(table: int, count: int, place: int) -> _Part:
    """A function of all inputs but one."""
    places = (*range(place), *range(place + 1, count))
    return _Part(_form(table, count - 1), places)


def _made(kind: str, *parts: _Part) -> _Form:
    return _Form(_COST.get(kind, 0) + sum(part.form.cost for part in parts), kind, parts)
