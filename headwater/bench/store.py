# SPDX-License-Identifier: Apache-2.0
"""The store of results: one SQLite file, safe with several writers and if a process is killed.

A result is kept under the hash of all that it depends on (`headwater.bench.identity`), so a stored
result is never stale: if anything changes, the hash changes.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from headwater.bench.identity import point_identity, rtl_identity
from headwater.bench.point import DesignPoint, Record
from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError

_ENVIRONMENT = "HEADWATER_STORE"
_BUSY_S = 60.0
_AGAIN_S = 0.02

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
)
"""Statements that lead from each version of the schema to the next; `PRAGMA user_version` counts
the steps that were made."""


@dataclass(frozen=True)
class Result:
    """A stored result."""

    id: str
    """Hash of all that the result depends on."""
    record: Record
    """What ``evaluate --json`` prints."""
    seconds: float
    """Time that the measurement took."""
    measured_at: str
    """End of the measurement, in UTC (ISO 8601)."""


@dataclass(frozen=True)
class Failure:
    """A design point that could not be measured: its description, the reason, and the time."""

    id: str
    point: str
    reason: str
    seconds: float
    failed_at: str


def default_path() -> Path:
    """Default path of the store: $HEADWATER_STORE, or in the user's data folder."""
    given = os.environ.get(_ENVIRONMENT)
    return Path(given) if given else user_data_path("headwater") / "results.sqlite"


@contextmanager
def open_store(path: Path | None = None) -> Iterator[Store]:
    """The store in a file; a missing file is created."""
    path = path or default_path()
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
        yield Store(connection)


@contextmanager
def empty_store() -> Iterator[Store]:
    """A store in memory, with nothing in it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _migrate(connection)
        yield Store(connection)


@contextmanager
def read_store(path: Path | None = None) -> Iterator[Store]:
    """What is in a store now, to be read: neither a file nor its content is changed. The store is
    empty if no file is given and the default one does not exist."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        place = path or default_path()
        if path or place.exists():
            _copy(place, copy)
        _migrate(copy)
        yield Store(copy)


def _copy(path: Path, into: sqlite3.Connection) -> None:
    if not path.is_file():
        raise InputError(f"the store must be a file that exists, not {path}")
    # Without a log beside it nobody writes; then SQLite needs no files beside it to read it, which
    # it could not make in a folder that is read-only.
    written = path.with_name(f"{path.name}-wal").exists()
    source = f"{path.absolute().as_uri()}?{'mode=ro' if written else 'immutable=1'}"
    with _explained(path), closing(sqlite3.connect(source, uri=True, timeout=_BUSY_S)) as stored:
        if not _check(stored, path):
            raise InputError(f"{_NO_STORE}, not {path}")
        stored.backup(into)


_NO_STORE = "the store must be an SQLite file of Headwater"


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Errors of the database in one sentence."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise InputError(f"the store {path} cannot be used: {error}") from error
    except sqlite3.DatabaseError as error:
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
    with _transaction(connection):
        done = _version(connection)
        for migration in _MIGRATIONS[done:]:
            for statement in migration.split(";"):
                connection.execute(statement)
        if done < len(_MIGRATIONS):
            connection.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that locks out other writers from its beginning."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # A full disk has ended it already.
            connection.execute("ROLLBACK")
        raise


class Store:
    """Results, failures and generated Verilog. Each method is one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def find(self, identity: str) -> Result | None:
        """The result with this hash; None if there is none."""
        return self._find("result", identity)

    def find_point(self, point: DesignPoint, verilog: Verilog) -> Result | None:
        """The result of a design point whose Verilog is given."""
        return self.find(point_identity(point, verilog.sha256))

    def known(self, point: DesignPoint) -> Result | None:
        """The result of a design point whose Verilog is stored, too."""
        verilog = self.rtl(rtl_identity(point.cipher, point.architecture))
        return self.find_point(point, verilog) if verilog else None

    def find_system(self, identity: str) -> Result | None:
        """The result of a system of processor and coprocessor with this hash."""
        return self._find("system", identity)

    def find_mutant(self, identity: str) -> Result | None:
        """What one check said of one mutant of a core, under this hash."""
        return self._find("mutant", identity)

    def _find(self, table: str, identity: str) -> Result | None:
        row = self.connection.execute(f"{_SELECT} {table} WHERE id = ?", (identity,)).fetchone()
        return _result(row) if row else None

    def keep(self, result: Result) -> None:
        """Keep a result; a failure under the same hash is forgotten."""
        self._keep("result", result, result.record["target"])

    def keep_system(self, result: Result) -> None:
        """Keep the result of a system."""
        self._keep("system", result, result.record["cpu"])

    def keep_mutant(self, result: Result) -> None:
        """Keep what one check said of one mutant."""
        self._keep("mutant", result, result.record["hunter"])

    def _keep(self, table: str, result: Result, where: str) -> None:
        record = json.dumps(result.record)
        with _transaction(self.connection):
            self.connection.execute("DELETE FROM failure WHERE id = ?", (result.id,))
            self.connection.execute(
                f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?, ?, ?)",
                (result.id, result.record["cipher"], where, record, result.seconds,
                 result.measured_at),
            )  # fmt: skip

    def fail(self, failure: Failure) -> None:
        """Keep the reason why a design point could not be measured."""
        with _transaction(self.connection):
            self.connection.execute(
                "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?)",
                tuple(asdict(failure).values()),
            )

    def results(
        self, *, cipher: str | None = None, target: str | None = None, prefix: str = ""
    ) -> list[Result]:
        """Stored results in the order of measurement; only those of one cipher, of one target, or
        whose hash begins with ``prefix``, if given."""
        rows = self.connection.execute(
            f"{_SELECT} result WHERE cipher = coalesce(?, cipher) AND target = coalesce(?, target) "
            "AND substr(id, 1, ?) = ? ORDER BY measured_at, id",
            (cipher, target, len(prefix), prefix),
        )
        return [_result(row) for row in rows]

    def failures(self) -> list[Failure]:
        """Design points whose last measurement failed."""
        rows = self.connection.execute("SELECT * FROM failure ORDER BY failed_at, id")
        return [Failure(*row) for row in rows]

    def seconds(self, cipher: str | None, target: str) -> float | None:
        """Average time of a measurement of one cipher, or of any cipher, on a target."""
        (mean,) = self.connection.execute(
            "SELECT avg(seconds) FROM result WHERE cipher = coalesce(?, cipher) AND target = ?",
            (cipher, target),
        ).fetchone()
        return None if mean is None else float(mean)

    def systems(self) -> list[Result]:
        """Stored results of systems, and of processors alone, in the order they were measured."""
        rows = self.connection.execute(f"{_SELECT} system ORDER BY measured_at, id")
        return [_result(row) for row in rows]

    def rtl(self, identity: str) -> Verilog | None:
        """The Verilog with this hash; None if there is none."""
        row = self.connection.execute("SELECT verilog FROM rtl WHERE id = ?", (identity,))
        found = row.fetchone()
        if found is None:
            return None
        name, text, ports = json.loads(found[0])
        return Verilog(name, text, tuple(Port(*port) for port in ports))

    def keep_rtl(self, identity: str, verilog: Verilog) -> None:
        """Keep generated Verilog."""
        ports = [[port.name, port.direction, port.width] for port in verilog.ports]
        with _transaction(self.connection):
            self.connection.execute(
                "INSERT OR REPLACE INTO rtl VALUES (?, ?)",
                (identity, json.dumps([verilog.name, verilog.text, ports])),
            )


_SELECT = "SELECT id, record, seconds, measured_at FROM"


def _result(row: tuple[Any, ...]) -> Result:
    identity, text, seconds, measured_at = row
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the record {identity} in the store must be JSON: {error}") from error
    return Result(identity, record, seconds, measured_at)


def now() -> str:
    """The present moment in UTC (ISO 8601)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
