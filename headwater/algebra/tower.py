# SPDX-License-Identifier: Apache-2.0
"""Inversion in a field of 256 elements, as a circuit over its subfields of 16 and 4.

The field is taken as pairs over GF(16), and GF(16) as pairs over GF(4). An element A*p + B*q has
the norm N = A^2*p^17 + A*B*t + B^2*q^17 with t = p*q^16 + p^16*q, which is in GF(16); its inverse
is A/N * p^16 + B/N * q^16. So there is one inversion in GF(16) and three products. A product takes
nine ANDs (each level has three products for four), and what comes before the products of A and B,
or after the last two, is linear.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar

from headwater.algebra.field import Field, LinearMap, combined, express, transposed
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
    """A field as pairs over a subfield."""

    field: Field
    basis: tuple[int, int]
    """Of ``field`` over the subfield."""
    forms: ClassVar[tuple[int, ...]]
    """The sums of the bits of an element of the subfield that its products are made of."""

    @property
    @abstractmethod
    def half(self) -> LinearMap:
        """An element of the subfield from its bits."""

    @cached_property
    def whole(self) -> LinearMap:
        """An element from its bits: the bits of A, then the bits of B."""
        return LinearMap(
            tuple(self.field.multiply(b, x) for x in self.basis for b in self.half.images)
        )

    def conjugate_of(self, element: int) -> int:
        """The element to the power of the subfield's size."""
        return self.field.power(element, 1 << len(self.half.images))

    @cached_property
    def half_bits(self) -> LinearMap:
        """The bits of an element of the subfield."""
        # The field is the subfield and multiples of some other element: the bits of the first part.
        outside = next(x for x in self.basis if self.conjugate_of(x) != x)
        other = (self.field.multiply(outside, b) for b in self.half.images)
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
        field, (p, q) = self.field, self.basis
        mixed = field.multiply(p, self.conjugate_of(q)) ^ field.multiply(self.conjugate_of(p), q)
        scale = tuple(self.half_bits(field.multiply(mixed, b)) for b in self.half.images)
        # The rest is linear, so that the norms of the units say all: there A*B is zero.
        norms = (field.multiply(unit, self.conjugate_of(unit)) for unit in self.whole.images)
        return LinearMap(scale), LinearMap(tuple(map(self.half_bits, norms)))


@dataclass(frozen=True)
class Tower(Pairs):
    """A field of 256 elements as a tower."""

    low: tuple[int, int]
    """Basis of GF(16) over GF(4)."""
    forms = NINE

    @classmethod
    def normal(cls, field: Field, v: int, u: int) -> Tower:
        """The tower whose two bases are of conjugates: v^16 and v, u and u^4."""
        return cls(field, (field.power(v, 16), v), (u, field.power(u, 4)))

    @cached_property
    def half(self) -> LinearMap:
        """An element of GF(16) from its four bits."""
        return pairs_of_4(self.field, self.low)


def pairs_of_4(field: Field, basis: tuple[int, int]) -> LinearMap:
    """An element of GF(16) from its four bits, for a basis over GF(4)."""
    w = min(field.subfield(2)[2:])
    scales = (w, field.power(w, 2))
    return LinearMap(tuple(field.multiply(s, x) for x in basis for s in scales))


def normal_16(field: Field, u: int) -> LinearMap:
    """The same for the basis of u and its conjugate."""
    return pairs_of_4(field, (u, field.power(u, 4)))


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


@dataclass(frozen=True)
class ByteInversion:
    """Puts the circuit of an inversion together; what its circuit is made with was searched for."""

    tower: Tower
    u: int
    """Basis of GF(16) over GF(4), together with u^4; one for which `invert_16` is right."""
    unit: int = 1
    """Of GF(16): that basis is for the bits of N / unit."""
    factor: int = 1
    """Of GF(16): the last two products are those by factor / N."""
    joined: tuple[int, int, int, int] | None = None
    """The part of N with A^2 and B^2 has four summands, each of which joins one of the nine ANDs of
    A*B: which ones. Their multiples are independent. Without it, each summand is a bit of N."""
    seeds: tuple[int | None, int | None] = (None, None)
    """Of the choice among equally good sums, at the beginning and at the end."""

    @classmethod
    def normal(cls, field: Field, v: int, u: int) -> ByteInversion:
        """In the tower of two normal bases."""
        return cls(Tower.normal(field, v, u), u)

    def program(self, before: LinearMap, after: LinearMap, constant: int) -> Program:
        """``after(inverse(before(x))) ^ constant``, of a byte, bit 0 first."""
        build = Builder(8)
        rows = self.first_rows(self.tower.whole.inverse().after(before))
        forms = build.sums(range(8), rows, self.seeds[0])
        a, b, squares = forms[:9], forms[9:18], forms[18:]
        ands = build.products(a, b)
        norm = build.sums([*ands, *squares], self.norm_rows)
        inverse = build.sums(invert_16(build, norm), self.inverse_rows)
        ands = build.products([*b, *a], [*inverse, *inverse])
        return build.program(build.sums(ands, self.last_rows(after), self.seeds[1]), constant)

    @cached_property
    def _bits_of_norm(self) -> LinearMap:
        """The bits that `invert_16` inverts, from those of an element of GF(16)."""
        return self._bits_times(self.unit).inverse()

    def _bits_times(self, scale: int) -> LinearMap:
        """The bits of ``scale * y`` for the bits of y that `invert_16` reads and gives."""
        tower, sixteen = self.tower, normal_16(self.tower.field, self.u)
        return LinearMap(
            tuple(tower.half_bits(tower.field.multiply(scale, b)) for b in sixteen.images)
        )

    @cached_property
    def _multiples(self) -> list[int]:
        """The bits of N that each of the nine ANDs of A*B belongs to."""
        scale, _ = self.tower.norm
        return [self._bits_of_norm(scale(bits)) for bits in self.tower.products]

    @property
    def _joins(self) -> list[int]:
        """The bits of N that each summand of A^2 and B^2 belongs to."""
        return [self._multiples[n] for n in self.joined] if self.joined else [1, 2, 4, 8]

    def first_rows(self, entering: LinearMap) -> list[int]:
        """The nine forms of A, those of B, and the four summands with A^2 and B^2, as sums of the
        bits that enter."""
        _, linear = self.tower.norm
        squares = express(self._bits_of_norm.after(linear).after(entering).images, self._joins)
        bits = entering.rows(8)
        nines = [*combined(NINE, bits[:4]), *combined(NINE, bits[4:])]
        return [*nines, *transposed(squares, 4)]

    @property
    def norm_rows(self) -> Sequence[int]:
        """The bits of N, as sums of nine ANDs and the four summands."""
        return transposed([*self._multiples, *self._joins], 4)

    @property
    def inverse_rows(self) -> Sequence[int]:
        """The nine forms of factor / N, as sums of the bits that `invert_16` gives."""
        field = self.tower.field
        ratio = field.multiply(self.factor, field.inverse(self.unit))
        return combined(NINE, self._bits_times(ratio).rows(4))

    def last_rows(self, after: LinearMap) -> Sequence[int]:
        """The result, as sums of the last 18 ANDs: B/N * q^16 + A/N * p^16."""
        tower, field = self.tower, self.tower.field
        share = field.inverse(self.factor)
        multiples = (
            field.multiply(field.multiply(tower.conjugate_of(x), share), tower.half(bits))
            for x in reversed(tower.basis)
            for bits in tower.products
        )
        return transposed(map(after, multiples), 8)
