# SPDX-License-Identifier: Apache-2.0
"""A whole paper: its reproduced tables, the design points that they need, and its claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from headwater.measure.record import Record
from headwater.measure.settings import SYNTHESIS
from headwater.report.printed import Paper
from headwater.report.published import ETH, GAJ, GRAIN, INTERFACES, SPARTAN
from headwater.report.reproduce.claims import Claim, Verdict, claims, judge
from headwater.report.reproduce.comparison import Comparison, Measurable, reproduce
from headwater.report.reproduce.errata import errata
from headwater.report.reproduce.eth_2006 import ETH_2006, ETH_2006_LAYOUT
from headwater.report.reproduce.facts import features
from headwater.report.reproduce.fpga import ESTREAM_2007, SPARTAN3_2012
from headwater.report.reproduce.grain_2019 import GRAIN_2019
from headwater.report.reproduce.interfaces import INTERFACES_2007
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


def needed(
    paper: Paper, targets: Targets, table: str | None = None, *, for_claims: bool = True
) -> list[Measurable]:
    """The design points and systems that a paper's tables, or one of them, need; each once. Those
    that claims need beside the tables are among them if ``for_claims``."""
    items = [
        point
        for comparison in _comparisons(paper, targets, table)
        for variant in (comparison, *(_variants(paper, comparison) if for_claims else ()))
        for row in variant.rows(paper)
        for point in variant.points(row, targets).values()
    ]
    return list(dict.fromkeys(items))


def _variants(paper: Paper, comparison: Comparison) -> Iterator[Comparison]:
    """The table as claims ask for it: with further rows, and with the circuits of experiments."""
    for claim in claims():
        if (claim.paper, claim.table) == (paper.name, comparison.table):
            yield from _asked(claim, comparison)


def _asked(claim: Claim, comparison: Comparison) -> list[Comparison]:
    """The table that a claim is asked of, and that of its experiment."""
    own = replace(comparison, beside=tuple(claim.beside)) if claim.beside else comparison
    return [own, *([claim.experiment.applied(own)] if claim.experiment else [])]


def reproduce_paper(
    paper: Paper, targets: Targets, lookup: Lookup, table: str | None = None
) -> ReproducedPaper:
    """The tables of a paper, or one of them, and the verdicts on its claims; ``lookup`` gives the
    record of a design point or system."""
    if table is not None:
        paper.table(table)
    known = {one.table: one for one in _comparisons(paper, targets, None)}
    reproduced = {name: reproduce(one, paper, targets, lookup) for name, one in known.items()}
    if paper.name == _FEATURES[0]:
        reproduced[_FEATURES[1]] = features(paper)
    named = [name for name in paper.tables if name in reproduced and table in (None, name)]

    def judged(claim: Claim) -> Verdict:
        whole = known[claim.table]
        asked = [
            reproduced
            if one is whole
            else reproduced | {one.table: reproduce(one, paper, targets, lookup)}
            for one in _asked(claim, whole)
        ]
        return judge(claim, *asked)

    verdicts = tuple(
        judged(claim) for claim in claims() if claim.paper == paper.name and claim.table in named
    )
    tables = tuple(reproduced[name] for name in named)
    return ReproducedPaper(paper, tables, verdicts, errata(paper, named))


def _comparisons(paper: Paper, targets: Targets, table: str | None) -> list[Comparison]:
    if table is not None:
        paper.table(table)
    known = _COMPARISONS if targets.stage == SYNTHESIS else LAID_OUT
    return [one for one in known.get(paper.name, ()) if table in (None, one.table)]
