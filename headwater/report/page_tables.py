# SPDX-License-Identifier: Apache-2.0
"""The tables of the page. A table without rows is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from headwater.report.charts.lengths import QUANTITIES
from headwater.report.columns import CROSS_OVERS, FOREIGN, MEASURED, SYSTEMS, printed_columns
from headwater.report.html import Column, table, tools
from headwater.report.messages import cheapest, costs, cross_overs
from headwater.report.points import Measured, Point
from headwater.report.published import Printed
from headwater.report.systems import System

_CROSS_OVERS = (
    "From this length on the second cipher takes less than the first. Words and blocks that are "
    "not full are not counted."
)
MOST_ROWS = 1000
"""Rows of a table in the page; those of a longer one are data, and written when they come into
view."""
_FOREIGN = (
    "Written by others, judged and measured as ours are. What one lacks is found by what it does."
)
_ALL_PAIRS = '<label><input type="checkbox" id="all-cross-overs"> all pairs of ciphers</label>'


def tables(
    points: Sequence[Point],
    systems: Sequence[System],
    printed: Mapping[str, Printed],
    foreign: Sequence[Measured] = (),
) -> str:
    """Cross-over points, measured points, systems, cores of others, and one table for each printed
    one."""
    measured = [(one.id, one) for one in points]
    simulated = [(one.id, one) for one in systems]
    return "\n".join(
        (
            _table(
                "cross-overs",
                "Cross-over points",
                CROSS_OVERS,
                _over(points),
                _CROSS_OVERS,
                _ALL_PAIRS,
            ),
            _table("points", "Measured points", MEASURED, measured, written=MOST_ROWS),
            _table("systems", "Systems", SYSTEMS, simulated),
            _table("foreign", "Foreign cores", FOREIGN, [("", one) for one in foreign], _FOREIGN),
            *_printed(printed),
        )
    )


def long_rows(points: Sequence[Point]) -> list[list[Any]]:
    """The cells of the measured points, in the order of the columns, where they are too many to be
    in the page; else none."""
    if len(points) <= MOST_ROWS:
        return []
    return [[column.value(point) for column in MEASURED] for point in points]


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
    name: str,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[tuple[str, Any]],
    text: str = "",
    more: str = "",
    *,
    written: int | None = None,
) -> str:
    """A section with a table; without its rows if these are more than are to be ``written``."""
    if not rows:
        return ""
    if written is not None and len(rows) > written:
        rows = []
    said = f'<p class="source">{escape(text)}</p>' if text else ""
    content = tools(name, "Find in this table", more) + table(name, columns, rows)
    return f'<section id="{name}-section"><h2>{escape(title)}</h2>{said}{content}</section>'
