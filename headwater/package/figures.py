# SPDX-License-Identifier: Apache-2.0
"""What was measured of a core, as the documents of a package give it."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.core.architecture import Architecture
from headwater.measure.present import present
from headwater.measure.store import Store
from headwater.report.points import Point, points_of


def figures_of(store: Store, cipher: str, architecture: Architecture) -> list[Point]:
    """The stored design points of one core, in any flow and on any target."""
    wanted = (architecture.radix, architecture.load_width, architecture.options)
    return [
        point
        for point in points_of(present(store.results(cipher=cipher), store))
        if (point["radix"], point["load_width"], point["options"]) == wanted
    ]


def slowest(points: Sequence[Point]) -> Point | None:
    """The point with the lowest frequency; None if no frequency was measured."""
    timed = [point for point in points if point.fmax_mhz]
    return min(timed, key=lambda point: point.fmax_mhz or 0.0, default=None)
