# SPDX-License-Identifier: Apache-2.0
"""How many printed values a table or paper has, and how many of them have a measured counterpart.

A counterpart is of the same quantity if its number compares as it stands: a count, a ratio, or an
area in units of the same size. It is relative only if technology or circuit are not the paper's, so
that only ratios between the rows of a table compare: frequencies, times, powers, square micrometers
and all that is computed from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from headwater.report.reproduce.reproduction import Pair, Reproduction

_SAME = ("bits", "bits/cycle", "cycles", "flip-flops", "GE", "path", "slices, at least", "times")
"""Units of measured values that compare as they stand."""


@dataclass(frozen=True)
class Counts:
    """Numbers of printed values: all, and those with either sort of counterpart. What is derived
    from print is not counted."""

    printed: int
    same: int
    relative: int

    def __str__(self) -> str:
        return (
            f"{self.printed} printed values, {self.same} with a measured counterpart of the same "
            f"quantity, {self.relative} relative only"
        )


def counts(table: Reproduction) -> Counts:
    """The counts of one table."""
    pairs = [pair for line in table.lines for pair in line.pairs]
    values = [pair for pair in pairs if pair.printed is not None and not pair.derived]
    # A printed ratio between rows compares as it stands.
    ratios = [pair for pair in pairs if pair.times_in_print]
    measured = [pair for pair in values if pair.measured is not None]
    relative = sum(not _compares(pair) for pair in measured)
    compared = sum(pair.times_measured is not None for pair in ratios)
    return Counts(len(values) + len(ratios), len(measured) - relative + compared, relative)


def _compares(pair: Pair) -> bool:
    return pair.unit in _SAME and not pair.other_circuit


def total(tables: Iterable[Reproduction]) -> Counts:
    """The counts of several tables together."""
    each = [counts(table) for table in tables]
    return Counts(
        sum(one.printed for one in each),
        sum(one.same for one in each),
        sum(one.relative for one in each),
    )
