# SPDX-License-Identifier: Apache-2.0
"""The tables of the page. A table without rows is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from headwater.report.charts.lengths import QUANTITIES
from headwater.report.columns import CROSS_OVERS, MEASURED, SYSTEMS, printed_columns
from headwater.report.html import Column, table, tools
from headwater.report.messages import cheapest, costs, cross_overs
from headwater.report.points import Point
from headwater.report.published import Printed
from headwater.report.systems import System

_CROSS_OVERS = (
    "From this length on the second cipher takes less than the first. Words and blocks that are "
    "not full are not counted."
)
_ALL_PAIRS = '<label><input type="checkbox" id="all-cross-overs"> all pairs of ciphers</label>'


def tables(
    points: Sequence[Point], systems: Sequence[System], printed: Mapping[str, Printed]
) -> str:
    """Cross-over points, measured points, systems, and one table for each printed one."""
    measured = [(one.id, one) for one in points]
    simulated = [(one.id, one) for one in systems]
    return "\n".join((
        _table("cross-overs", "Cross-over points", CROSS_OVERS, _over(points), _CROSS_OVERS,
               _ALL_PAIRS),
        _table("points", "Measured points", MEASURED, measured),
        _table("systems", "Systems", SYSTEMS, simulated),
        *_printed(printed),
    ))  # fmt: skip


def _over(points: Sequence[Point]) -> list[tuple[str, Any]]:
    return [
        ("", {"quantity": quantity, "over": over})
        for quantity, of in QUANTITIES.values()
        for over in cross_overs(cheapest(costs(points, of)))
        if over.best
    ]


def _printed(printed: Mapping[str, Printed]) -> Iterator[str]:
    """The tables of the papers, with the rows that charts show."""

    def place(item: tuple[str, Printed]) -> tuple[str, str]:
        return item[1].paper.name, item[1].table.id

    for (paper, identity), group in groupby(sorted(printed.items(), key=place), place):
        rows = list(group)
        first = rows[0][1]
        title = f"Printed: {first.paper.short}"
        text = f"{first.table.title}. {first.paper.technology}."
        yield _table(f"{paper}-{identity}", title, printed_columns(first.table), rows, text)


def _table(
    name: str, title: str, columns: Sequence[Column], rows: Sequence[tuple[str, Any]],
    text: str = "", more: str = "",
) -> str:  # fmt: skip
    if not rows:
        return ""
    said = f'<p class="source">{escape(text)}</p>' if text else ""
    content = tools(name, "Find in this table", more) + table(name, columns, rows)
    return f'<section id="{name}-section"><h2>{escape(title)}</h2>{said}{content}</section>'
