# SPDX-License-Identifier: Apache-2.0
"""Bit strings, polynomials and gate counting."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from headwater.algebra.bitstring import BitOrder, from_bytes, split, to_bytes
from headwater.algebra.gates import GateCounter
from headwater.algebra.polynomial import Polynomial

# --- bit strings


@pytest.mark.parametrize(
    ("order", "data", "bits"),
    [
        ("lsb_first", "01", "10000000"),
        ("lsb_first", "80", "00000001"),
        ("lsb_first", "0180", "1000000000000001"),
        ("lsb_first", "c5", "10100011"),
        ("msb_first", "01", "00000001"),
        ("msb_first", "80", "10000000"),
        ("msb_first", "0180", "0000000110000000"),
        ("msb_first", "c5", "11000101"),
    ],
)
def test_order_of_bits(order: BitOrder, data: str, bits: str) -> None:
    string = from_bytes(bytes.fromhex(data), order)
    assert split(string, len(bits)) == tuple(map(int, bits))
    assert to_bytes(string, len(bits), order) == bytes.fromhex(data)


@pytest.mark.parametrize(
    ("order", "bits", "data"),
    [
        ("lsb_first", "1", "01"),
        ("lsb_first", "101", "05"),
        ("lsb_first", "1111111", "7f"),
        ("lsb_first", "111111111", "ff01"),
        ("lsb_first", "0000000010001", "0011"),
        ("msb_first", "1", "80"),
        ("msb_first", "101", "a0"),
        ("msb_first", "1111111", "fe"),
        ("msb_first", "111111111", "ff80"),
        ("msb_first", "0000000010001", "0088"),
    ],
)
def test_partial_byte_is_padded_with_zeros(order: BitOrder, bits: str, data: str) -> None:
    string = sum(int(bit) << place for place, bit in enumerate(bits))
    assert to_bytes(string, len(bits), order).hex() == data


@pytest.mark.parametrize("order", ["lsb_first", "msb_first"])
def test_bits_beyond_the_length_are_dropped(order: BitOrder) -> None:
    ones = (1 << 40) - 1
    for bits in range(41):
        data = to_bytes(ones, bits, order)
        assert len(data) == -(-bits // 8)
        assert from_bytes(data, order) == (1 << bits) - 1


@pytest.mark.parametrize("order", ["lsb_first", "msb_first"])
def test_there_and_back(order: BitOrder) -> None:
    source = random.Random(1)
    for length in range(20):
        data = source.randbytes(length)
        assert to_bytes(from_bytes(data, order), 8 * length, order) == data


def test_orders_differ_by_the_order_inside_bytes_alone() -> None:
    data = bytes(range(256))
    mirrored = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    assert from_bytes(data, "msb_first") == from_bytes(mirrored, "lsb_first")


@pytest.mark.parametrize("order", ["lsb_first", "msb_first"])
def test_empty_string(order: BitOrder) -> None:
    assert from_bytes(b"", order) == 0
    assert to_bytes(5, 0, order) == b""
    assert split(5, 0) == ()


@pytest.mark.parametrize(
    ("string", "bits", "expected"),
    [(0b1101, 4, (1, 0, 1, 1)), (0b1101, 2, (1, 0)), (0b1, 5, (1, 0, 0, 0, 0))],
)
def test_split(string: int, bits: int, expected: tuple[int, ...]) -> None:
    assert split(string, bits) == expected


# --- polynomials

NUMBERS = range(4)
ASSIGNMENTS = [dict(zip(NUMBERS, bits, strict=True)) for bits in product((0, 1), repeat=4)]


def random_function(source: random.Random, depth: int) -> Callable[[Sequence[Any]], Any]:
    """A random expression of ``^ & | ~``, to be read with whatever has these operators."""
    operator = source.choice("^&|~") if depth else "variable"
    if operator == "variable":
        number = source.choice(NUMBERS)
        return lambda bits: bits[number]
    left = random_function(source, depth - 1)
    if operator == "~":
        return lambda bits: ~left(bits)
    right = random_function(source, depth - 1)
    return {
        "^": lambda bits: left(bits) ^ right(bits),
        "&": lambda bits: left(bits) & right(bits),
        "|": lambda bits: left(bits) | right(bits),
    }[operator]


def value(polynomial: Polynomial, assignment: Mapping[int, int]) -> int:
    """The sum of the monomials all of whose variables are one."""
    return (
        sum(all(assignment[number] for _, number in monomial) for monomial in polynomial.monomials)
        % 2
    )


def derivative(table: Sequence[int], numbers: Sequence[int]) -> int:
    """The coefficient of a monomial: the sum of the function over the cube of its variables."""
    inside = [
        bit
        for bit, assignment in zip(table, ASSIGNMENTS, strict=True)
        if all(number in numbers for number, one in assignment.items() if one)
    ]
    return sum(inside) % 2


@pytest.mark.parametrize("seed", range(40))
def test_polynomial_is_the_function_and_its_only_normal_form(seed: int) -> None:
    function = random_function(random.Random(seed), depth=5)
    polynomial = function([Polynomial.variable("x", number) for number in NUMBERS])
    table = [function([assignment[number] for number in NUMBERS]) & 1 for assignment in ASSIGNMENTS]

    assert [value(polynomial, assignment) for assignment in ASSIGNMENTS] == table

    cubes = [[number for number, one in cube.items() if one] for cube in ASSIGNMENTS]
    present = [cube for cube in cubes if derivative(table, cube)]
    assert polynomial.monomials == {frozenset(("x", number) for number in cube) for cube in present}
    assert polynomial.degree == max(map(len, present), default=0)
    assert polynomial.variables == {("x", number) for cube in present for number in cube}


def test_what_cancels_is_gone() -> None:
    x, y = Polynomial.variable("x", 1), Polynomial.variable("y", 1)
    zero = x ^ x
    assert zero.monomials == frozenset()
    assert (zero.degree, zero.variables) == (0, frozenset())
    assert (~zero).degree == 0
    assert x & x == x
    assert x | x == x
    assert ~~x == x
    assert ((x & y) ^ x ^ (x & y)).variables == {("x", 1)}


def test_variables_are_told_apart_by_name_and_number() -> None:
    names = [("x", 1), ("x", 2), ("y", 1)]
    total = Polynomial.variable(*names[0])
    for name in names[1:]:
        total ^= Polynomial.variable(*name)
    assert total.variables == set(names)
    assert total.degree == 1


# --- gates


def test_each_operator_is_one_gate() -> None:
    counter = GateCounter()
    x, y, z = counter.bit(), counter.bit(), counter.bit()
    assert counter.gates == Counter()
    _ = (x ^ y ^ z) & ~(x | y)
    assert counter.gates == {"xor": 2, "and": 1, "not": 1, "or": 1}


def test_a_shared_bit_is_counted_once() -> None:
    counter = GateCounter()
    shared = counter.bit() & counter.bit()
    _ = shared ^ shared
    assert counter.gates == {"and": 1, "xor": 1}


def test_counters_are_apart() -> None:
    one, other = GateCounter(), GateCounter()
    _ = one.bit() ^ one.bit()
    assert other.gates == Counter()
