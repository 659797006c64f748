# SPDX-License-Identifier: Apache-2.0
"""How many printed values a table or paper has, and how many of them have a measured counterpart.

A counterpart is of the same quantity if its number compares as it stands: a count, a ratio, or an
area in units of the same size. Slices are counted apart: what is measured is a lower bound of what
place and route would give. A counterpart is relative only if technology or circuit are not the
paper's, so that only ratios between the rows of a table compare: frequencies, times, powers, square
micrometers and all that is computed from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass

from headwater.report.reproduce.reproduction import Pair, Reproduction

_SAME = ("%", "bits", "bits/cycle", "cycles", "flip-flops", "GE", "path", "times")
"""Units of measured values that compare as they stand."""
_BOUND = "slices, at least"


@dataclass(frozen=True)
class Counts:
    """Numbers of printed values: all, and those with each sort of counterpart. What is derived
    from print is not counted."""

    printed: int
    same: int
    bounds: int
    relative: int

    def __str__(self) -> str:
        bounds = f"{self.bounds} with a lower bound, " if self.bounds else ""
        return (
            f"{self.printed} printed values, {self.same} with a measured counterpart of the same "
            f"quantity, {bounds}{self.relative} relative only"
        )


def counts(table: Reproduction) -> Counts:
    """The counts of one table."""
    pairs = [pair for line in table.lines for pair in line.pairs]
    values = [pair for pair in pairs if pair.printed is not None and not pair.derived]
    # A printed ratio between rows compares as it stands.
    ratios = [pair for pair in pairs if pair.times_in_print]
    sorts = Counter(_sort(pair) for pair in values if pair.measured is not None)
    compared = sum(pair.times_measured is not None for pair in ratios)
    return Counts(
        len(values) + len(ratios), sorts["same"] + compared, sorts["bounds"], sorts["relative"]
    )


def _sort(pair: Pair) -> str:
    """The member of `Counts` that a measured pair belongs to."""
    if pair.other_circuit:
        return "relative"
    if pair.unit == _BOUND:
        return "bounds"
    return "same" if pair.unit in _SAME else "relative"


def total(tables: Iterable[Reproduction]) -> Counts:
    """The counts of several tables together."""
    each = [astuple(counts(table)) for table in tables]
    return Counts(*map(sum, zip(*each, strict=True))) if each else Counts(0, 0, 0, 0)
