# SPDX-License-Identifier: Apache-2.0
"""Made-up points and figures, and what tests of the store share."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.measure import work
from headwater.measure.figures import Figures, Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.store import Result, now
from headwater.measure.target import TARGETS

Capture = pytest.CaptureFixture[str]
ECP5 = TARGETS["ecp5-25k"]


def point(radix: int, settings: Settings | None = None, target: str = "ecp5-25k") -> DesignPoint:
    made = Architecture.choose(TRIVIUM, radix=radix)
    return DesignPoint(TRIVIUM, made, TARGETS[target], settings or Settings(1))


def figures(at: DesignPoint, lut: int = 10, fmax: float = 100.0) -> Figures:
    return Figures(at, "hash", {"tool": "1.0"}, Frequency.over([fmax]), ("a", "b"), lut=lut, ff=7)


POINTS = [point(radix) for radix in (1, 2, 4, 8)]


def result(identity: str, **members: Any) -> Result:
    record = {**figures(POINTS[0]).as_json(), **members}
    return Result(identity, json.loads(json.dumps(record)), 1.0, now())


def pretend(monkeypatch: pytest.MonkeyPatch, evaluate: Callable[[DesignPoint], Figures]) -> None:
    monkeypatch.setattr(work, "evaluate", lambda at, *_: evaluate(at))


def wait_for(condition: Callable[[], bool], what: str) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"waited in vain for {what}")
