# SPDX-License-Identifier: Apache-2.0
"""A reproduced paper as text, as a table of pairs, and as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from headwater.report.reproduce.claims import Verdict, count
from headwater.report.reproduce.counts import counts, total
from headwater.report.reproduce.papers import ReproducedPaper
from headwater.report.reproduce.reproduction import Figure, Line, Pair, Reproduction
from headwater.report.table import Table

Printer = Callable[[Table], str]
"""What prints one table."""

_PROSE = 80
"""Width of notes and reasons."""


def as_text(paper: ReproducedPaper, printer: Printer) -> str:
    """Every table with its pairs, then the verdicts."""
    parts = ["\n".join(map(_filled, (paper.paper.title, f"printed: {paper.paper.technology}")))]
    parts += [_table(table, printer) for table in paper.tables]
    parts += [_counted(paper)]
    parts += [_verdicts(paper, printer)] if paper.verdicts else []
    return "\n\n".join(parts)


def pairs_table(papers: Sequence[ReproducedPaper]) -> Table:
    """A row for each printed value, with the measured one beside it."""
    rows = [
        (
            table.paper,
            table.table,
            " ".join(f"{name}={value}" for name, value in line.key.items()),
            pair.heading,
            pair.unit,
            pair.printed,
            pair.measured,
            pair.target,
        )
        for paper in papers
        for table in paper.tables
        for line in table.lines
        for pair in line.pairs
    ]
    return Table(_PAIR_COLUMNS, rows)


_PAIR_COLUMNS = ("paper", "table", "row", "quantity", "unit", "printed", "measured", "target")


def as_json(paper: ReproducedPaper) -> dict[str, Any]:
    """A reproduced paper as plain data."""
    return {
        "paper": paper.paper.name,
        "title": paper.paper.title,
        "technology": paper.paper.technology,
        "counts": asdict(total(paper.tables)),
        "tables": [{**asdict(table), "counts": asdict(counts(table))} for table in paper.tables],
        "errata": paper.errata,
        "claims": [verdict.as_json() for verdict in paper.verdicts],
    }


def _table(table: Reproduction, printer: Printer) -> str:
    lines = [
        _filled(f"{table.table}: {table.title}"),
        _filled(f"measured: {table.measured_on}"),
        _filled(str(counts(table))),
    ]
    pairs = table.lines[0].pairs if table.lines else ()
    keys = [*table.lines[0].key] if table.lines else []
    headings = [_headings(table, pair) for pair in pairs]
    rows = [_row(line, table) for line in table.lines]
    doubts = {pair.doubtful for line in table.lines for pair in line.pairs if pair.doubtful}
    notes = [*(f"* {doubt}" for doubt in sorted(doubts)), table.note, table.conditions]
    notes = [_filled(note) for note in notes if note]
    columns = (*keys, *chain.from_iterable(headings))
    printed = Table(columns, rows, keys=len(keys), bundles=tuple(map(len, headings)))
    return "\n".join([*lines, printer(printed), *notes])


def _headings(table: Reproduction, pair: Pair) -> list[str]:
    """The headings of a pair: printed, measured, and both relative to the reference row."""
    headings = [f"{pair.heading} (derived)" if pair.derived else pair.heading]
    headings += [f"ours, {pair.unit}"] if pair.unit else []
    times = "1/x" if pair.inverse else "x"
    return headings + ([times, f"{times} ours"] if _relative(table, pair.heading) else [])


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, _PROSE, subsequent_indent=indent)


def _relative(table: Reproduction, heading: str) -> bool:
    pairs = (line.pair(heading) for line in table.lines)
    return any(pair is not None and pair.times_printed is not None for pair in pairs)


def _row(line: Line, table: Reproduction) -> list[object]:
    cells: list[object] = [*line.key.values()]
    for pair in line.pairs:
        cells += [_printed(pair), *([_short(pair.measured)] if pair.unit else [])]
        if _relative(table, pair.heading):
            cells += [_short(pair.times_printed), _short(pair.times_measured)]
    return cells


def _printed(pair: Pair) -> Figure:
    value = _short(pair.printed)
    return f"{value}*" if pair.doubtful and value is not None else value


def _short(value: Figure) -> Figure:
    """A number with four significant digits, without a trailing ".0"."""
    if value is None or isinstance(value, str):
        return value
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded == int(rounded) else rounded


def _counted(paper: ReproducedPaper) -> str:
    """The counts of the paper, what it has beside them, and its errata."""
    lines = [_filled(str(total(paper.tables)))]
    if paper.paper.left_out:
        lines += [
            _filled(f"not counted, as nothing can be measured beside: {paper.paper.left_out}")
        ]
    texts = [_filled(one, indent="  ") for one in paper.errata]
    return "\n".join(
        [*lines, *(["errata, computed from the printed values:"] if texts else []), *texts]
    )


def _verdicts(paper: ReproducedPaper, printer: Printer) -> str:
    own = [verdict for verdict in paper.verdicts if verdict.claim.own]
    its = [verdict for verdict in paper.verdicts if not verdict.claim.own]
    reasons = [
        _filled(f"{verdict.claim.table}: {verdict.claim.text}. {verdict.reason}", indent="  ")
        for verdict in paper.verdicts
        if verdict.reason
    ]
    parts = (
        [_judged("claims of the paper (its words in quotes, the rest paraphrased)", its, printer)]
        if its
        else []
    )
    parts += [_judged("own checks of Headwater", own, printer)] if own else []
    return "\n".join([*parts, *(["why claims fail:", *reasons] if reasons else [])])


def _judged(title: str, verdicts: Sequence[Verdict], printer: Printer) -> str:
    rows = [(one.claim.table, one.verdict, one.claim.text, one.measured) for one in verdicts]
    told = ", ".join(f"{number} {kind}" for kind, number in count(verdicts).items())
    table = Table(("table", "verdict", "claim", "measured"), rows, keys=2, bundles=(2,))
    return f"{_filled(f'{title}: {told}')}\n{printer(table)}"
