# SPDX-License-Identifier: Apache-2.0
"""The printed tables of papers beside measured figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from headwater.api.records import Records
from headwater.api.systems import simulated
from headwater.codesign.cells import InCells, stored_area
from headwater.codesign.run import stored
from headwater.codesign.scenario import Scenario
from headwater.errors import InputError
from headwater.measure import defaults
from headwater.measure.layers import LayeredStore, open_layered, read_layered
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.run import evaluate_all
from headwater.measure.settings import LAYOUT, SYNTHESIS
from headwater.measure.target import AsicTarget, Target, find
from headwater.measure.workers import local_workers
from headwater.report.printed import Paper, papers
from headwater.report.printed import paper as paper_of
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.papers import (
    LAID_OUT,
    Lookup,
    ReproducedPaper,
    needed,
    reproduce_paper,
)
from headwater.report.reproduce.targets import Targets
from headwater.report.reproduce.text import pairs_table

ALL = "all"
"""Stands for every paper."""

_FAST, _LOW_LEAKAGE = "asap7-lvt", "asap7-rvt"
"""Two thresholds of one library that has the latches which gated clocks need."""


class Reproduced(Records):
    """Printed values, each with the measured one beside it; None where there is none.

    Attributes
    ----------
    papers : tuple of headwater.report.reproduce.papers.ReproducedPaper
        The same as tables, with verdicts on what the papers claim.
    """

    def __init__(self, papers: Sequence[ReproducedPaper], failures: Sequence[str] = ()) -> None:
        table = pairs_table(papers)
        super().__init__(
            (dict(zip(table.columns, row, strict=True)) for row in table.rows), failures
        )
        self.papers = tuple(papers)


def reproduce(
    paper: str,
    table: str | None = None,
    *,
    slices: str = "spartan3",
    fpga: str = defaults.TARGET,
    cells: str = "osu018",
    fast: str | None = None,
    low_leakage: str | None = None,
    layout: bool = False,
    measure: bool = True,
    jobs: int = 1,
    store: str | Path | None = None,
) -> Reproduced:
    """The printed tables of a paper with today's figures beside them.

    Parameters
    ----------
    paper
        Its name, how that begins, or ``"all"``.
    table
        Only this one.
    slices, fpga, cells
        Targets that area in slices, FPGA frequencies and figures in cells are of.
    fast, low_leakage
        Targets with such transistors; by default those of one library, where it is found.
    layout
        Whether the cores of a paper's chips are laid out, too; such tables alone are made.
    measure
        Whether what is not stored is measured first, ``jobs`` points at a time.
    """
    wanted = Request.of(
        paper, table, slices, fpga, cells, fast, low_leakage, layout=layout, measure=measure
    )
    path = Path(store) if store else None
    if not measure:
        with read_layered(path) as opened:
            return wanted.made(opened)
    with open_layered(path) as opened, local_workers(jobs) as workers:
        outcomes = list(evaluate_all(wanted.points, opened, workers))
        failures = [outcome.reason for outcome in outcomes if outcome.record is None]
        failures += simulated(wanted.systems, opened).failures
        return wanted.made(opened, failures)


@dataclass(frozen=True)
class Request:
    """Papers to reproduce, or one table of them, and the targets that stand beside them."""

    papers: Sequence[Paper]
    targets: Targets
    table: str | None

    @classmethod
    def of(
        cls,
        paper: str,
        table: str | None,
        slices: str,
        fpga: str,
        cells: str,
        fast: str | None,
        low_leakage: str | None,
        *,
        layout: bool,
        measure: bool,
    ) -> Request:
        """The request of these names; see `reproduce`."""
        chosen = list(papers().values()) if paper == ALL else [paper_of(paper)]
        if layout:
            _check_laid_out(chosen, table)
        targets = Targets(
            find(slices),
            find(fpga),
            find(cells),
            _threshold(fast, _FAST, measure),
            _threshold(low_leakage, _LOW_LEAKAGE, measure),
            LAYOUT if layout else SYNTHESIS,
        )
        return cls(chosen, targets, table)

    def needed(self) -> list[Measurable]:
        """All that must be measured for it; each once."""
        every = (it for one in self.papers for it in needed(one, self.targets, self.table))
        return list(dict.fromkeys(every))

    @property
    def points(self) -> list[DesignPoint]:
        """The design points among what is needed."""
        return [one for one in self.needed() if isinstance(one, DesignPoint)]

    @property
    def systems(self) -> list[Scenario | InCells]:
        """The systems among what is needed."""
        return [one for one in self.needed() if not isinstance(one, DesignPoint)]

    def made(self, store: LayeredStore, failures: Sequence[str] = ()) -> Reproduced:
        """The tables with what is stored."""
        lookup = lookup_in(store)
        reproductions = [
            reproduce_paper(one, self.targets, lookup, self.table) for one in self.papers
        ]
        return Reproduced(reproductions, failures)


def _check_laid_out(chosen: Sequence[Paper], table: str | None) -> None:
    """Refuse papers and tables whose rows are not of chips after layout."""
    legal = {name: [one.table for one in tables] for name, tables in LAID_OUT.items()}
    fits = all(
        table in (None, *legal.get(paper.name, ())) and paper.name in legal for paper in chosen
    )
    if not fits:
        named = ", ".join(f"{paper} {name}" for paper, names in legal.items() for name in names)
        asked = ", ".join(paper.name for paper in chosen) + (f" {table}" if table else "")
        raise InputError(f"layout must be with tables of chips after layout ({named}), not {asked}")


def _threshold(name: str | None, usual: str, measure: bool) -> Target | None:
    """The target of that name; without a name the default one, if its library is found, or if
    nothing is measured, which no library is needed for."""
    if name is not None:
        return find(name)
    target = find(usual)
    available = isinstance(target, AsicTarget) and target.liberty.exists()
    return target if available or not measure else None


def lookup_in(store: LayeredStore) -> Lookup:
    """A function that finds the record of a point or system, if it is still valid."""

    @cache
    def found(one: Measurable) -> Record | None:
        if isinstance(one, Scenario):
            return stored(one, store)
        if isinstance(one, InCells):
            return stored_area(one, store)
        result = store.known(one)
        return result.record if result else None

    return found
