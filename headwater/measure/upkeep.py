# SPDX-License-Identifier: Apache-2.0
"""Damaged stores: what is whole in one, and a store of that alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headwater.errors import InputError
from headwater.measure.database import (
    CHECKSUMS,
    COLUMNS,
    as_it_is,
    checksum_of,
    insert,
    opened,
    transaction,
)

_ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError, OverflowError)
"""What SQLite raises where a file is not what it wrote."""
_MOST_PROBED = 1_000_000
_JSON = ("record", "verilog")
Row = tuple[Any, ...]


@dataclass
class Soundness:
    """What is whole in a store, and what is not."""

    whole: dict[str, int] = field(default_factory=dict)
    """Rows that are whole, by table."""
    damaged: list[str] = field(default_factory=list)
    """Rows that are not: the table and the id, as far as it can be read."""
    unreadable: list[str] = field(default_factory=list)
    """Tables that have places where no row can be read."""
    file: list[str] = field(default_factory=list)
    """What SQLite finds wrong with the file."""
    unchecked: bool = False
    """Whether the rows have no checksums yet, as an older version wrote them: then they count as
    whole where they can be read as data."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.damaged or self.unreadable or self.file)


def checked(path: Path) -> Soundness:
    """What is whole in a store, and what is not; nothing is changed.

    Raises
    ------
    InputError
        If the file is no store, or one of a newer version.
    """
    with as_it_is(path) as (connection, version):
        soundness, _ = _examined(connection, version)
    return soundness


def repaired(path: Path) -> tuple[Soundness, Path | None]:
    """Replace a damaged store by one of all that is whole in it.

    No other process may have the store open. Gives what was found, and where the damaged store is
    now: beside it; None if nothing is wrong with it, and nothing was changed.

    Raises
    ------
    InputError
        If the file is no store, one of a newer version, or cannot be replaced.
    """
    damaged = path.with_name(f"{path.name}.damaged")
    with as_it_is(path) as (connection, version):
        soundness, rows = _examined(connection, version)
    if soundness.is_sound:
        return soundness, None
    if damaged.exists():
        raise InputError(f"{damaged}, of an earlier repair, must be removed first")
    part = path.with_name(f"{path.name}.repaired")
    _log_of(part, "-wal").unlink(missing_ok=True)
    part.unlink(missing_ok=True)
    with opened(part) as new, transaction(new):
        for table, row in rows:
            insert(new, table, row)
    path.rename(damaged)
    with suppress(FileNotFoundError):
        _log_of(path, "-wal").rename(_log_of(damaged, "-wal"))
    _log_of(path, "-shm").unlink(missing_ok=True)
    part.rename(path)
    return soundness, damaged


def _log_of(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}{ending}")


def _examined(
    connection: sqlite3.Connection, version: int
) -> tuple[Soundness, list[tuple[str, Row]]]:
    """What is whole, in numbers and in rows."""
    soundness = Soundness(unchecked=version < CHECKSUMS)
    # A byte that is no text is damage, which the checksum tells.
    connection.text_factory = lambda data: data.decode(errors="replace")
    soundness.file = _wrong_with_file(connection)
    rows: list[tuple[str, Row]] = []
    for table in _tables(connection):
        whole = 0
        for row in _rows(connection, table, version, soundness):
            if row is None:
                continue
            rows.append((table, row))
            whole += 1
        soundness.whole[table] = whole
    return soundness, rows


def _wrong_with_file(connection: sqlite3.Connection) -> list[str]:
    try:
        told = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
    except _ERRORS as error:
        told = [str(error)]
    return [] if told == ["ok"] else [line for text in told for line in text.splitlines()]


def _tables(connection: sqlite3.Connection) -> list[str]:
    """The tables that this version of the schema has."""
    stored = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    names = {name for (name,) in stored}
    return [table for table in COLUMNS if table in names]


def _rows(
    connection: sqlite3.Connection, table: str, version: int, soundness: Soundness
) -> Iterator[Row | None]:
    """The rows of a table that are whole; what is not is noted."""
    columns = COLUMNS[table] + (("checksum",) if version >= CHECKSUMS else ())
    reader = _Reader(connection, table, columns)
    for row in reader.rows():
        if version >= CHECKSUMS:
            row, is_whole = row[:-1], checksum_of(*row[:-1]) == row[-1]
        else:
            is_whole = _is_data(table, row)
        if is_whole:
            yield row
        else:
            soundness.damaged.append(f"{table} {row[0]}")
    if reader.has_failed:
        soundness.unreadable.append(table)


def _is_data(table: str, row: Row) -> bool:
    """Whether a row without a checksum can be read as data."""
    texts = [row[COLUMNS[table].index(name)] for name in _JSON if name in COLUMNS[table]]
    try:
        return all(isinstance(json.loads(text), dict | list) for text in texts)
    except (ValueError, TypeError, RecursionError):
        return False


class _Reader:
    """Reads a table from its beginning, from its end, and then place by place in between, around
    what cannot be read."""

    def __init__(
        self, connection: sqlite3.Connection, table: str, columns: tuple[str, ...]
    ) -> None:
        self._connection = connection
        self._query = f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED"
        self.has_failed = False

    def rows(self) -> Iterator[Row]:
        """All rows that can be read."""
        first, last = 0, None
        for number, *row in self._until_failure("ORDER BY rowid"):
            first = number
            yield tuple(row)
        if not self.has_failed:
            return
        backwards = f"WHERE rowid > {first} ORDER BY rowid DESC"
        for number, *row in self._until_failure(backwards):
            last = number
            yield tuple(row)
        for number in range(first + 1, min(last or 0, first + _MOST_PROBED)):
            for _, *row in self._until_failure(f"WHERE rowid = {number}"):
                yield tuple(row)

    def _until_failure(self, which: str) -> Iterator[Row]:
        try:
            with closing(self._connection.execute(f"{self._query} {which}")) as rows:
                yield from rows
        except _ERRORS:
            self.has_failed = True
