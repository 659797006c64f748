# SPDX-License-Identifier: Apache-2.0
"""Experiments: circuits of a table are changed, and a claim that fails is asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from headwater.measure.point import DesignPoint
from headwater.report.printed import Row
from headwater.report.reproduce.comparison import Comparison, Measurable, Points, core
from headwater.report.reproduce.targets import Targets


@dataclass(frozen=True)
class Experiment:
    """A change of the circuits of a table, or of how they are made."""

    text: str
    """The change in words."""
    where: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """The rows that are changed, by the values of their keys; all if it is empty."""
    roles: Sequence[str] = ("cells",)
    """The roles of the points that are changed."""
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    load_width: int | None = None

    def applied(self, comparison: Comparison) -> Comparison:
        """The comparison with changed points."""

        def points(row: Row, targets: Targets) -> Points:
            points_of_row = comparison.points(row, targets)
            if any(row[key] not in among for key, among in self.where.items()):
                return points_of_row
            return {
                role: self._changed(one) if role.partition(".")[0] in self.roles else one
                for role, one in points_of_row.items()
            }

        return replace(comparison, points=points)

    def _changed(self, one: Measurable) -> DesignPoint:
        assert isinstance(one, DesignPoint)
        architecture = one.architecture
        return core(
            one.cipher.name,
            architecture.radix,
            one.target,
            {**architecture.options, **self.options},
            replace(one.settings, **self.settings),
            self.load_width or architecture.load_width,
        )
