# SPDX-License-Identifier: Apache-2.0
"""A whole paper: its reproduced tables, the design points that they need, and its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from headwater.bench.record import Record
from headwater.bench.settings import SYNTHESIS
from headwater.report.printed import Paper
from headwater.report.published import ETH, GAJ, GRAIN, INTERFACES, SPARTAN
from headwater.report.reproduce.claims import Verdict, claims, judge
from headwater.report.reproduce.comparison import Comparison, Measurable, reproduce
from headwater.report.reproduce.errata import errata
from headwater.report.reproduce.eth_2006 import ETH_2006, ETH_2006_LAYOUT
from headwater.report.reproduce.facts import features
from headwater.report.reproduce.fpga import ESTREAM_2007, SPARTAN3_2012
from headwater.report.reproduce.grain_2019 import GRAIN_2019
from headwater.report.reproduce.interfaces import INTERFACES_2007
from headwater.report.reproduce.reasons import EXPERIMENTS
from headwater.report.reproduce.reproduction import Reproduction
from headwater.report.reproduce.targets import Targets

_COMPARISONS: Mapping[str, Sequence[Comparison]] = {
    SPARTAN: SPARTAN3_2012,
    GAJ: ESTREAM_2007,
    ETH: ETH_2006,
    GRAIN: GRAIN_2019,
    INTERFACES: INTERFACES_2007,
}
LAID_OUT: Mapping[str, Sequence[Comparison]] = {ETH: ETH_2006_LAYOUT}
"""The tables whose rows are chips after layout, and whose measured cores can be laid out, too."""
_FEATURES = (GAJ, "table1")

Lookup = Callable[[Measurable], Record | None]


@dataclass(frozen=True)
class ReproducedPaper:
    """Tables in the paper's order, verdicts on its claims, and its errata."""

    paper: Paper
    tables: tuple[Reproduction, ...]
    verdicts: tuple[Verdict, ...]
    errata: tuple[str, ...]
    """Where print contradicts itself."""


def needed(paper: Paper, targets: Targets, table: str | None = None) -> list[Measurable]:
    """The design points and systems that a paper's tables, or one of them, need; each once."""
    found = [
        point
        for comparison in _comparisons(paper, targets, table)
        for row in paper.table(comparison.table).rows
        for point in comparison.points(row, targets).values()
    ]
    return list(dict.fromkeys([*found, *_experiments(paper, targets, table).values()]))


def _experiments(paper: Paper, targets: Targets, table: str | None) -> dict[str, Measurable]:
    """What the reasons of failing claims need beside the tables, by name."""
    reasons = [
        claim.reason
        for claim in claims()
        if claim.paper == paper.name and table in (None, claim.table) and claim.reason
    ]
    return {name: EXPERIMENTS[name](targets) for one in reasons for name in one.experiments}


def reproduce_paper(
    paper: Paper, targets: Targets, found: Lookup, table: str | None = None
) -> ReproducedPaper:
    """The tables of a paper, or one of them, and the verdicts on its claims; ``found`` gives the
    record of a design point or system."""
    if table is not None:
        paper.table(table)
    made = {
        comparison.table: reproduce(comparison, paper, targets, found)
        for comparison in _comparisons(paper, targets, None)
    }
    if paper.name == _FEATURES[0]:
        made[_FEATURES[1]] = features(paper)
    named = [name for name in paper.tables if name in made and table in (None, name)]
    experiments = {name: found(one) for name, one in _experiments(paper, targets, table).items()}
    verdicts = tuple(
        judge(claim, made, experiments)
        for claim in claims()
        if claim.paper == paper.name and claim.table in named
    )
    tables = tuple(made[name] for name in named)
    return ReproducedPaper(paper, tables, verdicts, errata(paper, named))


def _comparisons(paper: Paper, targets: Targets, table: str | None) -> list[Comparison]:
    if table is not None:
        paper.table(table)
    known = _COMPARISONS if targets.stage == SYNTHESIS else LAID_OUT
    return [one for one in known.get(paper.name, ()) if table in (None, one.table)]
