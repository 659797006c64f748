# SPDX-License-Identifier: Apache-2.0
"""Design points, their Verilog and made-up figures, for tests."""

from __future__ import annotations

from typing import Any

from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.verilog import Verilog, generate
from headwater.measure.figures import Figures, Frequency
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.target import TARGETS

OSU018 = TARGETS["osu018"]


def architecture(radix: int, load_width: int | None = None, **options: str) -> Architecture:
    return Architecture.choose(TRIVIUM, radix=radix, load_width=load_width, options=options)


def point(radix: int = 8, where: str = "ecp5-25k", seeds: int = 1) -> DesignPoint:
    return DesignPoint(TRIVIUM, architecture(radix), TARGETS[where], Settings(seeds))


def verilog(at: DesignPoint) -> Verilog:
    return generate(at.cipher, at.architecture)


def figures(at: DesignPoint, *fmax_mhz: float, **measured: Any) -> Figures:
    return Figures(at, "hash", {"tool": "1.0"}, Frequency.over(fmax_mhz), ("a", "b"), **measured)
