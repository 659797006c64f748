# SPDX-License-Identifier: Apache-2.0
"""The tables of the page: measured points, printed rows, cross-overs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

from headwater.report.html import Column, TableRow, shown
from headwater.report.messages import Cost, CrossOver
from headwater.report.points import Measured, Point, facets_of, named
from headwater.report.published import Printed

_NUMBER, _SHORT, _LONG, _HASH = "number", "short", "long", "hash"

_Cell = Callable[[Point], Any]


def figure(name: str, member: str | None = None) -> Callable[[Measured], Any]:
    """A figure of a record, or a member of it, as a cell."""

    def value(measured: Measured) -> Any:
        found = measured[name]
        return (found or {}).get(member) if member else found

    return value


_MEASURED: tuple[tuple[Column, _Cell], ...] = (
    (Column("cipher", "Cipher"), lambda point: point.cipher),
    (Column("target", "Target"), figure("target")),
    (Column("radix", "Radix", _NUMBER), figure("radix")),
    (Column("bits_per_cycle", "Bits/cycle", _NUMBER), figure("bits_per_cycle")),
    (Column("area", "Area", _NUMBER), lambda point: point.area),
    (Column("area_unit", "Unit"), figure("area_unit")),
    (Column("area_um2", "µm²", _NUMBER), figure("area_um2")),
    (Column("ff", "FF", _NUMBER), figure("ff")),
    (Column("slices", "Slices", _NUMBER), figure("slices")),
    (Column("fmax_mhz", "fmax MHz", _NUMBER), lambda point: point.fmax_mhz),
    (Column("fmax_mhz_min", "min", _NUMBER), figure("fmax_mhz", "min")),
    (Column("fmax_mhz_max", "max", _NUMBER), figure("fmax_mhz", "max")),
    (Column("period_fo4", "Period FO4", _NUMBER), figure("period_fo4")),
    (Column("seeds", "Seeds", _NUMBER), figure("fmax_mhz", "seeds")),
    (Column("throughput_mbps", "Mbit/s", _NUMBER), figure("throughput_mbps")),
    (Column("mbps_per_area", "Mbit/s per unit", _NUMBER), figure("mbps_per_area")),
    (Column("setup_cycles", "Setup cycles", _NUMBER), figure("setup_cycles")),
    (Column("setup_ns", "Setup ns", _NUMBER), figure("setup_ns")),
    (Column("power_mw", "mW", _NUMBER), figure("power_mw")),
    (Column("power_clock_mhz", "at MHz", _NUMBER), figure("power_clock_mhz")),
    (Column("leakage_mw", "Leakage mW", _NUMBER), figure("leakage_mw")),
    (Column("energy_pj_per_bit", "pJ/bit", _NUMBER), figure("energy_pj_per_bit")),
    (Column("setup_energy_nj", "Setup nJ", _NUMBER), figure("setup_energy_nj")),
    (Column("energy_64_bit_nj", "nJ/64 bit", _NUMBER), figure("energy_message_nj", "one_block")),
    (Column("energy_64_kbit_nj", "nJ/64 kbit", _NUMBER),
     figure("energy_message_nj", "thousand_blocks")),
    (Column("load_width", "Load width", _NUMBER), figure("load_width")),
    (Column("options", "Options"), lambda point: point.options),
    (Column("security", "Security"), lambda point: facets_of(point.cipher).security),
    (Column("flow", "Flow"), lambda point: named(point["flow"] or {})),
    (Column("tools", "Tools"), lambda point: named(point["tools"] or {})),
    (Column("rtl_sha256", "RTL SHA-256", _HASH), figure("rtl_sha256")),
    (Column("measured_at", "Measured at"), lambda point: point.measured_at),
    (Column("id", "Id", _HASH), lambda point: point.id),
)  # fmt: skip


def measured_columns() -> list[Column]:
    """Columns of the table of measured points."""
    return [column for column, _ in _MEASURED]


def measured_rows(points: Sequence[Point]) -> list[TableRow]:
    """A row for each measured point."""
    return [TableRow([cell(point) for _, cell in _MEASURED], point.id) for point in points]


def measured_facts(point: Point) -> dict[str, Any]:
    """The fields of a measured point that charts show and filters use."""
    fmax = point["fmax_mhz"] or {}
    seeds = (
        f" ({shown(fmax['min'])} to {shown(fmax['max'])}, {fmax['seeds']} seeds)" if fmax else ""
    )
    facts = {
        "Area": with_unit(point.area, point["area_unit"]),
        "Frequency": f"{shown(point.fmax_mhz)} MHz{seeds}" if fmax else _why(point, "fmax_mhz"),
        "Throughput": with_unit(point["throughput_mbps"], "Mbit/s"),
        "per area": with_unit(point["mbps_per_area"], f"Mbit/s per {point['area_unit']}"),
        "Setup": with_unit(point["setup_cycles"], "cycles"),
        "Power": with_unit(point["power_mw"], f"mW at {shown(point['power_clock_mhz'])} MHz"),
        "Energy": with_unit(point["energy_pj_per_bit"], "pJ/bit"),
        "Options": point.options,
        "Flow": named(point["flow"] or {}),
        "Tools": named(point["tools"] or {}),
        "RTL": str(point["rtl_sha256"]),
        "Id": point.id,
    }
    return {
        "title": f"{point.cipher}, radix {point['radix']}",
        "place": f"measured on {point['target']}, load width {point['load_width']}",
        "facts": [[name, value] for name, value in facts.items() if value],
        "cipher": point.cipher,
        "target": point["target"],
        "radix": point["radix"],
    }


def _why(point: Point, figure: str) -> str:
    return point.why_absent(figure) or "not measured"


def with_unit(value: Any, unit: str) -> str:
    """A value for readers, with its unit; empty for None."""
    return "" if value is None else f"{shown(value)} {unit}"


PRINTED_COLUMNS = (
    Column("cipher", "Cipher"),
    Column("paper", "Paper", _SHORT),
    Column("table", "Table", _SHORT),
    Column("radix", "Radix", _NUMBER),
    Column("values", "Printed values", _LONG),
    Column("doubtful", "Doubtful", f"{_LONG} doubt"),
    Column("technology", "Technology", _LONG),
)


def printed_table(rows: Mapping[str, Printed]) -> list[TableRow]:
    """A row for each printed row that a chart shows."""
    return [
        TableRow((row.cipher, row.paper.short, row.table.title, row.radix, _values(row), row.doubt,
                  row.paper.technology), key)
        for key, row in rows.items()
    ]  # fmt: skip


def printed_facts(row: Printed) -> dict[str, Any]:
    """The fields of a printed row that charts show and filters use."""
    facts = {
        "Table": row.table.title,
        "Printed": _values(row),
        "Doubtful": row.doubt,
        "Technology": row.paper.technology,
    }
    return {
        "title": row.cipher if row.radix is None else f"{row.cipher}, radix {row.radix}",
        "place": f"printed in: {row.paper.title}",
        "facts": [[name, value] for name, value in facts.items() if value],
        "cipher": row.cipher,
        "radix": row.radix,
    }


def _values(row: Printed) -> str:
    return ", ".join(f"{name} {value}" for name, value in row.row.items()
                     if value is not None and name != "cipher")  # fmt: skip


CROSS_OVER_COLUMNS = (
    Column("quantity", "Of a message"),
    Column("target", "Target"),
    Column("shorter", "Shorter: less with"),
    Column("longer", "Longer: less with"),
    Column("bits", "from bits", _NUMBER),
    Column("cost", "cycles or pJ there", _NUMBER),
    Column("best", "Best of all"),
)


def cross_over_rows(quantity: str, found: Sequence[CrossOver]) -> list[TableRow]:
    """A row for each length at which the best cipher changes."""
    return [
        TableRow((quantity, over.short.target or "any", _named(over.short), _named(over.long),
                  _whole(over.bits), _whole(over.cost), "yes"))
        for over in found
        if over.best
    ]  # fmt: skip


def _named(cost: Cost) -> str:
    return f"{cost.cipher}, radix {cost.radix}"


def _whole(value: float) -> str:
    return f"{ceil(value):,}"
