# SPDX-License-Identifier: Apache-2.0
"""Settings of the flow that a command line gives."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from headwater.measure.effect import check_effect
from headwater.measure.settings import LAYOUT, PLACEMENT, Settings
from headwater.measure.target import Target

_NAMES = ("seeds", "objective", "clock_mhz", "clock_gating", "recipe", "hierarchy")


def settings_of(args: argparse.Namespace, targets: Sequence[Target]) -> Settings:
    """The settings that are given, and the default of each other. One that does nothing on any of
    the targets is refused, even with the value that it has by default."""
    named = {name: value for name in _NAMES if (value := getattr(args, name)) is not None}
    check_effect(named, targets)
    for stage in (PLACEMENT, LAYOUT):
        if getattr(args, stage, False):
            named["stage"] = stage
    return Settings(**named, glitches=getattr(args, "glitches", False))
