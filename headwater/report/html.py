# SPDX-License-Identifier: Apache-2.0
"""Tables as HTML. All text from records and papers is escaped here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

_ABSENT = "\N{EN DASH}"
_MANY = 1000


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    """Its name in CSV files, with the unit."""
    heading: str
    look: str = ""
    """The style of its cells."""
    cell: Callable[[Any], Any] | None = None
    """Gives the cell of a row; by default the member with the column's name."""

    def value(self, row: Any) -> Any:
        """The cell of a row."""
        return self.cell(row) if self.cell else row[self.name]


def table(name: str, columns: Sequence[Column], rows: Sequence[tuple[str, Any]]) -> str:
    """A table whose columns sort, with an id of its own; a row has the id of its point, or none."""
    heads = "".join(
        f'<th scope="col" data-column="{escape(column.name)}"{_look(column.look)}>'
        f'<button type="button">{escape(column.heading)}</button></th>'
        for column in columns
    )
    body = "\n".join(_row(columns, *row) for row in rows)
    return (
        f'<div class="scroll" tabindex="0" style="--rows: {len(rows)}">'
        f'<table id="{escape(name)}"><thead><tr>{heads}</tr>'
        f"</thead><tbody>\n{body}\n</tbody></table></div>"
    )


def _row(columns: Sequence[Column], key: str, row: Any) -> str:
    key = escape(key)
    opening = f'<tr id="point-{key}" data-key="{key}">' if key else "<tr>"
    cells = (
        _cell(column, column.value(row), first=not index) for index, column in enumerate(columns)
    )
    return f"{opening}{''.join(cells)}</tr>"


def _cell(column: Column, value: Any, *, first: bool) -> str:
    kind, scope = ("th", ' scope="row"') if first else ("td", "")
    text = shown(value)
    exact = "" if value is None else str(value)
    data = f' data-value="{escape(exact)}"' if exact != text else ""
    return f"<{kind}{scope}{_look(column.look)}{data}>{escape(text)}</{kind}>"


def _look(look: str) -> str:
    return f' class="{look}"' if look else ""


def shown(value: Any) -> str:
    """A value for readers: a number with four significant digits, whole digits never rounded away;
    a dash for None."""
    if value is None:
        return _ABSENT
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= _MANY else f"{value:.4g}"
    return str(value)


def tools(name: str, hint: str, more: str = "") -> str:
    """The controls above a table: search, number of rows, export."""
    name, hint = escape(name), escape(hint)
    return (
        f'<div class="tools" data-of="{name}">'
        f'<input type="search" placeholder="{hint}" aria-label="{hint}">{more}'
        '<span class="count"></span>'
        '<button type="button">Export CSV</button></div>'
    )
