# SPDX-License-Identifier: Apache-2.0
"""Inversion in a field of 65,536 elements, as a circuit over its subfields of 256, 16 and 4.

The field is taken as pairs over GF(256) with a normal basis, GF(256) as in
`headwater.algebra.tower`. An element x = A*v^256 + B*v has the norm N = x * x^256, which is in
GF(256), and the inverse x^256 / N, where x^256 = B*v^256 + A*v. So there is one inversion in
GF(256), which again is one in GF(16), and three products for all bits of the result.

A single bit of the result is linear in x^256 and in 1 / N: eight products of a linear sum of x
with a bit of 1 / N. And 1 / N is M' / n, with n the norm of N in GF(16), and M' the conjugate of
N; so the bit is four products of a bit of 1 / n with what can be summed up before that is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from headwater.algebra.field import LinearMap, transposed
from headwater.algebra.pairing import paired_sums
from headwater.algebra.straight_line import Builder, Program
from headwater.algebra.tower import NINE, TWENTY_SEVEN, Pairs, Tower, invert_16
from headwater.algebra.word import Wire, Word

FEW = 2
"""Up to this number of outputs each output has a circuit of its own."""


@dataclass(frozen=True)
class LargeTower(Pairs):
    """A field of 65,536 elements as a tower."""

    bytes: Tower
    """A field of 256 elements, with bits of its own."""
    root: int
    """The image in ``field`` of the element x of the field of ``bytes``: a root of its
    polynomial."""
    forms = TWENTY_SEVEN

    @cached_property
    def half(self) -> LinearMap:
        """An element of GF(256) from its eight bits in the tower."""
        powers = LinearMap(tuple(self.field.power(self.root, n) for n in range(8)))
        return powers.after(self.bytes.whole)

    @cached_property
    def conjugate(self) -> LinearMap:
        """An element of the field to the power 256."""
        return LinearMap(tuple(self.conjugate_of(1 << place) for place in range(16)))


class Inversion:
    """Puts the circuit of an inversion together: of up to `FEW` bits of the result, each with a
    circuit of its own, or of more.

    The circuit is a sequence of parts, each of which reads the outputs of the part before.
    Registers can stand between parts; the number of signals there is as small as possible.
    """

    def __init__(self, tower: LargeTower, outputs: Sequence[int]) -> None:
        self._tower = tower
        self._outputs = tuple(outputs)

    @property
    def single(self) -> bool:
        """Whether each output has a circuit of its own."""
        return len(self._outputs) <= FEW

    def parts(self) -> tuple[Program, ...]:
        """The parts of the circuit, the lowest bit of the element first. They lead to the norm N;
        to its norm n or to 1 / n; to 1 / N, if all bits are wanted; and to the result."""
        if self.single:
            return self._to_norm(), self._to_factors(), self._single_end()
        return self._to_norm(), self._to_inverse_norm(), self._to_inverse_byte(), self._end()

    def _to_norm(self) -> Program:
        """From the element to N and to eight sums for each output; without single outputs to N, A
        and B."""
        build = Builder(16)
        entering = self._tower.whole.inverse()
        scale, linear = self._tower.norm
        linear = linear.after(entering)
        duals = self._dual_forms() if self.single else []
        sums = build.sums(range(16), [*entering.rows(16), *linear.rows(8), *duals])
        a, b = (_twenty_seven(build, sums[half : half + 8]) for half in (0, 8))
        ands = [build.product(left, right) for left, right in zip(a, b, strict=True)]
        columns = [*map(scale, self._tower.products), *(1 << place for place in range(8))]
        levels = [1] * 27 + [0] * 8
        norm = paired_sums(build, [*ands, *sums[16:24]], transposed(columns, 8), levels)
        return build.program([*norm, *(sums[24:] if self.single else sums[:16])])

    def _small_norm(self, build: Builder) -> tuple[list[int], list[int]]:
        """The norm n of the first input, N, and the nine forms of each half of N."""
        scale, linear = self._tower.bytes.norm
        sums = build.sums(range(8), [*TWENTY_SEVEN[:18], *linear.rows(4)])
        ands = [build.product(c, d) for c, d in zip(sums[:9], sums[9:18], strict=True)]
        columns = [*map(scale, self._tower.bytes.products), *(1 << n for n in range(4))]
        levels = [1] * 9 + [0] * 4
        return paired_sums(build, [*ands, *sums[18:]], transposed(columns, 4), levels), sums[:18]

    def _to_factors(self) -> Program:
        """From N and its sums to n and, for each output, the factors of the bits of 1 / n."""
        build = Builder(8 + 8 * len(self._outputs))
        norm, nines = self._small_norm(build)
        turned = [*nines[9:], *nines[:9]]
        factors: list[int] = []
        for first in range(8, build.inputs, 8):
            ends = [
                form
                for half in (first, first + 4)
                for form in build.sums(range(half, half + 4), self._tower.bytes.products)
            ]
            ands = [build.product(x, y) for x, y in zip(turned, ends, strict=True)]
            both = [build.xor(x, y) for x, y in zip(ands[:9], ands[9:], strict=True)]
            factors += paired_sums(build, both, transposed(NINE, 4))
        return build.program([*norm, *factors])

    def _single_end(self) -> Program:
        """From n and the factors to each output, the sum of four products."""
        build = Builder(4 + 4 * len(self._outputs))
        inverse = invert_16(build, range(4))
        return build.program(
            [
                _balanced(
                    build, [build.product(x, first + place) for place, x in enumerate(inverse)]
                )
                for first in range(4, build.inputs, 4)
            ]
        )

    def _to_inverse_norm(self) -> Program:
        """From N, A and B to 1 / n, N, A and B."""
        build = Builder(24)
        norm, _ = self._small_norm(build)
        return build.program([*invert_16(build, norm), *range(24)])

    def _to_inverse_byte(self) -> Program:
        """From 1 / n, N, A and B to 1 / N, A and B."""
        build = Builder(28)
        nine, low, high = (build.sums(range(first, first + 4), NINE) for first in (0, 4, 8))
        ands = [
            build.product(x, y) for half in (high, low) for x, y in zip(half, nine, strict=True)
        ]
        columns = [bits << half for half in (0, 4) for bits in self._tower.bytes.products]
        return build.program([*paired_sums(build, ands, transposed(columns, 8)), *range(12, 28)])

    def _end(self) -> Program:
        """From 1 / N, A and B to the wanted bits of x^256 / N: B / N and A / N."""
        build, tower = Builder(24), self._tower
        inverse, a, b = (_twenty_seven(build, range(first, first + 8)) for first in (0, 8, 16))
        ands = [build.product(x, y) for part in (b, a) for x, y in zip(part, inverse, strict=True)]
        bits = [
            bit
            for first in (0, 27)
            for bit in paired_sums(build, ands[first : first + 27], transposed(tower.products, 8))
        ]
        rows = tower.whole.rows(16)
        return build.program(build.sums(bits, [rows[output] for output in self._outputs]))

    def _dual_forms(self) -> list[int]:
        """For each output eight sums of the element's bits: each belongs to a bit of 1 / N."""
        field, tower = self._tower.field, self._tower
        return [
            sum(
                (field.multiply(byte, image) >> output & 1) << place
                for place, image in enumerate(tower.conjugate.images)
            )
            for output in self._outputs
            for byte in tower.half.images
        ]


def _twenty_seven(build: Builder, bits: Sequence[int]) -> list[int]:
    """The sums of eight bits that products are made of."""
    low, high = bits[:4], bits[4:]
    both = [build.xor(x, y) for x, y in zip(low, high, strict=True)]
    return [form for half in (low, high, both) for form in build.sums(half, NINE)]


def _balanced(build: Builder, signals: list[int]) -> int:
    while len(signals) > 1:
        signals = [build.xor(x, y) for x, y in zip(signals[::2], signals[1::2], strict=False)] + (
            signals[-1:] if len(signals) % 2 else []
        )
    return signals[0]


@cache
def inversion_parts(tower: LargeTower, outputs: tuple[int, ...]) -> tuple[Program, ...]:
    """The circuit of some bits of an inverse, in parts."""
    return Inversion(tower, outputs).parts()


def read_parts(
    parts: Sequence[Program], inputs: Sequence[Word], wire: Wire, name: str
) -> list[Word]:
    """The outputs of parts that follow each other, with nothing between them."""
    signals = list(inputs)
    for number, part in enumerate(parts):
        signals = part.read(signals, wire, f"{name}_{'abcd'[number]}")
    return signals
