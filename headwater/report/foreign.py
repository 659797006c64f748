# SPDX-License-Identifier: Apache-2.0
"""Cores that somebody wrote, beside architectures of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.cipher.catalogue import find
from headwater.foreign.record import MARK
from headwater.measure.record import Record
from headwater.measure.store import Result
from headwater.report.table import Table

NOTE = (
    "GE: without a timing goal, each flip-flop as small as a plain one, without clock gates and "
    "with them. LUT and MHz: of the mapping with the most MHz per LUT, three seeds, in one shell. "
    "times: the area of the core over that of the row, so that more than 1 says that the row is "
    "smaller. lacks: found by what a core does, or by the options of ours."
)
"""What must be known of the tables."""

_IN_CELLS = ("core", "bits/cycle", "lacks", "GE", "gated GE", "MHz", "Mbit/s", "times")
_ON_FPGA = ("core", "bits/cycle", "lacks", "LUT", "FF", "MHz", "Mbit/s", "times")


def latest(results: Sequence[Result]) -> list[Result]:
    """The last result of each core, cipher, parameters and target, in the order of measurement."""
    last = {_core_of(one.record): one for one in results}
    return sorted(last.values(), key=lambda one: (one.measured_at, one.id))


def _core_of(record: Record) -> tuple[object, ...]:
    return (
        record[MARK],
        record["cipher"],
        record["radix"],
        record["target"],
        sorted(record["parameters"].items(), key=str).__repr__(),
    )


def layers_of(record: Record) -> str:
    """The layers of a verdict that were reached."""
    return ", ".join(
        f"{name} {result}" for name, result in record["layers"].items() if result in ("yes", "no")
    )


def lacks_of(record: Record) -> str:
    """The features that a core lacks, in words."""
    lacks = record["lacks"]
    return "not known" if lacks is None else ", ".join(lacks) or "nothing"


def beside_tables(foreign: Sequence[Record], ours: Sequence[Record]) -> list[Table]:
    """A table for each target: a core, and below it ours."""
    return [
        _table(one, [record for record in ours if record["target"] == one["target"]])
        for one in foreign
    ]


def _table(core: Record, ours: Sequence[Record]) -> Table:
    in_cells = core["lut"] is None
    rows = [_row(record, _over(core, record)) for record in (core, *ours)]
    return Table(_IN_CELLS if in_cells else _ON_FPGA, rows, keys=1)


def _row(record: Record, times: float | None) -> list[Any]:
    area = ("ge_plain", "ge_plain_gated") if record["lut"] is None else ("lut", "ff")
    clock = (record["fmax_mhz"] or {}).get("median")
    return [
        _name(record),
        record["bits_per_cycle"],
        lacks_of(record),
        *map(record.get, area),
        clock,
        record["throughput_mbps"],
        times,
    ]


def _name(record: Record) -> str:
    if MARK in record:
        return str(record[MARK])
    usual = find(record["cipher"]).defaults
    chosen = [
        f"{name}={value}" for name, value in record["options"].items() if usual.get(name) != value
    ]
    return f"ours, {', '.join(chosen) or 'default form'}"


def _over(core: Record, record: Record) -> float | None:
    figure = "ge_plain" if core["lut"] is None else "lut"
    theirs, ours = core[figure], record.get(figure)
    return round(theirs / ours, 2) if theirs and ours else None
