# SPDX-License-Identifier: Apache-2.0
"""Several stores joined in one: what has the same identity and the same figures is kept once; what
has the same identity and other figures is told, and no one of them is chosen."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.errors import InputError
from headwater.measure.database import COLUMNS, in_memory, insert, opened, transaction
from headwater.measure.store import Store

_FIGURES = ("result", "system", "mutant", "foreign_core", "rtl")
_CONTENT = ("record", "verilog")
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Conflict:
    """Two stores that have other figures under one identity."""

    table: str
    id: str
    figures: dict[str, list[Any]]
    """What differs, by its name: each value and the store that has it."""


@dataclass
class Merger:
    """What came of joining stores."""

    added: dict[str, int] = field(default_factory=dict)
    """Rows that were new, by table."""
    same: int = 0
    """Rows that were there already, with the same figures."""
    conflicts: list[Conflict] = field(default_factory=list)
    """What is in no store but those that it came from; the merged one keeps what it had."""


def merged(into: Path, stores: Sequence[Path]) -> Merger:
    """Add what is in some stores to another one, which is created if there is none.

    Of a failure the last one counts, unless there is a result.

    Raises
    ------
    InputError
        If one of them is no store, of a newer version, or damaged: then nothing was changed.
    """
    if len({path.resolve() for path in (into, *stores)}) <= len(stores):
        raise InputError("each store that is merged must be named once, and not be the merged one")
    merger = Merger()
    rows = [(path, _rows_of(path)) for path in stores]
    with opened(into) as connection, transaction(connection):
        own = [(into, _rows_in(connection))]
        for table in _FIGURES:
            _merge(connection, table, own + rows, merger)
        _merge_failures(connection, [one for _, one in rows], merger)
    return merger


def _rows_of(path: Path) -> dict[str, dict[str, Row]]:
    with in_memory(path) as connection:
        return _rows_in(connection)


def _rows_in(connection: sqlite3.Connection) -> dict[str, dict[str, Row]]:
    """The rows of a store by table and id, each held against its checksum."""
    store = Store(connection)
    return {table: {row[0]: row for row in store.rows(table)} for table in COLUMNS}


def _merge(
    connection: sqlite3.Connection,
    table: str,
    stores: Sequence[tuple[Path, dict[str, dict[str, Row]]]],
    merger: Merger,
) -> None:
    """Add the rows of a table that all stores which have them agree on."""
    (_, own), *_ = stores
    merger.added[table] = 0
    for identity in dict.fromkeys(key for _, rows in stores for key in rows[table]):
        having = [(path, rows[table][identity]) for path, rows in stores if identity in rows[table]]
        contents = [_content(table, row) for _, row in having]
        if any(content != contents[0] for content in contents):
            figures = _differing([path for path, _ in having], contents)
            merger.conflicts.append(Conflict(table, identity, figures))
            continue
        if identity not in own[table]:
            insert(connection, table, having[0][1])
            connection.execute("DELETE FROM failure WHERE id = ?", (identity,))
            merger.added[table] += 1
        merger.same += len(having) - 1


def _content(table: str, row: Row) -> dict[str, Any]:
    """The figures of a row by name, without the time that they took and when that was."""
    columns = COLUMNS[table]
    content = json.loads(row[next(columns.index(name) for name in _CONTENT if name in columns)])
    return content if isinstance(content, dict) else {"Verilog": content}


def _differing(paths: Sequence[Path], contents: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """The figures that are not the same everywhere: each value with its store."""
    names = dict.fromkeys(name for content in contents for name in content)
    return {
        name: [
            [str(path), content.get(name)] for path, content in zip(paths, contents, strict=True)
        ]
        for name in names
        if any(content.get(name) != contents[0].get(name) for content in contents)
    }


def _merge_failures(
    connection: sqlite3.Connection, stores: Sequence[dict[str, dict[str, Row]]], merger: Merger
) -> None:
    """Add the last failure of each point that has no result."""
    merger.added["failure"] = 0
    own = _rows_in(connection)
    when = COLUMNS["failure"].index("failed_at")
    for rows in stores:
        for identity, row in rows["failure"].items():
            known = own["failure"].get(identity)
            if identity in own["result"] or (known and known[when] >= row[when]):
                continue
            insert(connection, "failure", row)
            own["failure"][identity] = row
            merger.added["failure"] += known is None
