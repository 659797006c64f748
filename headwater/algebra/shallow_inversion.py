# SPDX-License-Identifier: Apache-2.0
"""Inversion in a field of 256 elements as a circuit of few levels.

It is taken apart as in `headwater.algebra.tower`. Sums are made by `headwater.algebra.shallow`, and
the inversion in GF(16) has four levels instead of eight, for three ANDs more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headwater.algebra.field import LinearMap
from headwater.algebra.shallow import Shallow
from headwater.algebra.straight_line import Program
from headwater.algebra.tower import ByteInversion


def invert_16_early(build: Shallow, x: Sequence[int]) -> list[int]:
    """The bits of the inverse of a four-bit element, as `headwater.algebra.tower.invert_16` gives
    them: eight ANDs and ten sums, in four levels."""
    x0, x1, x2, x3 = x
    even, odd = build.product(x0, x2), build.product(x1, x3)
    low, high = build.xor(x0, x1), build.xor(x2, x3)
    y0 = build.xor(x2, build.product(x3, build.xor(even, build.without(x1, x2))))
    y1 = build.xor(high, build.product(x2, build.xor(low, odd)))
    y2 = build.xor(x0, build.product(x1, build.xor(even, build.without(x3, x0))))
    y3 = build.xor(low, build.product(x0, build.xor(high, odd)))
    return [y0, y1, y2, y3]


@dataclass(frozen=True)
class ShallowInversion(ByteInversion):
    """Puts the circuit together."""

    ties: tuple[int, int, int] = (0, 0, 0)
    """Seeds of the choice among equally good sums: at the beginning, of N, and at the end."""

    def program(self, before: LinearMap, after: LinearMap, constant: int) -> Program:
        """``after(inverse(before(x))) ^ constant``, of a byte, bit 0 first."""
        build = Shallow(8)
        rows = self.first_rows(self.tower.whole.inverse().after(before))
        forms = build.sums(range(8), rows, self.ties[0])
        a, b, squares = forms[:9], forms[9:18], forms[18:]
        norm = build.sums([*build.products(a, b), *squares], self.norm_rows, self.ties[1])
        inverse = build.sums(invert_16_early(build, norm), self.inverse_rows)
        ands = build.products([*b, *a], [*inverse, *inverse])
        outputs = build.sums(ands, self.last_rows(after), self.ties[2])
        return build.program(outputs, constant)
