# SPDX-License-Identifier: Apache-2.0
"""Tables: rows under headings, and how they are printed for a terminal of some width."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

_ABSENT = "-"
_GAP = 3
"""Spaces between two columns."""
_READABLE = 24
"""Width below which words are not wrapped before the table is folded."""


@dataclass(frozen=True)
class Table:
    """Rows under their headings."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[object]]
    keys: int = 1
    """Number of first columns that say what a row is about: each part of a folded table repeats
    them."""
    bundles: tuple[int, ...] = ()
    """Numbers of columns, after the keys, that stay together in a folded table; each alone where
    nothing is said."""
    shown: tuple[str, ...] | None = None
    """The columns that are shown where no others are asked for; None for all."""

    def only(self, columns: Sequence[str]) -> Table:
        """The same rows with these columns, as far as the table has them, in this order."""
        names = tuple(name for name in columns if name in self.columns)
        places = [self.columns.index(name) for name in names]
        rows = [[row[place] for place in places] for row in self.rows]
        kept = [name for name in self.columns[: self.keys] if name in names]
        return replace(self, columns=names, rows=rows, keys=len(kept), bundles=(), shown=None)


@dataclass(frozen=True)
class _Column:
    heading: str
    cells: list[str]
    is_numeric: bool

    @property
    def natural(self) -> int:
        """The width at which nothing is wrapped."""
        from rich.cells import cell_len

        return max(cell_len(cell) for cell in (self.heading, *self.cells))

    @property
    def readable(self) -> int:
        """The least width at which it reads well."""
        return self.natural if self.is_numeric else min(self.natural, _READABLE)


def as_text(table: Table, width: int | None = None) -> str:
    """A table without terminal codes: numbers to the right, None as a dash.

    What is wider than ``width`` is wrapped within its cells; if that would leave too little room
    for them, the table is folded: groups of its columns follow one another.
    """
    columns = [_column(table, place) for place in range(len(table.columns))]
    if width is None:
        return _printed(columns, [column.natural for column in columns])
    return "\n\n".join(
        _printed(group, _widths(group, width)) for group in _groups(columns, table, width)
    )


def _column(table: Table, place: int) -> _Column:
    values = [row[place] for row in table.rows]
    is_numeric = all(value is None or isinstance(value, int | float) for value in values)
    cells = [_ABSENT if value is None else str(value) for value in values]
    return _Column(table.columns[place], cells, is_numeric)


def _groups(columns: list[_Column], table: Table, width: int) -> list[list[_Column]]:
    """The columns in groups that fit, each after the key columns."""
    keys, rest = columns[: table.keys], iter(columns[table.keys :])
    groups = [keys]
    for size in table.bundles or (1,) * (len(columns) - table.keys):
        bundle = list(islice(rest, size))
        widths = [one.readable for one in (*groups[-1], *bundle)]
        if _total(widths) > width and len(groups[-1]) > table.keys:
            groups.append(keys)
        groups[-1] = [*groups[-1], *bundle]
    return groups


def _widths(columns: list[_Column], width: int) -> list[int]:
    """Widths that fit: the widest column of words is made narrower first, then any."""
    widths = [column.natural for column in columns]
    while _total(widths) > width and max(widths) > 1:
        words = [
            place
            for place, column in enumerate(columns)
            if not column.is_numeric and widths[place] > len("word")
        ]
        widest = max(words or range(len(widths)), key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _printed(columns: list[_Column], widths: list[int]) -> str:
    # Imported here: the other formats, and verbs without a table, do not need it.
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for column, width in zip(columns, widths, strict=True):
        table.add_column(
            column.heading,
            justify="right" if column.is_numeric else "left",
            width=width,
            overflow="fold",
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*cells)
    text = io.StringIO()
    # The box has an edge of one space on either side; the left one is cut.
    console = Console(
        file=text,
        width=_total(widths) + 2,
        color_system=None,
        markup=False,
        emoji=False,
        highlight=False,
    )
    console.print(table)
    return "\n".join(line[1:].rstrip() for line in text.getvalue().splitlines() if line.strip())
