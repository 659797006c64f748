# SPDX-License-Identifier: Apache-2.0
"""What a device spends on LUTs and flip-flops: the slices or cells that hold both."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Packing:
    """The cell of a family that area is counted in."""

    unit: str
    """As the maker calls it."""
    luts: float
    """LUTs that a cell holds."""
    ffs: float
    """Flip-flops that it holds; a fraction where not every cell has them."""

    def least(self, lut: int, ff: int) -> int:
        """The least number of cells that hold these LUTs and flip-flops: a lower bound, because
        real tools cannot pack every LUT with every flip-flop."""
        return max(math.ceil(lut / self.luts), math.ceil(ff / self.ffs))


SLICE = Packing("slice", 2, 2)
LOGIC_CELL = Packing("logic cell", 1, 1)
