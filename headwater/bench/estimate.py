# SPDX-License-Identifier: Apache-2.0
"""Estimated time of measurements, from stored times of earlier measurements."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.bench.point import DesignPoint
from headwater.bench.store import Store


def estimated_seconds(store: Store, points: Iterable[DesignPoint]) -> tuple[float, int]:
    """Seconds that the points will take with one worker, and the number of points without an
    estimate.

    The estimate of a point is the average of its cipher on its target, otherwise the average of all
    ciphers on this target.
    """
    known, unknown = 0.0, 0
    for point in points:
        target = point.target.name
        seconds = store.seconds(point.cipher.name, target) or store.seconds(None, target)
        known += seconds or 0.0
        unknown += seconds is None
    return known, unknown
