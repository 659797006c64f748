# SPDX-License-Identifier: Apache-2.0
"""Inversion in a field of 256 elements, as a circuit over its subfields of 16 and 4.

The field is taken as pairs over GF(16), and GF(16) as pairs over GF(4), with a normal basis each
time. An element A*v^16 + B*v has the norm N = A*B*t^2 + (A + B)^2*n, which is in GF(16), where t
and n are the trace and norm of v; its inverse is B/N * v^16 + A/N * v. So there is one inversion
in GF(16) and three products. A product takes nine ANDs (each level has three products for four),
and what comes before the products of A and B, or after the last two, is linear.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from operator import xor
from typing import ClassVar

from headwater.algebra.field import Field, LinearMap, express, transposed
from headwater.algebra.straight_line import Builder, Program

NINE = tuple(
    sum(1 << 2 * high + low for high in highs for low in lows)
    for highs, lows in product(((0,), (1,), (0, 1)), repeat=2)
)
"""The sums of the bits of an element of GF(16) that its products are made of."""

TWENTY_SEVEN = tuple(
    sum(nine << 4 * half for half in halves) for halves, nine in product(((0,), (1,), (0, 1)), NINE)
)
"""The same of an element of a field of 256 elements."""


@dataclass(frozen=True)
class Pairs(ABC):
    """A field as pairs over a subfield, with a normal basis."""

    field: Field
    v: int
    """Basis of ``field`` over the subfield, together with its conjugate."""
    forms: ClassVar[tuple[int, ...]]
    """The sums of the bits of an element of the subfield that its products are made of."""

    @property
    @abstractmethod
    def half(self) -> LinearMap:
        """An element of the subfield from its bits."""

    @cached_property
    def whole(self) -> LinearMap:
        """An element from its bits: the bits of A, then the bits of B."""
        vectors = (self.field.power(self.v, 1 << len(self.half.images)), self.v)
        return LinearMap(
            tuple(self.field.multiply(b, x) for x in vectors for b in self.half.images)
        )

    @cached_property
    def half_bits(self) -> LinearMap:
        """The bits of an element of the subfield."""
        # The field is the subfield and the subfield times v: the bits of the first part.
        other = (self.field.multiply(self.v, b) for b in self.half.images)
        both = LinearMap((*self.half.images, *other)).inverse()
        mask = (1 << len(self.half.images)) - 1
        return LinearMap(tuple(bits & mask for bits in both.images))

    @cached_property
    def products(self) -> tuple[int, ...]:
        """The bits of A*B that each of its ANDs belongs to."""
        rows = product_rows(self.field, self.half, self.half_bits, self.forms)
        return transposed(rows, len(self.forms))

    @cached_property
    def norm(self) -> tuple[LinearMap, LinearMap]:
        """Two maps whose sum is the norm: one of A*B, one of A and B."""
        field, size = self.field, 1 << len(self.half.images)
        trace = self.v ^ field.power(self.v, size)
        square = field.multiply(trace, trace)
        scale = tuple(self.half_bits(field.multiply(square, b)) for b in self.half.images)
        # The rest is linear, so that the norms of the units say all: there A*B is zero.
        norms = (field.power(unit, size + 1) for unit in self.whole.images)
        return LinearMap(scale), LinearMap(tuple(map(self.half_bits, norms)))


@dataclass(frozen=True)
class Tower(Pairs):
    """A field of 256 elements as a tower."""

    u: int
    """Basis of GF(16) over GF(4), together with u^4; one for which `invert_16` is right."""
    forms = NINE

    @cached_property
    def half(self) -> LinearMap:
        """An element of GF(16) from its four bits."""
        w = min(self.field.subfield(2)[2:])
        scales = (w, self.field.power(w, 2))
        vectors = (self.u, self.field.power(self.u, 4))
        return LinearMap(tuple(self.field.multiply(s, x) for x in vectors for s in scales))


def product_rows(
    field: Field, whole: LinearMap, back: LinearMap, forms: Sequence[int]
) -> list[int]:
    """The bits of a product, each a sum of products of one of these forms of both factors."""
    images, width = whole.images, len(whole.images)
    # Bilinear forms, as sets of the products of a bit of one factor and a bit of the other.
    columns = [back(field.multiply(one, other)) for one in images for other in images]
    ands = [outer_product(form, form, width) for form in forms]
    return express(transposed(columns, width), ands)


def outer_product(left: int, right: int, width: int) -> int:
    """The product of a sum of bits a and a sum of bits b, as the set of its products of two
    bits."""
    return sum(right << width * place for place in range(width) if left >> place & 1)


def invert_16(build: Builder, x: Sequence[int]) -> list[int]:
    """The bits of the inverse of a four-bit element: five ANDs and ten sums."""
    both = build.product(build.xor(x[0], x[1]), build.xor(x[2], x[3]))
    y0 = build.xor(x[2], build.product(x[3], build.xor(x[0], both)))
    y1 = build.xor(x[3], build.product(x[2], build.xor(y0, both)))
    y2 = build.xor(x[0], build.product(x[1], build.xor(x[2], both)))
    y3 = build.xor(x[1], build.product(x[0], build.xor(y2, both)))
    return [y0, y1, y2, y3]


def inversion(tower: Tower, before: LinearMap, after: LinearMap, constant: int) -> Program:
    """``after(inverse(before(x))) ^ constant``, of a byte, bit 0 first."""
    build = Builder(8)
    entering = tower.whole.inverse().after(before)
    bits = entering.rows(8)
    nines = [
        reduce(xor, (bits[half + place] for place in range(4) if nine >> place & 1))
        for half in (0, 4)
        for nine in NINE
    ]
    scale, linear = tower.norm
    forms = build.sums(range(8), [*nines, *linear.after(entering).rows(4)])
    a, b, straight = forms[:9], forms[9:18], forms[18:]
    ands = [build.product(x, y) for x, y in zip(a, b, strict=True)]
    units = [1 << place for place in range(4)]
    columns = [*map(scale, tower.products), *units]
    norm = build.sums([*ands, *straight], transposed(columns, 4))
    inverse = build.sums(invert_16(build, norm), NINE)
    ands = [build.product(x, y) for half in (b, a) for x, y in zip(half, inverse, strict=True)]
    leaving = after.after(tower.whole)
    columns = [leaving(bits << half) for half in (0, 4) for bits in tower.products]
    return build.program(build.sums(ands, transposed(columns, 8)), constant)
