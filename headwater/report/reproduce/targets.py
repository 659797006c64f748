# SPDX-License-Identifier: Apache-2.0
"""Where the figures of reproduced tables are measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from headwater.errors import InputError
from headwater.measure.settings import SYNTHESIS
from headwater.measure.target import TARGETS, AsicTarget, FpgaTarget, Target


@dataclass(frozen=True)
class Targets:
    """Where today's figures are measured; always targets of the kind that each role needs."""

    slices: Target
    """Area in slices of the papers' FPGA family, which no open tool places and routes."""
    fpga: Target
    """An FPGA with open place and route."""
    cells: Target
    fast: Target | None = None
    low_leakage: Target | None = None
    """Fast and low-leakage transistors of one library; figures that need them are absent without
    them."""
    stage: str = SYNTHESIS
    """How far the cells are made where print is of a chip, one of `STAGES`."""

    def __post_init__(self) -> None:
        for role, fits in _ROLES.items():
            target = getattr(self, role)
            if target and not fits(target):
                legal = ", ".join(name for name, one in TARGETS.items() if fits(one))
                raise InputError(f"target of {role} must be one of {legal}, not {target.name!r}")

    def named(self, role: str) -> Target | None:
        """The target of a role; None if it has none. Text behind a dot in a role distinguishes
        several points of one target."""
        name = role.partition(".")[0]
        target: Target | None = self.quiet if name == "low_leakage" else getattr(self, name)
        return target

    @property
    def quiet(self) -> Target:
        """The cells of low-leakage transistors, if there are any, else the cells."""
        return self.low_leakage or self.cells


_ROLES: Mapping[str, Callable[[Target], bool]] = {
    "slices": lambda target: isinstance(target, FpgaTarget) and not target.is_placed,
    "fpga": lambda target: isinstance(target, FpgaTarget) and target.is_placed,
    **dict.fromkeys(
        ("cells", "fast", "low_leakage"), lambda target: isinstance(target, AsicTarget)
    ),
}
