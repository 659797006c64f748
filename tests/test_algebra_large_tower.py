# SPDX-License-Identifier: Apache-2.0
"""Inversion in GF(2^16) as a circuit: every element, against the field's definition."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from headwater.algebra.large_tower import Inversion, inversion_parts, read_parts
from headwater.algebra.pairing import paired_sums
from headwater.algebra.straight_line import Builder, Gate, Program
from headwater.algebra.tower import TWENTY_SEVEN
from headwater.algebra.word import unnamed
from headwater.cipher.sfinks import TOWER

FIELD = TOWER.field
EVERY_BIT = tuple(range(16))
OUTPUTS = pytest.mark.parametrize("outputs", [(0,), (0, 1), EVERY_BIT], ids=["1", "2", "16"])


@cache
def every_element() -> list[int]:
    """Bit by bit of an element, a string that has a bit for each element of the field."""
    strings = []
    for bit in range(16):
        string, width = ((1 << (1 << bit)) - 1) << (1 << bit), 2 << bit
        while width < FIELD.size:
            string |= string << width
            width *= 2
        strings.append(string)
    return strings


@cache
def inverse_bits() -> list[int]:
    """The same of the inverses: x^-1 is x^(2^16 - 2), multiplied out for all elements at once."""
    x = every_element()
    result, square = None, x
    for _ in range(15):
        square = times(square, square)
        result = square if result is None else times(result, square)
    assert result is not None
    return result


def times(left: list[int], right: list[int]) -> list[int]:
    """Products modulo the polynomial, side by side."""
    product = [0] * 31
    for high, one in enumerate(left):
        for low, other in enumerate(right):
            product[high + low] ^= one & other
    for place in reversed(range(16, 31)):
        for term in (0, 2, 3, 5):
            product[place - 16 + term] ^= product[place]
    return product[:16]


def outputs_of(parts: tuple[Program, ...]) -> list[int]:
    return read_parts(parts, every_element(), unnamed, "")


def test_elements_are_all_there() -> None:
    found = every_element()
    for element in (0, 1, 0x1234, 0xFFFF):
        assert sum((string >> element & 1) << bit for bit, string in enumerate(found)) == element


def test_reference_is_the_inverse() -> None:
    bits = inverse_bits()
    for element in (0, 1, 2, 3, 0x1234, 0xBEEF, 0xFFFF):
        inverse = sum((string >> element & 1) << bit for bit, string in enumerate(bits))
        assert inverse == FIELD.inverse(element)
        assert FIELD.multiply(element, inverse) == int(element != 0)


@OUTPUTS
def test_every_inverse(outputs: tuple[int, ...]) -> None:
    """65,536 of them."""
    expected = [inverse_bits()[output] for output in outputs]
    assert outputs_of(inversion_parts(TOWER, outputs)) == expected


@pytest.mark.parametrize("output", [3, 15])
def test_any_single_bit(output: int) -> None:
    assert outputs_of(Inversion(TOWER, (output,)).parts()) == [inverse_bits()[output]]


@OUTPUTS
def test_broken_gate_is_found(outputs: tuple[int, ...]) -> None:
    """Another gate for one in each part gives other bits."""
    parts = inversion_parts(TOWER, outputs)
    expected = outputs_of(parts)
    for number, part in enumerate(parts):
        place = next(n for n, gate in enumerate(part.gates) if gate.kind == "and")
        gate = part.gates[place]
        gates = (*part.gates[:place], Gate("xor", gate.left, gate.right), *part.gates[place + 1 :])
        broken = (*parts[:number], replace(part, gates=gates), *parts[number + 1 :])
        assert outputs_of(broken) != expected


@pytest.mark.parametrize(
    ("outputs", "gates", "products"), [((0,), 303, 63), ((0, 1), 371, 85), (EVERY_BIT, 524, 113)]
)
def test_number_of_gates(outputs: tuple[int, ...], gates: int, products: int) -> None:
    """As few as were found among some hundred towers, or fewer."""
    kinds = [gate.kind for part in inversion_parts(TOWER, outputs) for gate in part.gates]
    assert len(kinds) <= gates
    assert kinds.count("and") == products


@OUTPUTS
def test_what_crosses_between_parts(outputs: tuple[int, ...]) -> None:
    widths = [len(part.outputs) for part in inversion_parts(TOWER, outputs)]
    assert widths == {1: [16, 8, 1], 2: [24, 12, 2], 16: [24, 28, 24, 16]}[len(outputs)]


def test_tower_is_a_basis() -> None:
    assert sorted(TOWER.whole(bits) for bits in range(FIELD.size)) == list(range(FIELD.size))
    assert len(set(TWENTY_SEVEN)) == 27
    assert FIELD.power(TOWER.root, 255) == 1


def test_sums_by_pairs() -> None:
    """Each row comes out as the sum it is, with gates shared."""
    rows = [0b0111, 0b1111, 0b0001, 0b1110, 0b0110]
    build = Builder(4)
    program = build.program(paired_sums(build, range(4), rows))
    for value in range(16):
        bits = [value >> place & 1 for place in range(4)]
        expected = [(value & row).bit_count() % 2 for row in rows]
        assert program.read(bits, unnamed, "") == expected
    assert len(program.gates) <= 5
