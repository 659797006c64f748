# SPDX-License-Identifier: Apache-2.0
"""The sums that a step names as circuits: as the description writes them, or shorter.

Where a sum has common factors that save it an XOR or more, it is written with these taken out; see
`factoring`. Fewer gates than that are found by the tools, and the sum stays as in the paper.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import xor

from amaranth.hdl import Const, Module, Signal, Value

from headwater.algebra.factoring import XOR_WEIGHT, Form, as_sum, factored
from headwater.algebra.gates import CountedBit, GateCounter
from headwater.algebra.polynomial import Polynomial
from headwater.core.function import FunctionNaming
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

Window = Callable[[str, int], Value]
"""The bits of a register from a stage on, of a control, or of an earlier sum."""

NAMED = ""
"""The name of the variables that are sums named earlier. Their number is their place among all that
a step names."""


@dataclass(frozen=True)
class Sums:
    """The sums of a step that are not written as in the description, by their place among those
    that it names. The variables are (register, stage), (control, 0) and those called `NAMED`."""

    written: Mapping[int, Polynomial] = field(default_factory=dict)
    started: Mapping[int, Signal] = field(default_factory=dict)
    """What is added to a sum that is written, as it was made before."""


AS_DESCRIBED = Sums()
"""Every sum as the description writes it."""


@lru_cache(maxsize=64)
def _named(cipher: ShiftRegisterCipher) -> tuple[tuple[str, Polynomial], ...]:
    """Name and function of each sum that a step names, in its order; see `Sums`."""
    sums: list[tuple[str, Polynomial]] = []

    def wire(value: Polynomial, name: str = "") -> Polynomial:
        sums.append((name or Signal(src_loc_at=1).name, value))
        return Polynomial.variable(NAMED, len(sums) - 1)

    cipher.read_step(wire)
    return tuple(sums)


def names_of_sums(cipher: ShiftRegisterCipher) -> list[str]:
    """The names that a step gives, in its order."""
    return [name for name, _ in _named(cipher)]


@lru_cache(maxsize=64)
def shorter_sums(cipher: ShiftRegisterCipher) -> Mapping[int, Polynomial]:
    """The sums that are shorter with factors taken out than as the description writes them."""
    weights = _weights_as_described(cipher)
    return {
        place: function
        for place, (_, function) in enumerate(_named(cipher))
        if function.variables and _is_shorter(factored(function), weights[place])
    }


def sum_of(terms: Polynomial, window: Window, width: int, start: Sequence[Value] = ()) -> Value:
    """The sum of some products of windows of ``width`` bits, and of what is given to ``start``
    with."""
    if not terms.variables:
        total = reduce(xor, start) if start else Const(0, width)
        return ~total if terms.monomials else total
    short, plain = factored(terms), as_sum(terms)
    form = short if _is_shorter(short, plain.weight) else plain
    return reduce(xor, [*start, form.read(window)])


def _is_shorter(form: Form, weight: int) -> bool:
    return form.weight + XOR_WEIGHT <= weight


def _weights_as_described(cipher: ShiftRegisterCipher) -> list[int]:
    """The gates of each sum that the step names, an XOR counted as `XOR_WEIGHT`."""
    counter, weights = GateCounter(), list[int]()

    def wire(_value: CountedBit, name: str = "") -> CountedBit:  # noqa: ARG001
        weights.append(_weight(counter.gates) - sum(weights))
        return counter.bit()

    windows = [lambda _stage: counter.bit() for _ in cipher.registers]
    cipher.step(wire, *windows, **{name: counter.bit() for name in cipher.controls})
    return weights


def _weight(gates: Counter[str]) -> int:
    return gates["and"] + gates["or"] + XOR_WEIGHT * gates["xor"]


class SumNaming(FunctionNaming):
    """Names of one evaluation of a step, whose windows of ``width`` bits are given."""

    def __init__(
        self, m: Module, suffix: str, whole: Collection[str], sums: Sums, window: Window, width: int
    ) -> None:
        super().__init__(m, suffix, whole)
        self._sums, self._given, self._width = sums, window, width
        self._made: list[Signal] = []

    def __call__(self, value: Value, name: str = "") -> Signal:
        """A signal for a value; see `Naming`."""
        place = len(self._made)
        if place in self._sums.written:
            start = [self._sums.started[place]] if place in self._sums.started else []
            value = sum_of(self._sums.written[place], self._window, self._width, start)
        self._made.append(super().__call__(value, name or Signal(src_loc_at=1).name))
        return self._made[-1]

    def _window(self, name: str, number: int) -> Value:
        return self._made[number] if name == NAMED else self._given(name, number)
