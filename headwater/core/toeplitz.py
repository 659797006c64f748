# SPDX-License-Identifier: Apache-2.0
"""The accumulator's sum for several message bits at once: a Toeplitz matrix times a vector.

Row j of the sum is bit 0 times line bit j, plus bit 1 times line bit j + 1, and so on. Split the
vector into two halves and the rows into two blocks; their four products can share one:

    A = T0 lo + T1 hi = (T0 + T1) lo + T1 (lo + hi)
    B = T1 lo + T2 hi = (T1 + T2) hi + T1 (lo + hi)

So three products are enough, and sums of the line serve all rows. (H. Fan and M. A. Hasan, "A New
Approach to Subquadratic Space Complexity Parallel Multipliers for Extended Binary Fields", IEEE
Transactions on Computers, 2007.)
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from amaranth.hdl import Cat, Const, Module, Value

from headwater.core.naming import named, part

SMALLEST_SPLIT = 8
"""Vector length from which splitting was measured to save area."""
SMALLEST_IN_A_LOOP = 16
"""From which a half is split again where the sum is a part of the slowest loop. To split 16 bits of
Grain-128AEAD twice was measured to save 3 % of its area in standard cells, and to cost 15 % of its
clock."""


class ToeplitzProduct:
    """Adds the sum to the module ``m``; halves of at least ``again`` bits are split again."""

    def __init__(self, m: Module, again: int = SMALLEST_SPLIT) -> None:
        self._m, self._again = m, again

    def product(
        self,
        vector: Value,
        line: Value,
        rows: int,
        name: str = "taken_in",
        sums: Value | None = None,
    ) -> Value:
        """``rows`` rows of the sum; ``line`` has at least ``rows + len(vector) - 1`` bits. ``sums``
        are those of line bits half a vector apart, where they are there already and the vector is
        split."""
        return self._product(vector, line, rows, name, SMALLEST_SPLIT, sums)

    def of_polynomials(self, digit: Value, other: Value, name: str) -> Value:
        """The product of two polynomials over GF(2), bit i of each being that of x^i; of ``digit``
        and ``other`` together as many bits, but one. Row j has that of x^j, and the highest bit of
        the digit comes first in the vector."""
        width, rows = len(digit), len(other) + len(digit)
        line = Cat(Const(0, width - 1), other, Const(0, width))
        return self.product(Cat(reversed(list(digit))), line, rows, name)[: rows - 1]

    def _product(
        self,
        vector: Value,
        line: Value,
        rows: int,
        name: str,
        smallest: int,
        sums: Value | None = None,
    ) -> Value:
        """The sum, split if the vector has at least ``smallest`` bits."""
        width = len(vector)
        half = width // 2
        if width < smallest or rows % width:
            return self.unsplit(vector, line, rows)

        def of_half(vector: Value, line: Value, name: str) -> Value:
            return self._product(vector, line, half, name, self._again)

        low, high = part(vector, 0, half), part(vector, half, width)
        both = named(self._m, f"{name}_both", low ^ high)
        length = rows + width - 1 - half
        if sums is None:
            moved = part(line, half, half + length)
            sums = named(self._m, f"{name}_line", part(line, 0, length) ^ moved)
        blocks = []
        for row in range(0, rows, width):
            place = f"{name}_{row}"
            shared = of_half(both, part(line, row + half, len(line)), f"{place}_s")
            shared = named(self._m, f"{place}_shared", shared)
            blocks.append(of_half(low, part(sums, row, length), f"{place}_l") ^ shared)
            blocks.append(of_half(high, part(sums, row + half, length), f"{place}_h") ^ shared)
        return Cat(*blocks)

    def unsplit(self, vector: Value, line: Value, rows: int) -> Value:
        """The same sum of one product for each bit of the vector: more gates on fewer levels."""
        products = (
            part(vector, bit, bit + 1).replicate(rows) & part(line, bit, bit + rows)
            for bit in range(len(vector))
        )
        return reduce(xor, products)
