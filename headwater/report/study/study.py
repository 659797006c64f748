# SPDX-License-Identifier: Apache-2.0
"""What every study is: a question, the plan that answers it, and how its answer is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from headwater.measure.plan import read_plan
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.target import Target
from headwater.report.table import Table

if TYPE_CHECKING:
    from headwater.report.charts.parts import Chart


@dataclass(frozen=True)
class Cell:
    """A design point of a study, and its record if it is stored."""

    point: DesignPoint
    record: Record | None

    @property
    def cipher(self) -> str:
        """The name of the cipher; a broken one is told."""
        return f"{self.point.cipher.name}{' (broken)' if self.point.cipher.broken else ''}"

    @property
    def target(self) -> Target:
        """Where it is measured."""
        return self.point.target


CellT = TypeVar("CellT", bound=Cell)
"""What a study makes of a design point."""


def of_each_target(cells: Sequence[CellT]) -> Iterable[tuple[Target, list[CellT]]]:
    """The targets in their order, each with its cells."""
    for target in dict.fromkeys(cell.target for cell in cells):
        yield target, [cell for cell in cells if cell.target == target]


@dataclass(frozen=True)
class Study(ABC, Generic[CellT]):
    """A question, and what answers it."""

    name: str
    title: str
    asks: str

    @property
    def plan(self) -> Path:
        """The file with its design points."""
        return Path(__file__).with_name(f"{self.name}.toml")

    def points(self, tell: Callable[[str], None]) -> list[DesignPoint]:
        """Its design points; an illegal one is told of."""
        return read_plan(self.plan, tell)

    @abstractmethod
    def cell(self, point: DesignPoint, record: Record | None) -> CellT:
        """A design point of the study, with its record if it is stored."""

    def in_order(self, points: Sequence[DesignPoint]) -> list[DesignPoint]:
        """Points in an order in which tables are soon full."""
        return list(points)

    @abstractmethod
    def tables(self, cells: Sequence[CellT]) -> dict[str, Table]:
        """By title, for people."""

    @abstractmethod
    def notes(self, cells: Sequence[CellT]) -> list[str]:
        """What must be known of the tables, in sentences."""

    @abstractmethod
    def long_table(self, cells: Sequence[CellT]) -> Table:
        """A row for each design point, stored or not."""

    @abstractmethod
    def charts(self, cells: Sequence[CellT]) -> list[Chart]:
        """Those that something is stored for."""

    @abstractmethod
    def words(self, cell: CellT) -> Mapping[str, Any]:
        """What tells a design point from the others."""

    def beside(self) -> Mapping[str, Any]:
        """Further members of the study as JSON."""
        return {}
