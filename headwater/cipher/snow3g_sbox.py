# SPDX-License-Identifier: Apache-2.0
"""The second S-box of SNOW 3G, S_Q: a Dickson polynomial.

ETSI/SAGE, "Specification of the 3GPP confidentiality and integrity algorithms UEA2 and UIA2,
document 2: SNOW 3G specification", version 1.1, 2006. Its nine powers are the polynomial D_49, for
which D_49(y + 1/y) = y^49 + 1/y^49; so it is D_7 of D_7, and D_7(x) = x * (x^3 + x^2)^2 + x.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from headwater.algebra.field import IDENTITY, Field, LinearMap, combined, express, transposed
from headwater.algebra.sbox import SBox
from headwater.algebra.shallow import Shallow
from headwater.algebra.straight_line import Builder, Program
from headwater.algebra.tower import TWENTY_SEVEN, Tower, product_rows

POWERS = (1, 9, 13, 15, 33, 41, 45, 47, 49)
CONSTANT = 0x25

Element = tuple[int, int]
"""A linear function with values in GF(4): the two sets of bits that its bits are sums of."""


def _plus(left: Element, right: Element) -> Element:
    return left[0] ^ right[0], left[1] ^ right[1]


def _times_w(element: Element) -> Element:
    """For the basis w, w^2 = w + 1."""
    return element[1], element[0] ^ element[1]


def _four(a: Element, b: Element) -> tuple[Element, ...]:
    """Elements whose cubes give the cube of every combination: the cubes of a + b and a + w*b
    contain a^2*b and a*b^2."""
    return a, b, _plus(a, b), _plus(a, _times_w(b))


def cubed() -> list[Element]:
    """The 16 elements of GF(4) whose cubes make the cube of a byte. A cube in GF(4) is zero or
    one: the "or" of the two bits, and so, but for linear terms, their product."""
    e = [(1 << place, 2 << place) for place in (0, 2, 4, 6)]
    return [
        element
        for a, b in zip(_four(e[0], e[2]), _four(e[1], e[3]), strict=True)
        for element in _four(a, b)
    ]


def _parity(bits: int) -> int:
    """The set of the bytes of which a sum of bits is one."""
    return sum(((x & bits).bit_count() & 1) << x for x in range(256))


def square_rows(tower: Tower) -> list[int]:
    """(x^3 + x^2)^2 as sums of the products of `cubed` and the eight bits of x."""
    field, back = tower.field, tower.whole.inverse()
    values = [
        back(field.power(field.power(x, 3) ^ field.power(x, 2), 2))
        for x in map(tower.whole, range(256))
    ]
    products = [_parity(left) & _parity(right) for left, right in cubed()]
    return express(transposed(values, 8), [*products, *(_parity(1 << place) for place in range(8))])


def dickson_7(
    build: Builder, tower: Tower, bits: Sequence[int], before: LinearMap, after: LinearMap
) -> list[int]:
    """``after(D_7(before(x)))``; D_7 itself is of bits of the tower."""
    pairs = cubed()
    forms = [*TWENTY_SEVEN, *(form for pair in pairs for form in pair), *(1 << n for n in range(8))]
    signals = build.sums(bits, combined(forms, before.rows(8)))
    factors, of_cubes, x = signals[:27], signals[27:59], signals[59:]
    cubes = build.products(of_cubes[::2], of_cubes[1::2])
    square = build.sums([*cubes, *x], square_rows(tower))
    products = build.products(factors, build.sums(square, TWENTY_SEVEN))
    rows = product_rows(tower.field, tower.whole, tower.whole.inverse(), TWENTY_SEVEN)
    plain = [row | 1 << 27 + place for place, row in enumerate(rows)]
    return build.sums([*products, *x], combined(after.rows(8), plain))


def dickson_49(build: Builder, tower: Tower) -> Program:
    """S_Q as one D_7 after the other."""
    inside = dickson_7(build, tower, range(8), tower.whole.inverse(), IDENTITY)
    outside = dickson_7(build, tower, inside, IDENTITY, tower.whole)
    return build.program(outside, CONSTANT)


FIELD = Field(0x169)

SQ = SBox(
    "sq",
    tuple(
        reduce(xor, (FIELD.power(x, exponent) for exponent in POWERS)) ^ CONSTANT
        for x in range(256)
    ),
    lambda: dickson_49(Builder(8), Tower.normal(FIELD, v=0x82, u=0x06)),
    fast=lambda: dickson_49(Shallow(8), Tower.normal(FIELD, v=0x82, u=0x06)),
)
"""381 gates in 42 levels, or 422 in 27 in the fast form, 86 of them ANDs. No affine map of an
inversion is known for it. In look-up tables of four inputs the circuit is smaller than the table of
entries (225 for 312), in standard cells it is larger (820 gate equivalents for 540), and it is
three times as deep: choose what is measured.
"""
