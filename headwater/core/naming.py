# SPDX-License-Identifier: Apache-2.0
"""The word operations of descriptions on Amaranth values, and names for values.

Amaranth expressions are unshared trees, so a value that is read twice must be a signal.
"""

from __future__ import annotations

from collections.abc import Collection

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.hdl._ast import Concat, Slice
from amaranth.hdl._xfrm import ValueTransformer

from headwater.algebra.word import IntegerWord, add, choose, concatenate, lookup
from headwater.cipher.keywords import is_keyword

concatenate.register(Value, lambda *words: Cat(*words))


@choose.register(Value)
def _choose_value(condition: Value, chosen: Value, otherwise: Value) -> Value:
    """A multiplexer, or one of its inputs if the condition is a constant."""
    if isinstance(condition, Const):
        return chosen if condition.value else otherwise
    return Mux(condition, chosen, otherwise)


@add.register(Value)
def _add_values(left: Value, right: Value) -> Value:
    """The sum modulo the width; Amaranth's own sum has a carry bit."""
    return (left + right)[: len(left)]


@lookup.register(Value)
def _lookup_value(index: Value, table: Value | IntegerWord) -> Value:
    """One entry of a table, which should be a named constant of the description."""
    if isinstance(table, IntegerWord):
        table = Const(table.value, table.width)
    return table.word_select(index, len(table) >> len(index))


KEEP = "keep"
"""The attribute of a signal that tools of synthesis keep as it is, and do not see through."""

VALUE = "value_"
"""What the attributes of a signal begin with that name its values."""


def equals(signal: Signal, value: int, name: str) -> Value:
    """Whether a signal has a value. The Verilog calls the value by the first name given for it."""
    signal.attrs.setdefault(f"{VALUE}{value}", name)
    return signal == Const(value, len(signal))


def named(m: Module, name: str, value: Value) -> Signal:
    """A new signal with this name, driven by ``value``."""
    signal = Signal(len(value), name=name)
    m.d.comb += signal.eq(_Direct()(value))
    return signal


class _Direct(ValueTransformer):
    """Parts of what is only wiring become the signals themselves."""

    def on_Slice(self, value: Slice) -> Value:  # noqa: N802
        """A part; `part` goes through no more of the wiring than that."""
        if isinstance(value.value, Slice | Concat):
            return part(value, 0, len(value))
        return value

    def on_unknown_value(self, value: Value) -> Value:
        """What Amaranth has no node for, as a choice from a list, stays as it is."""
        return value


class Naming:
    """The `wire` argument of a description that is read with Amaranth values. The signals are
    driven in ``m``; ``suffix`` is appended to every name. Signals called as in ``whole`` are
    kept."""

    def __init__(self, m: Module, suffix: str = "", whole: Collection[str] = ()) -> None:
        self.m = m
        self._suffix = suffix
        self._whole = whole

    def __call__(self, value: Value, name: str = "") -> Signal:
        """A signal for a value. Without ``name`` it is called after the variable that the
        description assigns it to; ``value`` where there is none, and with an underscore where the
        variable is called like a keyword of Verilog."""
        name = _free(name or Signal(src_loc_at=1).name)
        signal = named(self.m, name + self._suffix, value)
        if name in self._whole:
            signal.attrs[KEEP] = 1
        return signal


def _free(name: str) -> str:
    """A name that Verilog leaves free. Amaranth's name for what has none is no identifier."""
    if not name.isidentifier():
        return "value"
    return f"{name}_" if is_keyword(name) else name


def staged(m: Module, name: str, value: Value) -> Value:
    """A register's value between two steps as a signal; unchanged if it is only wiring."""
    return value if _is_wiring(value) else named(m, name, value)


def part(value: Value, low: int, high: int) -> Value:
    """The bits ``low`` to ``high - 1`` of a value. Of what is only wiring it names the signals
    themselves: Amaranth would make the whole value for each of its parts."""
    if isinstance(value, Slice):
        return part(value.value, value.start + low, value.start + high)
    if not isinstance(value, Concat):
        return value[low:high]
    parts, begin = [], 0
    for one in value.parts:
        first, last = max(low - begin, 0), min(high - begin, len(one))
        if first < last:
            parts.append(part(one, first, last))
        begin += len(one)
    return parts[0] if len(parts) == 1 else Cat(*parts)


def _is_wiring(value: Value) -> bool:
    """Whether a value consists only of parts of signals and constants, concatenated."""
    if isinstance(value, Slice):
        return _is_wiring(value.value)
    if isinstance(value, Concat):
        return all(map(_is_wiring, value.parts))
    return isinstance(value, Signal | Const)
