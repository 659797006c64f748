# SPDX-License-Identifier: Apache-2.0
"""Where the figures of reproduced tables are measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from headwater.bench.target import TARGETS, AsicTarget, FpgaTarget, Target
from headwater.errors import InputError


@dataclass(frozen=True)
class Targets:
    """Where today's figures are measured.

    Members
    -------
    slices
        Area in slices of the papers' FPGA family, which no open tool places and routes.
    fpga
        An FPGA with open place and route.
    cells
        A standard-cell library.
    fast, low_leakage : optional
        A library of which there are two thresholds: its fast and its low-leakage transistors. What
        needs them is absent without.

    Raises
    ------
    InputError
        If one is no target of that kind.
    """

    slices: Target
    fpga: Target
    cells: Target
    fast: Target | None = None
    low_leakage: Target | None = None

    def __post_init__(self) -> None:
        for role, fits in _ROLES.items():
            target = getattr(self, role)
            if target and not fits(target):
                legal = ", ".join(name for name, one in TARGETS.items() if fits(one))
                raise InputError(f"target of {role} must be one of {legal}, not {target.name!r}")

    def named(self, role: str) -> Target | None:
        """The target of a role, if it has one; what follows a dot tells several points of it
        apart."""
        target: Target | None = getattr(self, role.partition(".")[0])
        return target


_ROLES: Mapping[str, Callable[[Target], bool]] = {
    "slices": lambda target: isinstance(target, FpgaTarget) and not target.is_placed,
    "fpga": lambda target: isinstance(target, FpgaTarget) and target.is_placed,
    **dict.fromkeys(
        ("cells", "fast", "low_leakage"), lambda target: isinstance(target, AsicTarget)
    ),
}
