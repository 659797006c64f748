# SPDX-License-Identifier: Apache-2.0
"""Inversion in a field of 65,536 elements, as a circuit over its subfields of 256, 16 and 4.

The field is taken as pairs over GF(256) with a normal basis, GF(256) as in
`headwater.algebra.tower`. An element x = A*w^256 + B*w has the norm N = x * x^256, which is in
GF(256), and the inverse x^256 / N, where x^256 = B*w^256 + A*w. So there is one inversion in
GF(256), which again is one in GF(16), and three products for all bits of the result.

A single bit of the result is linear in x^256 and in 1 / N: eight products of a linear sum of x
with a bit of 1 / N. And 1 / N is M' / n, with n the norm of N in GF(16), and M' the conjugate of
N; so the bit is four products of a bit of 1 / n with what can be summed up before that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import product
from operator import xor

from headwater.algebra.field import Field, LinearMap, express, transposed
from headwater.algebra.pairing import paired_sums
from headwater.algebra.straight_line import Builder, Program
from headwater.algebra.tower import NINE, Tower, invert_16, outer_product

TWENTY_SEVEN = tuple(
    sum(nine << 4 * half for half in halves)
    for halves, nine in product(((0,), (1,), (0, 1)), NINE)
)
"""The sums of the bits of an element of GF(256) that its products are made of."""

FEW = 2
"""Outputs up to which each is made by itself."""


@dataclass(frozen=True)
class LargeTower:
    """A field of 65,536 elements as a tower.

    Members
    -------
    field : Field
        The field.
    bytes : Tower
        A field of 256 elements, with bits of its own.
    root : int
        What the x of that field is in this one: a root of its polynomial.
    w : int
        Spans this field over the smaller one, together with w^256.
    """

    field: Field
    bytes: Tower
    root: int
    w: int

    @cached_property
    def byte(self) -> LinearMap:
        """An element of GF(256) from its eight bits in the tower."""
        powers = LinearMap(tuple(self.field.power(self.root, n) for n in range(8)))
        return powers.after(self.bytes.whole)

    @cached_property
    def conjugate(self) -> LinearMap:
        """An element of the field to the power 256."""
        return LinearMap(tuple(self.field.power(1 << place, 256) for place in range(16)))

    @cached_property
    def whole(self) -> LinearMap:
        """An element from its sixteen bits: those of A, then those of B."""
        vectors = (self.field.power(self.w, 256), self.w)
        return LinearMap(
            tuple(self.field.multiply(b, x) for x in vectors for b in self.byte.images)
        )

    @cached_property
    def byte_bits(self) -> LinearMap:
        """The eight bits of an element of GF(256), which is given with sixteen."""
        # The field is GF(256) and GF(256) times w: the bits of the first part.
        other = (self.field.multiply(self.w, b) for b in self.byte.images)
        both = LinearMap((*self.byte.images, *other)).inverse()
        return LinearMap(tuple(bits & 0xFF for bits in both.images))

    @cached_property
    def products(self) -> tuple[int, ...]:
        """The bits of A*B that each of its 27 ANDs belongs to."""
        images = self.byte.images
        columns = [
            self.byte_bits(self.field.multiply(one, other)) for one in images for other in images
        ]
        ands = [outer_product(form, form, 8) for form in TWENTY_SEVEN]
        return transposed(express(transposed(columns, 8), ands), 27)

    @cached_property
    def norm(self) -> tuple[LinearMap, LinearMap]:
        """The norm as a map of A*B, and one of the element's own bits, that are to be added."""
        field = self.field
        trace = self.w ^ field.power(self.w, 256)
        square = field.multiply(trace, trace)
        scale = tuple(self.byte_bits(field.multiply(square, b)) for b in self.byte.images)
        # The rest is linear, so that the norms of the units say all: there A*B is zero.
        norms = LinearMap(
            tuple(self.byte_bits(field.power(image, 257)) for image in self.whole.images)
        )
        return LinearMap(scale), norms.after(self.whole.inverse())


class Inversion:
    """Puts the circuit of an inversion together.

    Parameters
    ----------
    tower
        The field.
    outputs
        The bits of the result that are wanted.
    """

    def __init__(self, tower: LargeTower, outputs: Sequence[int]) -> None:
        self._tower = tower
        self._outputs = tuple(outputs)
        self._build = Builder(16)

    def program(self) -> Program:
        """The circuit, the lowest bit of the element first."""
        single = len(self._outputs) == 1
        entering = self._tower.whole.inverse().rows(16)
        scale, linear = self._tower.norm
        duals = self._dual_forms() if len(self._outputs) <= FEW else []
        sums = self._build.sums(range(16), [*entering, *linear.rows(8), *duals])
        a, b = (self._twenty_seven(sums[half : half + 8]) for half in (0, 8))
        straight, ends = sums[16:24], sums[24:]
        halves, inverse = self._invert_byte(a, b, straight, scale)
        if single:
            outputs = [self._single(halves, inverse, ends)]
        elif ends:
            outputs = self._few(self._whole_byte(halves, inverse, 8), ends)
        else:
            outputs = self._all(a, b, self._whole_byte(halves, inverse, 27))
        return self._build.program(outputs)

    def _invert_byte(
        self, a: Sequence[int], b: Sequence[int], straight: Sequence[int], scale: LinearMap
    ) -> tuple[list[list[int]], list[int]]:
        """The nine forms of both halves of the norm, and the four bits of 1 / n."""
        build, small = self._build, self._tower.bytes
        ands = [build.product(left, right) for left, right in zip(a, b, strict=True)]
        columns = [*map(scale, self._tower.products), *(1 << place for place in range(8))]
        square, rest = _small_norm(small)
        nines = [nine << 4 * half for half in (0, 1) for nine in NINE]
        bits = paired_sums(build, [*ands, *straight], transposed(columns, 8), [1] * 27 + [0] * 8)
        sums = build.sums(bits, [*nines, *rest.rows(4)])
        c, d, linear = sums[:9], sums[9:18], sums[18:]
        ands = [build.product(left, right) for left, right in zip(c, d, strict=True)]
        columns = [*map(square, small.products), *(1 << place for place in range(4))]
        norm = paired_sums(build, [*ands, *linear], transposed(columns, 4), [1] * 9 + [0] * 4)
        return [c, d], invert_16(build, norm)

    def _nine(self, bits: Sequence[int]) -> list[int]:
        return self._build.sums(bits, NINE)

    def _twenty_seven(self, bits: Sequence[int]) -> list[int]:
        low, high = bits[:4], bits[4:]
        both = [self._build.xor(x, y) for x, y in zip(low, high, strict=True)]
        return [form for half in (low, high, both) for form in self._nine(half)]

    def _whole_byte(
        self, halves: Sequence[Sequence[int]], inverse: Sequence[int], count: int
    ) -> list[int]:
        """The bits of 1 / N, or the forms that its products are made of."""
        nine = self._nine(inverse)
        c, d = halves
        ands = [self._build.product(x, y) for half in (d, c)
                for x, y in zip(half, nine, strict=True)]  # fmt: skip
        columns = [bits << half for half in (0, 4) for bits in self._tower.bytes.products]
        bits = paired_sums(self._build, ands, transposed(columns, 8))
        return bits if count == 8 else self._twenty_seven(bits)

    def _all(self, a: Sequence[int], b: Sequence[int], inverse: Sequence[int]) -> list[int]:
        """The wanted bits of x^256 / N: B / N and A / N."""
        build, tower = self._build, self._tower
        ands = [build.product(x, y) for part in (b, a) for x, y in zip(part, inverse, strict=True)]
        columns = [tower.whole(bits << half) for half in (0, 8) for bits in tower.products]
        rows = transposed(columns, 16)
        return paired_sums(build, ands, [rows[output] for output in self._outputs])

    def _dual_forms(self) -> list[int]:
        """For each output eight sums of the element's bits: each belongs to a bit of 1 / N."""
        field, tower = self._tower.field, self._tower
        return [
            sum(
                (field.multiply(byte, image) >> output & 1) << place
                for place, image in enumerate(tower.conjugate.images)
            )
            for output in self._outputs
            for byte in tower.byte.images
        ]

    def _few(self, inverse: Sequence[int], ends: Sequence[int]) -> list[int]:
        """Each output as the sum of eight products."""
        return [
            self._sum(self._build.product(x, y)
                      for x, y in zip(inverse, ends[first : first + 8], strict=True))
            for first in range(0, len(ends), 8)
        ]  # fmt: skip

    def _single(
        self, halves: Sequence[Sequence[int]], inverse: Sequence[int], ends: Sequence[int]
    ) -> int:
        """The one output as the sum of four products with the bits of 1 / n."""
        build, (c, d) = self._build, halves
        ends = [form for half in (ends[:4], ends[4:])
                for form in build.sums(half, self._tower.bytes.products)]
        pairs = zip((*d, *c), ends, strict=True)
        ands = [build.product(x, y) for x, y in pairs]
        both = [build.xor(x, y) for x, y in zip(ands[:9], ands[9:], strict=True)]
        factors = paired_sums(build, both, transposed(NINE, 4))
        return self._sum(build.product(x, y) for x, y in zip(inverse, factors, strict=True))

    def _sum(self, signals: Iterable[int]) -> int:
        return _balanced(self._build, list(signals))


def _balanced(build: Builder, signals: list[int]) -> int:
    while len(signals) > 1:
        signals = [build.xor(x, y) for x, y in zip(signals[::2], signals[1::2], strict=False)] + (
            signals[-1:] if len(signals) % 2 else []
        )
    return signals[0]


def _sum_of(rows: Sequence[int], chosen: int) -> int:
    """The sum of the rows that are chosen."""
    return reduce(xor, (row for place, row in enumerate(rows) if chosen >> place & 1), 0)


def _small_norm(tower: Tower) -> tuple[LinearMap, LinearMap]:
    """The norm of an element of GF(256) as a map of the product of its halves, and one of its
    bits."""
    field = tower.field
    trace = tower.v ^ field.power(tower.v, 16)
    square = field.multiply(trace, trace)
    scale = LinearMap(tuple(tower.half_bits(field.multiply(square, b)) for b in tower.half.images))
    return scale, LinearMap(tuple(map(tower.norm_bits, tower.whole.images)))


def roots(field: Field, polynomial: int) -> Iterator[int]:
    """The elements of a field that a polynomial is zero at."""
    for element in range(field.size):
        powers = (field.power(element, n) for n in range(polynomial.bit_length())
                  if polynomial >> n & 1)  # fmt: skip
        if reduce(xor, powers) == 0:
            yield element


_AES_POLYNOMIAL = 0x11B
SFINKS_TOWER = LargeTower(
    Field(0x1002D), Tower(Field(_AES_POLYNOMIAL), v=0x0A, u=0x51), root=0x315, w=2
)


@cache
def inversion_circuit(outputs: tuple[int, ...]) -> Program:
    """The circuit of some bits of an inverse in the field of SFINKS."""
    return Inversion(SFINKS_TOWER, outputs).program()
