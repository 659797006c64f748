# SPDX-License-Identifier: Apache-2.0
"""What the page tells of a mark in a chart: facts to show, and facts that filters use."""

from __future__ import annotations

from typing import Any

from headwater.report.html import shown
from headwater.report.points import Point, named
from headwater.report.published import Printed, printed_values
from headwater.report.systems import System


def measured_facts(point: Point) -> dict[str, Any]:
    """Of a measured point."""
    fmax = point["fmax_mhz"] or {}
    seeds = (
        f" ({shown(fmax['min'])} to {shown(fmax['max'])}, {fmax['seeds']} seeds)" if fmax else ""
    )
    absent = point.why_absent("fmax_mhz") or "not measured"
    facts = {
        "Area": _with_unit(point.area, point.area_unit),
        "Frequency": f"{shown(point.fmax_mhz)} MHz{seeds}" if fmax else absent,
        "Throughput": _with_unit(point["throughput_mbps"], "Mbit/s"),
        "per area": _with_unit(point.mbps_per_area, f"Mbit/s per {point['area_unit']}"),
        "Setup": _with_unit(point["setup_cycles"], "cycles"),
        "Power": _with_unit(point["power_mw"], f"mW at {shown(point['power_clock_mhz'])} MHz"),
        "Energy": _with_unit(point["energy_pj_per_bit"], "pJ/bit"),
        "Options": point.options,
        "Flow": named(point["flow"] or {}),
        "Tools": named(point["tools"] or {}),
        "RTL": str(point["rtl_sha256"]),
        "Id": point.id,
    }
    place = f"measured on {point['target']}, load width {point['load_width']}"
    return _facts(point, point["radix"], place, facts, target=point["target"])


def system_facts(system: System) -> dict[str, Any]:
    """Of a system."""
    facts = {
        "128 bits": f"{shown(system.cycles)} cycles",
        "Core alone": _with_unit(system["core_cycles_per_128_bits"], "cycles"),
        "Speed-up": _with_unit(system.speed_up, "times software"),
        "Message": f"{system['message_bytes']} bytes in {system['message_cycles']} cycles",
        "Options": system.options,
        "Tools": named(system["tools"] or {}),
        "RTL": system["rtl_sha256"] or "",
        "Id": system.id,
    }
    place = f"simulated with {system['cpu']}: {system.access}"
    return _facts(system, system["radix"], place, facts)


def printed_facts(row: Printed) -> dict[str, Any]:
    """Of a printed row."""
    facts = {
        "Table": row.table.title,
        "Printed": printed_values(row),
        "Doubtful": row.doubt,
        "Technology": row.paper.technology,
    }
    return _facts(row, row.radix, f"printed in: {row.paper.title}", facts)


def _facts(
    of: Point | System | Printed,
    radix: float | None,
    place: str,
    facts: dict[str, str],
    **more: Any,
) -> dict[str, Any]:
    return {
        "title": f"{of.cipher}, radix {radix}" if radix else of.cipher,
        "place": place,
        "facts": [[name, value] for name, value in facts.items() if value],
        "cipher": of.cipher,
        **more,
        "radix": radix,
    }


def _with_unit(value: Any, unit: str) -> str:
    """A value for readers, with its unit; empty for None."""
    return "" if value is None else f"{shown(value)} {unit}"
