# SPDX-License-Identifier: Apache-2.0
"""The store of results: one file, in which a result is kept under the hash of all that it depends
on (`headwater.measure.identity`). So a stored result is never stale: if anything changes, the hash
changes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from headwater.emit.verilog import Port, Verilog
from headwater.errors import InputError
from headwater.measure.database import (
    COLUMNS,
    REMEDY,
    Reading,
    checksum_of,
    default_path,
    in_memory,
    insert,
    opened,
    read_only,
    transaction,
)
from headwater.measure.identity import point_identity, rtl_identity
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, stage_of


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


def short_id(identity: str) -> str:
    """An id as records and names of files have it."""
    return identity[:16]


@dataclass(frozen=True)
class Failure:
    """A design point that could not be measured: its description, the reason, and the time."""

    id: str
    point: str
    reason: str
    seconds: float
    failed_at: str


class Time(NamedTuple):
    """How long a measurement took."""

    cipher: str
    stage: str
    """What was measured, as `stage_of` calls it."""
    bits_per_cycle: float
    """How wide the core is."""
    seconds: float

    @classmethod
    def of(cls, record: Record, seconds: float) -> Time:
        """The time of a record."""
        return cls(record["cipher"], stage_of(record), record["bits_per_cycle"], seconds)


@contextmanager
def open_store(path: Path | None = None) -> Iterator[Store]:
    """The store in a file; a missing file is created."""
    with opened(path or default_path()) as connection:
        yield Store(connection)


@contextmanager
def empty_store() -> Iterator[Store]:
    """A store in memory, with nothing in it."""
    with in_memory() as connection:
        yield Store(connection)


@contextmanager
def read_store(path: Path | None = None, *, planned: bool = False) -> Iterator[Store]:
    """What is in a store now, to be read: neither a file nor its content is changed. The store is
    empty if the default one does not exist, or one that is only ``planned``."""
    place = path or default_path()
    needed = path is not None and not planned
    source = read_only(place) if needed or place.exists() else in_memory()
    with source as connection:
        yield Store(connection)


class Store:
    """Results, failures and generated Verilog. Each method is one transaction."""

    def __init__(self, connection: sqlite3.Connection | Reading) -> None:
        self.connection = connection

    @property
    def _written(self) -> sqlite3.Connection:
        """The connection, which is not one that only reads."""
        assert isinstance(self.connection, sqlite3.Connection)
        return self.connection

    def find(self, identity: str) -> Result | None:
        """The result with this hash; None if there is none."""
        return self._find("result", identity)

    def find_point(self, point: DesignPoint, verilog: Verilog) -> Result | None:
        """The result of a design point whose Verilog is given."""
        return self.find(point_identity(point, verilog.circuit_sha256))

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

    def find_foreign(self, identity: str) -> Result | None:
        """What was measured of a core that somebody wrote, under this hash."""
        return self._find("foreign_core", identity)

    def _find(self, table: str, identity: str) -> Result | None:
        rows = self.rows(table, "WHERE id = ?", identity)
        return _result(rows[0]) if rows else None

    def rows(self, table: str, which: str = "", *values: object) -> list[tuple[Any, ...]]:
        """Rows of a table, each held against its checksum, which is left out."""
        columns = ", ".join(COLUMNS[table])
        query = f"SELECT {columns}, checksum FROM {table} {which}"
        rows = list(self.connection.execute(query, values))
        for *row, checksum in rows:
            if checksum_of(*row) != checksum:
                raise _damaged(table, row[0])
        return [row[:-1] for row in rows]

    def keep(self, result: Result, *, point: str = "") -> None:
        """Keep a result; a failure under the same hash, or of the same point in words, is
        forgotten."""
        self._keep("result", result, result.record["target"], point)

    def keep_system(self, result: Result) -> None:
        """Keep the result of a system."""
        self._keep("system", result, result.record["cpu"])

    def keep_mutant(self, result: Result) -> None:
        """Keep what one check said of one mutant."""
        self._keep("mutant", result, result.record["hunter"])

    def keep_foreign(self, result: Result) -> None:
        """Keep what was measured of a core that somebody wrote."""
        self._keep("foreign_core", result, result.record["target"])

    def _keep(self, table: str, result: Result, where: str, point: str = "") -> None:
        record = json.dumps(result.record)
        with transaction(self._written):
            self._written.execute(
                "DELETE FROM failure WHERE id = ? OR point = ?", (result.id, point)
            )
            row = (
                result.id,
                result.record["cipher"],
                where,
                record,
                result.seconds,
                result.measured_at,
            )
            insert(self._written, table, row)

    def fail(self, failure: Failure) -> None:
        """Keep the reason why a design point could not be measured."""
        with transaction(self._written):
            insert(self._written, "failure", tuple(asdict(failure).values()))

    def results(
        self, *, cipher: str | None = None, target: str | None = None, prefix: str = ""
    ) -> list[Result]:
        """Stored results in the order of measurement; only those of one cipher, of one target, or
        whose hash begins with ``prefix``, if given."""
        return self._selected("result", cipher, target, prefix)

    def foreign(
        self, *, cipher: str | None = None, target: str | None = None, prefix: str = ""
    ) -> list[Result]:
        """The same of cores that somebody wrote."""
        return self._selected("foreign_core", cipher, target, prefix)

    def _selected(
        self, table: str, cipher: str | None, target: str | None, prefix: str
    ) -> list[Result]:
        rows = self.rows(
            table,
            "WHERE cipher = coalesce(?, cipher) AND target = coalesce(?, target) "
            "AND substr(id, 1, ?) = ? ORDER BY measured_at, id",
            cipher,
            target,
            len(prefix),
            prefix,
        )
        return [_result(row) for row in rows]

    def failures(self) -> list[Failure]:
        """Design points whose last measurement failed."""
        rows = self.rows("failure", "ORDER BY failed_at, id")
        return [Failure(*row) for row in rows]

    def times(self, target: str) -> list[Time]:
        """How long the stored measurements on a target took."""
        results = map(_result, self.rows("result", "WHERE target = ?", target))
        return [
            Time.of(one.record, one.seconds) for one in results if one.record.get("bits_per_cycle")
        ]

    def systems(self) -> list[Result]:
        """Stored results of systems, and of processors alone, in the order they were measured."""
        rows = self.rows("system", "ORDER BY measured_at, id")
        return [_result(row) for row in rows]

    def rtl(self, identity: str) -> Verilog | None:
        """The Verilog with this hash; None if there is none."""
        rows = self.rows("rtl", "WHERE id = ?", identity)
        if not rows:
            return None
        name, text, ports = json.loads(rows[0][1])
        return Verilog(name, text, tuple(Port(*port) for port in ports))

    def keep_rtl(self, identity: str, verilog: Verilog) -> None:
        """Keep generated Verilog."""
        ports = [[port.name, port.direction, port.width] for port in verilog.ports]
        with transaction(self._written):
            text = json.dumps([verilog.name, verilog.text, ports])
            insert(self._written, "rtl", (identity, text))


def _damaged(table: str, identity: object) -> InputError:
    return InputError(f"the {table} {identity!s:.16} in the store is damaged; {REMEDY}")


def _result(row: tuple[Any, ...]) -> Result:
    identity, _cipher, _where, text, seconds, measured_at = row
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the record {identity} in the store must be JSON: {error}") from error
    return Result(identity, record, seconds, measured_at)


def now() -> str:
    """The present moment in UTC (ISO 8601)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
