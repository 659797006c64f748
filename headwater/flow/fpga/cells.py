# SPDX-License-Identifier: Apache-2.0
"""Resources of an FPGA that the cells of a mapped core take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from fnmatch import fnmatchcase

from headwater.errors import ToolError


@dataclass(frozen=True)
class Cells:
    """Resources taken by one cell, or by all cells together."""

    lut: int = 0
    """Look-up tables, including those that make carry cells, memories and shift registers."""
    ff: int = 0
    carry: int = 0
    """Carry cells of the family."""
    memory: int = 0
    """Memory cells of the family: blocks of RAM, and memories made of LUTs."""
    srl: int = 0
    """LUTs used as shift registers."""

    def __add__(self, other: Cells) -> Cells:
        return Cells(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def __mul__(self, times: int) -> Cells:
        return Cells(*(times * count for count in astuple(self)))


LUT, FF, WIRING = Cells(lut=1), Cells(ff=1), Cells()


def cost_of(kind: str, costs: Mapping[str, Cells], family: str) -> Cells:
    """The resources of a cell type: the entry of the first matching pattern. Without one there is
    an error, because an uncounted cell would make figures too small."""
    for pattern, cost in costs.items():
        if fnmatchcase(kind, pattern):
            return cost
    raise ToolError(f"a cell of type {kind} cannot be counted on {family}")
