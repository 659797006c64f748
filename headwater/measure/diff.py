# SPDX-License-Identifier: Apache-2.0
"""Differences between two sets of results, for use in continuous integration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.errors import unknown
from headwater.measure.export import flat
from headwater.measure.record import Record, design_point_of

_POINT = ("cipher", "radix", "load_width", "options", "target", "settings", "flow")
_NOT_FIGURES = (
    "id",
    "rtl_sha256",
    "circuit_sha256",
    "tools",
    "reference",
    "measured_at",
    "seconds",
)


@dataclass(frozen=True)
class Difference:
    """One figure of a design point that differs. A value is None if the record has no such
    figure."""

    point: str
    figure: str
    before: Any
    after: Any

    @property
    def percent(self) -> float | None:
        """Growth of the figure in percent; None if a value is no number, or the first value is
        zero."""
        if not (_number(self.before) and _number(self.after) and self.before):
            return None
        return round(100 * (self.after - self.before) / abs(self.before), 3)


@dataclass(frozen=True)
class Comparison:
    """Two sets of results."""

    differences: tuple[Difference, ...]
    """Figures that differ by more than allowed, of points that both sets have."""
    missing: tuple[str, ...]
    """Points that only the first set has."""
    new: tuple[str, ...]
    """Points that only the second set has."""
    same: int
    """Number of points without a difference."""


def compare(
    before: Sequence[Record], after: Sequence[Record], tolerances: Mapping[str, float]
) -> Comparison:
    """Compare the results of the points that both have; the last result of a point counts.

    ``tolerances`` are the allowed changes of a number in percent, by the name of the figure; a name
    also stands for all its members. Other figures must be equal. Tools, hashes and settings are not
    compared.
    """
    old, new = _by_point(before), _by_point(after)
    _check_names(tolerances, [*old.values(), *new.values()])
    differences: list[Difference] = []
    same = 0
    for point, record in old.items():
        if point in new:
            changes = _differences(point, record, new[point], tolerances)
            differences += changes
            same += not changes
    missing = tuple(point for point in old if point not in new)
    return Comparison(
        tuple(differences), missing, tuple(point for point in new if point not in old), same
    )


def _check_names(tolerances: Mapping[str, float], records: Sequence[Record]) -> None:
    figures = dict.fromkeys(name for record in records for name in _figures(record))
    legal = {"all", *figures, *(name.partition(".")[0] for name in figures)}
    for name in tolerances:
        if name not in legal:
            raise unknown("figure of a tolerance", name, sorted(legal))


def _by_point(records: Sequence[Record]) -> dict[str, Record]:
    return {design_point_of(record): record for record in records}


def _differences(
    point: str, before: Record, after: Record, tolerances: Mapping[str, float]
) -> list[Difference]:
    old, new = _figures(before), _figures(after)
    return [
        Difference(point, name, old.get(name), new.get(name))
        for name in dict.fromkeys((*old, *new))
        if not _close(old.get(name), new.get(name), _tolerance(name, tolerances))
    ]


def _figures(record: Record) -> dict[str, Any]:
    return flat(
        {name: value for name, value in record.items() if name not in (*_POINT, *_NOT_FIGURES)}
    )


def _tolerance(name: str, tolerances: Mapping[str, float]) -> float:
    outer = name.partition(".")[0]
    return tolerances.get(name, tolerances.get(outer, tolerances.get("all", 0.0)))


def _close(before: Any, after: Any, percent: float) -> bool:
    if _number(before) and _number(after):
        return bool(abs(after - before) <= abs(before) * percent / 100)
    return bool(before == after)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
