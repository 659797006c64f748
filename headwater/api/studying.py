# SPDX-License-Identifier: Apache-2.0
"""Studies: many design points that answer one question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.api.records import Records
from headwater.errors import unknown
from headwater.files import check_folder, write_whole
from headwater.measure.layers import open_layered, read_layered
from headwater.measure.point import DesignPoint
from headwater.measure.run import Outcome, evaluate_all
from headwater.measure.store import Store
from headwater.measure.target import found_here
from headwater.measure.workers import local_workers
from headwater.report.packages import require_packages
from headwater.report.study.studies import STUDIES, study_of
from headwater.report.study.study import Cell, Study
from headwater.report.table import Table


class Studied(Records):
    """The records of a study, as far as they are stored.

    Attributes
    ----------
    study : headwater.report.study.study.Study
        What was asked.
    cells : tuple of headwater.report.study.study.Cell
        Every design point of the study, with its record, or None where it is not stored.
    """

    def __init__(
        self, study: Study[Any], cells: Sequence[Cell], failures: Sequence[str] = ()
    ) -> None:
        super().__init__((cell.record for cell in cells if cell.record), failures)
        self.study, self.cells = study, tuple(cells)

    @property
    def tables(self) -> dict[str, Table]:
        """By title, what the study shows to people."""
        return self.study.tables(self.cells)

    @property
    def notes(self) -> list[str]:
        """What must be known of the tables, in sentences."""
        told = f"{len(self)} of {len(self.cells)} design points are stored."
        first, *others = self.study.notes(self.cells)
        return [f"{told} {first}", *others]

    @property
    def table(self) -> Table:
        """A row for each design point, stored or not."""
        return self.study.long_table(self.cells)

    def figures(self, folder: str | Path) -> list[Path]:
        """Write every chart that something is stored for as SVG; the files."""
        check_figures(folder)
        from headwater.report.figures import svg

        files = {
            Path(folder) / f"{chart.name}.svg": svg(chart)
            for chart in self.study.charts(self.cells)
        }
        for file, data in files.items():
            write_whole(file, data)
        return list(files)


def studies() -> Mapping[str, str]:
    """Title by name of every study."""
    return {name: one.title for name, one in STUDIES.items()}


def study(
    name: str,
    *,
    target: str | Sequence[str] | None = None,
    measure: bool = True,
    jobs: int = 1,
    store: str | Path | None = None,
    told: Callable[[Outcome], None] | None = None,
) -> Studied:
    """Everything that a study asks for; what is not stored is measured first.

    Parameters
    ----------
    name
        A name that `studies` gives.
    target
        Only these targets of the study.
    measure
        Whether what is not stored is measured, ``jobs`` points at a time, on targets that are found
        here.
    told
        Is called with each point as soon as it is known.
    """
    wanted = Wanted.of(name, target)
    path = Path(store) if store else None
    if not measure:
        with read_layered(path) as opened:
            return wanted.studied(opened)
    failures = []
    with open_layered(path) as opened, local_workers(jobs) as workers:
        for outcome in evaluate_all(wanted.missing(opened), opened, workers):
            if outcome.record is None:
                failures.append(outcome.reason)
            if told:
                told(outcome)
        return wanted.studied(opened, failures)


@dataclass(frozen=True)
class Wanted:
    """What is asked for of a study."""

    study: Study[Any]
    points: Sequence[DesignPoint]

    @classmethod
    def of(cls, name: str, target: str | Sequence[str] | None = None) -> Wanted:
        """The points of a study, on all of its targets or on some."""
        study = study_of(name)
        points = study.points(_tell_nobody)
        if target is None:
            return cls(study, points)
        legal = list(dict.fromkeys(point.target.name for point in points))
        chosen = [target] if isinstance(target, str) else target
        for one in chosen:
            if one not in legal:
                raise unknown(f"target of {name}", one, legal)
        return cls(study, [point for point in points if point.target.name in chosen])

    @property
    def unfound(self) -> list[str]:
        """Its targets that nothing can be measured on here."""
        here = found_here()
        names = dict.fromkeys(point.target.name for point in self.points)
        return [name for name in names if name not in here]

    def missing(self, store: Store) -> list[DesignPoint]:
        """The points that are not stored and can be measured here, in an order in which tables are
        soon full."""
        unfound = self.unfound
        missing = [
            point
            for point in self.points
            if point.target.name not in unfound and store.known(point) is None
        ]
        return self.study.in_order(missing)

    def studied(self, store: Store, failures: Sequence[str] = ()) -> Studied:
        """The study with what is stored."""
        known = [(point, store.known(point)) for point in self.points]
        cells = [
            self.study.cell(point, result.record if result else None) for point, result in known
        ]
        return Studied(self.study, cells, failures)


def _tell_nobody(_text: str) -> None:
    """Every point of a study is legal: a test looks at it."""


def check_figures(folder: str | Path) -> None:
    """Refuse a folder that charts cannot be written into, and to draw without the packages."""
    require_packages()
    check_folder(Path(folder))
