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

from amaranth.hdl import Cat, Module, Value

from headwater.core.naming import named, part

SMALLEST_SPLIT = 8
"""Vector length from which splitting was measured to save area."""


class ToeplitzProduct:
    """Adds the sum to the module ``m``."""

    def __init__(self, m: Module) -> None:
        self._m = m

    def product(self, vector: Value, line: Value, rows: int, name: str = "taken_in") -> Value:
        """``rows`` rows of the sum; ``line`` has at least ``rows + len(vector) - 1`` bits."""
        width = len(vector)
        half = width // 2
        if width < SMALLEST_SPLIT or rows % width:
            return self._direct(vector, line, rows)
        low, high = part(vector, 0, half), part(vector, half, width)
        both = named(self._m, f"{name}_both", low ^ high)
        length = rows + width - 1 - half
        moved = part(line, half, half + length)
        sums = named(self._m, f"{name}_line", part(line, 0, length) ^ moved)
        blocks = []
        for row in range(0, rows, width):
            place = f"{name}_{row}"
            shared = self.product(both, part(line, row + half, len(line)), half, f"{place}_s")
            shared = named(self._m, f"{place}_shared", shared)
            blocks.append(self.product(low, part(sums, row, length), half, f"{place}_l") ^ shared)
            blocks.append(
                self.product(high, part(sums, row + half, length), half, f"{place}_h") ^ shared
            )
        return Cat(*blocks)

    def _direct(self, vector: Value, line: Value, rows: int) -> Value:
        products = (
            part(vector, bit, bit + 1).replicate(rows) & part(line, bit, bit + rows)
            for bit in range(len(vector))
        )
        return reduce(xor, products)
