# SPDX-License-Identifier: Apache-2.0
"""A printed table beside measured figures: which figure stands beside which value, and the
result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from headwater.cipher.catalogue import find
from headwater.codesign.cells import InCells
from headwater.codesign.scenario import Scenario
from headwater.core.architecture import Architecture
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.settings import AUTO_GATING, NO_GATING, Settings
from headwater.measure.target import Target
from headwater.report.printed import CIPHERS, Paper, PrintedTable, Row
from headwater.report.reproduce.conditions import conditions
from headwater.report.reproduce.reproduction import Figure, Line, Pair, Reproduction
from headwater.report.reproduce.targets import Targets

LEAN = {"stall": "none", "clear": "none"}
"""The papers' cores run freely and have no clear."""


Measurable: TypeAlias = DesignPoint | Scenario | InCells
"""Anything with figures: a core on a target, or a system of processor and core."""

EVERY = "every"
"""The role of a figure that needs all points of its row."""

Points = Mapping[str, Measurable]
"""What is measured, by role: the role of the target, or "system"."""

SYSTEM = "system"


@dataclass(frozen=True)
class Quantity:
    """One printed quantity and its measured counterpart."""

    heading: str
    """Name of the quantity, with the unit of the printed value."""
    printed: Callable[[Row], Figure]
    """Gives the printed value of a row, converted if necessary; None if the row has none."""
    role: str
    """The role of the point that measures it; empty if nothing does."""
    measured: Callable[[Record, Row], Figure]
    """Gives the value from the point's record and the row."""
    unit: str
    """Unit of the measured value."""
    relative: bool = False
    """Whether both values are also shown relative to the reference row of the table."""
    column: str = ""
    """The printed column, to look up doubts about it."""
    derived: bool = False
    """Whether the printed value is computed from other printed values."""
    relative_column: str = ""
    """The printed column that is relative to the reference row, if there is one."""
    inverse: bool = False
    """Whether what is relative is the value of the reference row over that of this one."""
    clocked: bool = False
    """Whether the measured value moves with the clock frequency, hence with the seed."""
    other_circuit: bool = False
    """Whether the measured circuit is not the paper's, as the note says."""


@dataclass(frozen=True)
class Comparison:
    """How a printed table is reproduced."""

    table: str
    keys: tuple[str, ...]
    """The columns that name a row."""
    points: Callable[[Row, Targets], Points]
    """Gives the design points of a row; none for a cipher that the catalogue lacks."""
    quantities: tuple[Quantity, ...]
    reference: Any = None
    """Value of the first key in the reference row."""
    note: str = ""
    """A note on how comparable both sides are."""
    beside: tuple[Row, ...] = ()
    """Further rows, of which print has nothing."""

    def rows(self, paper: Paper) -> tuple[Row, ...]:
        """The printed rows, then the further ones."""
        return (*paper.table(self.table).rows, *self.beside)


def core(
    name: str,
    radix: int,
    target: Target,
    options: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    load_width: int | None = None,
) -> DesignPoint:
    """The design point of a core with the options `LEAN`; ``name`` may be the printed name. There
    are clock gates only where the settings say so, as printed cores are taken to have none unless
    their paper speaks of them."""
    chosen = LEAN | dict(options or {})
    cipher = find(CIPHERS.get(name, name)).with_parameters(chosen)
    architecture = Architecture.choose(cipher, radix=radix, load_width=load_width, options=chosen)
    how = settings or Settings()
    if how.clock_gating == AUTO_GATING:
        how = replace(how, clock_gating=NO_GATING)
    return DesignPoint(cipher, architecture, target, how)


def _printed(column: str, factor: float) -> Callable[[Row], Figure]:
    """A printed column; numbers times a factor."""

    def value(row: Row) -> Figure:
        cell = row.get(column)
        return factor * cell if isinstance(cell, int | float) else cell

    return value


def member(name: str, factor: float = 1.0) -> Callable[[Record, Row], float | None]:
    """A member of a record ("outer.inner" for one of a member) times a factor."""

    def value(record: Record, _row: Row) -> float | None:
        part_of_record: Any = record
        for part in name.split("."):
            part_of_record = None if part_of_record is None else part_of_record.get(part)
        return None if part_of_record is None else factor * part_of_record

    return value


def only_printed(heading: str, column: str) -> Quantity:
    """A printed column that nothing is measured for."""
    return Quantity(heading, _printed(column, 1.0), "", _nothing, "", column=column)


def _nothing(_record: Record, _row: Row) -> None:
    """The measured value of what is only printed."""


def only_measured(
    heading: str, role: str, figure: str | Callable[[Record, Row], Figure], unit: str
) -> Quantity:
    """A member of a record, or what a function gives, that print has nothing of."""
    return quantity(heading, lambda _row: None, role, figure, unit)


def quantity(
    heading: str,
    column: str | Callable[[Row], Figure],
    role: str,
    figure: str | Callable[[Record, Row], Figure],
    unit: str,
    *,
    relative: bool = False,
    factor: float = 1.0,
    measured_factor: float = 1.0,
    doubts: str = "",
    derived: bool = False,
    clocked: bool = False,
    other_circuit: bool = False,
) -> Quantity:
    """A printed column, times ``factor``, beside a member of a record, times ``measured_factor``;
    or, of either, what a function gives. ``doubts`` is the column to look doubts up for, if
    another."""
    if isinstance(column, str):
        doubts, column = doubts or column, _printed(column, factor)
    measured = member(figure, measured_factor) if isinstance(figure, str) else figure
    return Quantity(
        heading,
        column,
        role,
        measured,
        unit,
        relative,
        doubts,
        derived,
        clocked=clocked,
        other_circuit=other_circuit,
    )


def reproduce(
    comparison: Comparison,
    paper: Paper,
    targets: Targets,
    lookup: Callable[[Measurable], Record | None],
) -> Reproduction:
    """Set the printed table beside measured figures; ``lookup`` gives the record of a design
    point."""
    table, rows = paper.table(comparison.table), comparison.rows(paper)
    records = [
        _with_every({role: lookup(one) for role, one in comparison.points(row, targets).items()})
        for row in rows
    ]
    reference = next(
        (
            place
            for place, row in enumerate(rows)
            if comparison.reference is not None and row[comparison.keys[0]] == comparison.reference
        ),
        None,
    )
    lines = tuple(
        Line(
            {key: row[key] for key in comparison.keys},
            tuple(
                _pair(quantity, place, reference, table, rows, records)
                for quantity in comparison.quantities
            ),
        )
        for place, row in enumerate(rows)
    )
    titles = dict.fromkeys(_title(one.role, targets) for one in comparison.quantities)
    measured_on = ", ".join(filter(None, titles))
    note = " ".join(text for text in (comparison.note, table.note) if text)
    return Reproduction(
        paper.name,
        table.id,
        table.title,
        paper.technology,
        measured_on,
        note,
        lines,
        _tools(records),
        conditions(_measured(records)),
    )


def _measured(records: Sequence[Mapping[str, Record | None]]) -> list[Record]:
    return [one for row in records for role, one in row.items() if one and role != EVERY]


def _with_every(records: dict[str, Record | None]) -> dict[str, Record | None]:
    """The records of a row by role, and all of them as one, if all were measured."""
    measured = {role: record for role, record in records.items() if record}
    every = {"of": measured, "tools": {}} if len(measured) == len(records) > 1 else None
    return {**records, EVERY: every}


def _title(role: str, targets: Targets) -> str:
    if role in ("", EVERY):
        return ""
    if role.partition(".")[0] == SYSTEM:
        return "simulation of a RISC-V processor (VexRiscv), the core and C firmware"
    target = targets.named(role)
    return target.title if target else ""


def _pair(
    quantity: Quantity,
    place: int,
    reference: int | None,
    table: PrintedTable,
    rows: Sequence[Row],
    records: Sequence[Mapping[str, Record | None]],
) -> Pair:
    def values(place: int) -> tuple[Figure, Figure]:
        record = records[place].get(quantity.role)
        measured = quantity.measured(record, rows[place]) if record else None
        return quantity.printed(rows[place]), measured

    row, record = rows[place], records[place].get(quantity.role)
    before, now = values(place)
    times_before = times_now = None
    if quantity.relative and reference is not None:
        both = zip(values(place), values(reference), strict=True)
        times_before, times_now = (
            _times(*(pair[::-1] if quantity.inverse else pair)) for pair in both
        )
    if quantity.relative_column:
        times_before = row.get(quantity.relative_column)
    return Pair(
        quantity.heading,
        before,
        now,
        quantity.unit,
        times_before,
        times_now,
        table.doubt(row, quantity.column),
        record.get("id", "") if record else "",
        record.get("target") or record.get("cpu", "") if record else "",
        quantity.derived,
        bool(quantity.relative_column),
        _spread(record) if record and quantity.clocked else 0.0,
        quantity.other_circuit,
        quantity.inverse,
    )


def _spread(record: Record) -> float:
    """Half the range of the clock frequency over the seeds, over its median."""
    runs = record.get("fmax_mhz") or {}
    return (runs["max"] - runs["min"]) / 2 / runs["median"] if "min" in runs else 0.0


def _times(value: Figure, base: Figure) -> float | None:
    if not isinstance(value, int | float) or not isinstance(base, int | float) or not base:
        return None
    return round(value / base, 3)


def _tools(records: list[dict[str, Record | None]]) -> dict[str, str]:
    return {
        name: version
        for row in records
        for record in row.values()
        if record
        for name, version in record["tools"].items()
    }
