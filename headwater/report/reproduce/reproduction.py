# SPDX-License-Identifier: Apache-2.0
"""A reproduced table: printed values, each with the measured one beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Figure = float | str | None
"""A value of a table: most are numbers; None if it is absent."""


@dataclass(frozen=True)
class Pair:
    """A printed value and a measured one.

    ``times_printed`` and ``times_measured`` are relative to the reference row.
    """

    heading: str
    printed: Figure
    measured: Figure
    unit: str
    times_printed: float | None = None
    times_measured: float | None = None
    doubtful: str = ""
    id: str = ""
    target: str = ""
    derived: bool = False
    """Whether the printed value is computed from other printed values."""
    times_in_print: bool = False
    """Whether ``times_printed`` is itself printed, and not computed from print."""
    spread: float = 0.0
    """How far the measured value moves with the seed of place and route: half its range over its
    median."""
    other_circuit: bool = False
    """Whether the measured circuit is not the paper's."""
    inverse: bool = False
    """Whether what is relative is the value of the reference row over this one."""


@dataclass(frozen=True)
class Line:
    """One row: its key and its pairs."""

    key: Mapping[str, Any]
    pairs: tuple[Pair, ...]

    def pair(self, heading: str) -> Pair | None:
        """The pair under a heading."""
        return next((pair for pair in self.pairs if pair.heading == heading), None)


@dataclass(frozen=True)
class Reproduction:
    """A reproduced table."""

    paper: str
    table: str
    title: str
    technology: str
    measured_on: str
    note: str
    lines: tuple[Line, ...]
    tools: Mapping[str, str] = field(default_factory=dict)
    conditions: str = ""
    """What the measured figures are: stage, seeds, clock of the power."""
