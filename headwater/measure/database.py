# SPDX-License-Identifier: Apache-2.0
"""The database under the store: one SQLite file with a schema that is brought up to date, safe with
several writers and if a process is killed, a checksum with each row, and errors in one sentence."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from headwater.errors import InputError

_ENVIRONMENT = "HEADWATER_STORE"
_BUSY_S = 60.0
_AGAIN_S = 0.02
REMEDY = "`headwater results check` says where, `headwater results repair` keeps all that is whole"
"""What to do about a damaged store."""
_NO_STORE = "the store must be an SQLite file of Headwater"

_MEASURED = ("record", "seconds", "measured_at")
COLUMNS = {
    "result": ("id", "cipher", "target", *_MEASURED),
    "failure": ("id", "point", "reason", "seconds", "failed_at"),
    "rtl": ("id", "verilog"),
    "system": ("id", "cipher", "cpu", *_MEASURED),
    "mutant": ("id", "cipher", "hunter", *_MEASURED),
    "foreign_core": ("id", "cipher", "target", *_MEASURED),
}
"""The columns of each table, without the last one, the checksum over the others."""


def checksum_of(*values: object) -> str:
    """The checksum of the values of a row: SHA-256 over them as JSON. It tells damage, not
    forgery."""
    return hashlib.sha256(json.dumps(values, default=repr).encode()).hexdigest()


_BEFORE_CHECKSUMS = ("result", "failure", "rtl", "system", "mutant")
"""Tables that are older than the checksums."""


def _checksums() -> str:
    """The statements that add a checksum to each row; and failures are found by their point."""
    adding = (
        f"ALTER TABLE {table} ADD COLUMN checksum TEXT NOT NULL DEFAULT '';"
        f"UPDATE {table} SET checksum = checksum_of({', '.join(COLUMNS[table])})"
        for table in _BEFORE_CHECKSUMS
    )
    return ";".join((*adding, "CREATE INDEX failure_by_point ON failure (point)"))


_MIGRATIONS = (
    """
    CREATE TABLE result (
        id TEXT PRIMARY KEY,
        cipher TEXT NOT NULL,
        target TEXT NOT NULL,
        record TEXT NOT NULL,
        seconds REAL NOT NULL,
        measured_at TEXT NOT NULL
    );
    CREATE INDEX result_by_cipher ON result (cipher, target);
    CREATE TABLE failure (
        id TEXT PRIMARY KEY,
        point TEXT NOT NULL,
        reason TEXT NOT NULL,
        seconds REAL NOT NULL,
        failed_at TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE rtl (
        id TEXT PRIMARY KEY,
        verilog TEXT NOT NULL
    );
    """,
    """
    CREATE TABLE system (
        id TEXT PRIMARY KEY,
        cipher TEXT NOT NULL,
        cpu TEXT NOT NULL,
        record TEXT NOT NULL,
        seconds REAL NOT NULL,
        measured_at TEXT NOT NULL
    );
    CREATE INDEX system_by_cipher ON system (cipher, cpu);
    """,
    """
    CREATE TABLE mutant (
        id TEXT PRIMARY KEY,
        cipher TEXT NOT NULL,
        hunter TEXT NOT NULL,
        record TEXT NOT NULL,
        seconds REAL NOT NULL,
        measured_at TEXT NOT NULL
    );
    """,
    _checksums(),
    """
    CREATE TABLE foreign_core (
        id TEXT PRIMARY KEY,
        cipher TEXT NOT NULL,
        target TEXT NOT NULL,
        record TEXT NOT NULL,
        seconds REAL NOT NULL,
        measured_at TEXT NOT NULL,
        checksum TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX foreign_core_by_cipher ON foreign_core (cipher, target);
    """,
)
"""Statements that lead from each version of the schema to the next; `PRAGMA user_version` counts
the steps that were made."""

CHECKSUMS = 5
"""The version of the schema from which on rows have checksums."""


def default_path() -> Path:
    """Default path of the store: $HEADWATER_STORE, or in the user's data folder."""
    path = os.environ.get(_ENVIRONMENT)
    return Path(path) if path else user_data_path("headwater") / "results.sqlite"


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the database in a file; a missing file is created."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the store {path} cannot be opened: {reason}") from error
    with closing(connection), _explained(path):
        _check(connection, path)
        _use_log(connection)
        # With WAL, a killed process loses nothing and corrupts nothing at this level.
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection)
        yield connection


@contextmanager
def as_it_is(path: Path) -> Iterator[tuple[sqlite3.Connection, int]]:
    """A connection that reads a file as it is, perhaps damaged, and the version of its schema."""
    with _explained(path), closing(_reading(path)) as connection:
        version = _check(connection, path)
        if not version:
            raise InputError(f"{_NO_STORE}, not {path}")
        yield connection, version


@contextmanager
def in_memory(path: Path | None = None) -> Iterator[sqlite3.Connection]:
    """A connection to a database in memory: empty, or what is in a file now. The file and its
    content are not changed."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        if not path:
            _migrate(connection)
            yield connection
            return
        with _explained(path):
            with as_it_is(path) as (stored, _):
                stored.backup(connection)
            _migrate(connection)
            yield connection


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection | Reading]:
    """What is in a file, to be read where it lies; in memory, if its schema is an older one. The
    file and its content are not changed."""
    with as_it_is(path) as (_, version):
        pass
    if version < len(_MIGRATIONS):
        with in_memory(path) as connection:
            yield connection
        return
    with _explained(path), closing(Reading(path)) as reading:
        yield reading


class Reading:
    """A database file that is only read, each query for itself.

    While nobody has it open, SQLite is told that it does not change: otherwise it would make files
    beside it. A query in which that was not so is made again, beside the one who writes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open()

    def _open(self) -> None:
        self._state = self._state_now()
        self._connection = _reading(self._path)

    def _state_now(self) -> tuple[int, int, bool]:
        status = self._path.stat()
        return status.st_mtime_ns, status.st_size, _is_written(self._path)

    def _is_as_opened(self) -> bool:
        """Whether the connection still fits: beside a writer it does as long as that one is
        there."""
        now = self._state_now()
        return now[-1] if self._state[-1] else now == self._state

    def execute(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows of a query."""
        while True:
            try:
                rows = self._connection.execute(query, values).fetchall()
            except sqlite3.DatabaseError:
                if self._is_as_opened():
                    raise
            else:
                if self._is_as_opened():
                    return rows
            self.close()
            self._open()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _is_written(path: Path) -> bool:
    """Whether somebody has a database open to write into it: there is a log beside it."""
    return path.with_name(f"{path.name}-wal").exists()


def _reading(path: Path) -> sqlite3.Connection:
    """A connection that changes neither a file nor what it holds."""
    if not path.is_file():
        raise InputError(f"the store must be a file that exists, not {path}")
    # Without a log beside it nobody writes; then SQLite needs no files beside it to read it, which
    # it could not make in a folder that is read-only.
    source = f"{path.absolute().as_uri()}?{'mode=ro' if _is_written(path) else 'immutable=1'}"
    return sqlite3.connect(source, uri=True, timeout=_BUSY_S, isolation_level=None)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Errors of the database in one sentence."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise InputError(f"the store {path} cannot be used: {error}") from error
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT:
            raise InputError(f"the store {path} is damaged; {REMEDY}") from error
        raise InputError(f"{_NO_STORE}, not {path}") from error


def _use_log(connection: sqlite3.Connection) -> None:
    """Let writers append to a log. SQLite does not wait for others here, who open the same new
    file."""
    end = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_AGAIN_S)


def _check(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the schema; zero if the database is empty."""
    # One transaction, lest another process makes the tables in between.
    connection.execute("BEGIN")
    try:
        return _checked(connection, path)
    finally:
        connection.execute("COMMIT")


def _checked(connection: sqlite3.Connection, path: Path) -> int:
    version = _version(connection)
    if version > len(_MIGRATIONS):
        raise InputError(
            f"the store {path} must have schema version {len(_MIGRATIONS)} or less, "
            f"not {version}: a newer Headwater wrote it"
        )
    if not version and connection.execute("SELECT * FROM sqlite_schema").fetchone():
        raise InputError(f"{_NO_STORE}, not {path}, which is one of another program")
    return version


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _migrate(connection: sqlite3.Connection) -> None:
    connection.create_function("checksum_of", -1, checksum_of, deterministic=True)
    with transaction(connection):
        done = _version(connection)
        for migration in _MIGRATIONS[done:]:
            for statement in migration.split(";"):
                connection.execute(statement)
        if done < len(_MIGRATIONS):
            connection.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")


def insert(connection: sqlite3.Connection, table: str, values: Sequence[object]) -> None:
    """Insert a row with its checksum, in place of the one with its id."""
    marks = ", ".join("?" * (len(values) + 1))
    connection.execute(
        f"INSERT OR REPLACE INTO {table} VALUES ({marks})", (*values, checksum_of(*values))
    )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that locks out other writers from its beginning."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # A full disk has ended it already.
            connection.execute("ROLLBACK")
        raise
