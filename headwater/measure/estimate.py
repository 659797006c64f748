# SPDX-License-Identifier: Apache-2.0
"""Estimated time of measurements, from stored times of earlier measurements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from statistics import fmean

from headwater.measure.facts import facts_at
from headwater.measure.point import DesignPoint
from headwater.measure.record import stage_of
from headwater.measure.store import Store, Time


def estimated_seconds(store: Store, points: Iterable[DesignPoint]) -> tuple[float, int]:
    """Seconds that the points will take with one worker, and the number of points without an
    estimate.

    The estimate of a point is that of its cipher on its target at its stage, from the core that is
    nearest in bits per cycle: a wider one takes longer in proportion. For a cipher that was never
    measured there it is the average of all ciphers on this target at this stage.
    """
    times: dict[str, Sequence[Time]] = {}
    known, unknown = 0.0, 0
    for point in points:
        target = point.target.name
        if target not in times:
            times[target] = store.times(target)
        seconds = _estimated(point, times[target])
        known += seconds or 0.0
        unknown += seconds is None
    return known, unknown


def _estimated(point: DesignPoint, times: Sequence[Time]) -> float | None:
    stage = stage_of({"flow": point.settings.as_json(), "options": point.architecture.options})
    alike = [one for one in times if one.stage == stage]
    own = [one for one in alike if one.cipher == point.cipher.name]
    if not own:
        return fmean(one.seconds for one in alike) if alike else None
    bits = facts_at(point.cipher, point.architecture).bits_per_cycle
    widths = sorted({one.bits_per_cycle for one in own})
    nearest = min(widths, key=lambda width: abs(log(width / bits)))
    like = fmean(one.seconds for one in own if one.bits_per_cycle == nearest)
    return like * max(1.0, bits / nearest)
