# SPDX-License-Identifier: Apache-2.0
"""The shared products of the accumulator are the plain sum, as polynomials in all its bits."""

from __future__ import annotations

from typing import Any

import pytest
from amaranth.hdl import Const, Signal
from amaranth.hdl._ast import Concat, Operator, Slice

from headwater.algebra.polynomial import Polynomial
from headwater.core.toeplitz import SMALLEST_IN_A_LOOP, SMALLEST_SPLIT, ToeplitzProduct

Bits = list[Polynomial]
ZERO = Polynomial(frozenset())


class Recorder:
    """Stands for a module; keeps what its wires are given."""

    def __init__(self) -> None:
        self.d = self
        self.given: dict[int, Any] = {}

    @property
    def comb(self) -> Recorder:
        return self

    @comb.setter
    def comb(self, _value: Recorder) -> None:
        pass

    def __iadd__(self, assignment: Any) -> Recorder:
        self.given[id(assignment.lhs)] = assignment.rhs
        return self


class Reading:
    """Values of hardware as polynomials in the bits of two inputs."""

    def __init__(self, given: dict[int, Any], *inputs: Signal) -> None:
        self._given = given
        self._known = {
            id(signal): [Polynomial.variable(signal.name, bit) for bit in range(len(signal))]
            for signal in inputs
        }

    def bits(self, value: Any) -> Bits:
        if id(value) in self._known:
            return self._known[id(value)]
        match value:
            case Signal():
                bits = self.bits(self._given[id(value)])
                self._known[id(value)] = bits
                return bits
            case Const(value=0):
                return [ZERO] * len(value)
            case Slice():
                return self.bits(value.value)[value.start : value.stop]
            case Concat():
                return [bit for part in value.parts for bit in self.bits(part)]
            case Operator(operator="^"):
                return [a ^ b for a, b in zip(*map(self.bits, value.operands), strict=True)]
            case Operator(operator="&"):
                return [a & b for a, b in zip(*map(self.bits, value.operands), strict=True)]
        raise AssertionError(value)


def read(width: int, rows: int, again: int = SMALLEST_SPLIT) -> Bits:
    recorder = Recorder()
    vector, line = Signal(width, name="v"), Signal(rows + width, name="l")
    product = ToeplitzProduct(recorder, again).product(vector, line, rows)  # type: ignore[arg-type]
    return Reading(recorder.given, vector, line).bits(product)


def plain(width: int, rows: int) -> Bits:
    return [
        Polynomial(frozenset(frozenset({("v", bit), ("l", row + bit)}) for bit in range(width)))
        for row in range(rows)
    ]


@pytest.mark.parametrize("rows", [32, 64])
@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("again", [SMALLEST_SPLIT, SMALLEST_IN_A_LOOP])
def test_every_row_is_the_sum_of_its_products(width: int, rows: int, again: int) -> None:
    assert read(width, rows, again) == plain(width, rows)


def test_a_row_with_another_bit_is_told_apart() -> None:
    assert read(8, 32) != [*plain(8, 31), plain(8, 33)[-1]]


@pytest.mark.parametrize("width", [SMALLEST_SPLIT // 2, SMALLEST_SPLIT])
def test_wide_vectors_are_split(width: int) -> None:
    recorder = Recorder()
    vector, line = Signal(width, name="v"), Signal(64 + width, name="l")
    ToeplitzProduct(recorder).product(vector, line, 64)  # type: ignore[arg-type]
    assert bool(recorder.given) == (width == SMALLEST_SPLIT)


@pytest.mark.parametrize("width", [1, 8, 16, 32])
def test_every_power_of_a_product_of_polynomials(width: int) -> None:
    recorder = Recorder()
    digit, other = Signal(width, name="d"), Signal(64, name="o")
    made = ToeplitzProduct(recorder).of_polynomials(digit, other, "made")  # type: ignore[arg-type]
    assert Reading(recorder.given, digit, other).bits(made) == [
        Polynomial(
            frozenset(
                frozenset({("d", bit), ("o", power - bit)})
                for bit in range(width)
                if 0 <= power - bit < len(other)
            )
        )
        for power in range(width + len(other) - 1)
    ]


def test_a_sum_that_is_not_split_is_the_same() -> None:
    recorder = Recorder()
    vector, line = Signal(32, name="v"), Signal(64, name="l")
    made = ToeplitzProduct(recorder).unsplit(vector, line, 32)  # type: ignore[arg-type]
    assert not recorder.given
    assert Reading({}, vector, line).bits(made) == plain(32, 32)


def test_halves_are_split_again_where_that_is_asked_for() -> None:
    """Each split names two sums, and one for each block of rows."""
    named = {}
    for again in SMALLEST_SPLIT, SMALLEST_IN_A_LOOP:
        recorder = Recorder()
        vector, line = Signal(16, name="v"), Signal(80, name="l")
        ToeplitzProduct(recorder, again).product(vector, line, 64)  # type: ignore[arg-type]
        named[again] = len(recorder.given)
    whole = 2 + 64 // 16
    assert named == {SMALLEST_SPLIT: whole + 4 * 3 * (2 + 1), SMALLEST_IN_A_LOOP: whole}
