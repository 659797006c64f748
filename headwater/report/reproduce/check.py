# SPDX-License-Identifier: Apache-2.0
"""Measured figures beside those of the reference: one verdict for each table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.report.reproduce.papers import ReproducedPaper
from headwater.report.reproduce.reproduction import Figure, Line, Pair, Reproduction

EQUAL = "equal"
WITHIN = "within tolerance"
DIFFERS = "differs"
NOT_MEASURED = "not measured"
NOT_COMPARED = "not compared"
"""No figure of the table was to be compared."""

_COUNTED = ("cycles", "flip-flops")
_AREAS = ("slices", "slices, at least", "GE", "um2", "kum2")
_ALLOWED_AREA, _ALLOWED = 2.0, 10.0

TOLERANCES = (
    "The largest difference of a table is in percent of the reference. "
    f"Allowed: none in {' and '.join(_COUNTED)}, {_ALLOWED_AREA:g} % in areas, {_ALLOWED:g} % in "
    "frequency, power, energy and what is computed from them; names of paths are not compared."
)


@dataclass(frozen=True)
class Difference:
    """A figure that differs from that of the reference by more than is allowed."""

    row: str
    heading: str
    reference: Figure
    here: Figure


@dataclass(frozen=True)
class TableVerdict:
    """The verdict on one table."""

    paper: str
    table: str
    verdict: str
    compared: int
    """Number of figures that both sides have."""
    missing: int
    """Number of figures that only the reference has."""
    largest: float
    """The largest difference in percent of the reference."""
    differences: tuple[Difference, ...]


def tolerance_of(unit: str) -> float:
    """The difference in percent that is allowed in figures of a unit."""
    if unit in _COUNTED:
        return 0.0
    return _ALLOWED_AREA if unit in _AREAS else _ALLOWED


def check_paper(reference: ReproducedPaper, here: ReproducedPaper) -> Iterator[TableVerdict]:
    """The verdict on every table. Those that are derived from descriptions are equal by
    construction, and left out."""
    for before, after in zip(reference.tables, here.tables, strict=True):
        pairs = [
            pair for pair in _pairs(before, after) if isinstance(pair[1].measured, int | float)
        ]
        if before.tools or not pairs:
            yield _verdict(before, pairs)


_Both = tuple[Line, Pair, Pair]


def _pairs(before: Reproduction, after: Reproduction) -> Iterator[_Both]:
    """Each number of the reference, with the one measured here."""
    for line, other in zip(before.lines, after.lines, strict=True):
        for pair, now in zip(line.pairs, other.pairs, strict=True):
            if isinstance(pair.measured, int | float):
                yield line, pair, now


def _verdict(table: Reproduction, pairs: list[_Both]) -> TableVerdict:
    measured = [both for both in pairs if isinstance(both[2].measured, int | float)]
    changes = [_percent(pair, now) for _, pair, now in measured]
    wrong = tuple(
        Difference(" ".join(map(str, line.key.values())), pair.heading, pair.measured, now.measured)
        for (line, pair, now), change in zip(measured, changes, strict=True)
        if change > tolerance_of(pair.unit)
    )
    largest = max(changes, default=0.0)
    verdict = DIFFERS if wrong else WITHIN if largest else EQUAL
    if not measured:
        verdict = NOT_MEASURED if pairs else NOT_COMPARED
    return TableVerdict(
        table.paper,
        table.table,
        verdict,
        len(measured),
        len(pairs) - len(measured),
        round(largest, 2),
        wrong,
    )


def _percent(pair: Pair, now: Pair) -> float:
    """How far a figure is from that of the reference, in percent of it."""
    before, after = float(pair.measured or 0), float(now.measured or 0)
    if before == after:
        return 0.0
    return abs(after - before) / abs(before) * 100 if before else float("inf")
