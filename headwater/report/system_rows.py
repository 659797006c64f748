# SPDX-License-Identifier: Apache-2.0
"""The table of systems in the page, and the fields of a system that charts show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headwater.report.html import Column, TableRow, shown
from headwater.report.points import named
from headwater.report.rows import figure, with_unit
from headwater.report.systems import System

_NUMBER, _HASH = "number", "hash"


_SYSTEMS: tuple[tuple[Column, Callable[[System], Any]], ...] = (
    (Column("cipher", "Cipher"), lambda system: system.cipher),
    (Column("cpu", "Processor"), figure("cpu")),
    (Column("access", "Interface"), lambda system: system.access),
    (Column("radix", "Radix", _NUMBER), figure("radix")),
    (Column("cycles_per_128_bits", "Cycles/128 bits", _NUMBER), figure("cycles_per_128_bits")),
    (Column("bits_per_cycle", "Bits/cycle", _NUMBER), figure("bits_per_cycle")),
    (Column("core_cycles_per_128_bits", "Core alone", _NUMBER),
     figure("core_cycles_per_128_bits")),
    (Column("interface_efficiency", "Efficiency", _NUMBER), figure("interface_efficiency")),
    (Column("speedup_hw", "Speed-up, core alone", _NUMBER), lambda system: system.core_speed_up),
    (Column("speedup_hw_sw", "whole", _NUMBER), lambda system: system.speed_up),
    (Column("message_bytes", "Message bytes", _NUMBER), figure("message_bytes")),
    (Column("message_cycles", "its cycles", _NUMBER), figure("message_cycles")),
    (Column("options", "Options"), lambda system: system.options),
    (Column("tools", "Tools"), lambda system: named(system["tools"] or {})),
    (Column("rtl_sha256", "RTL SHA-256", _HASH), figure("rtl_sha256")),
    (Column("measured_at", "Measured at"), lambda system: system.measured_at),
    (Column("id", "Id", _HASH), lambda system: system.id),
)  # fmt: skip


def system_columns() -> list[Column]:
    """Columns of the table of systems."""
    return [column for column, _ in _SYSTEMS]


def system_rows(systems: Sequence[System]) -> list[TableRow]:
    """A row for each system."""
    return [TableRow([cell(system) for _, cell in _SYSTEMS], system.id) for system in systems]


def system_facts(system: System) -> dict[str, Any]:
    """The fields of a system that charts show and filters use."""
    facts = {
        "128 bits": f"{shown(system.cycles)} cycles",
        "Core alone": with_unit(system["core_cycles_per_128_bits"], "cycles"),
        "Speed-up": with_unit(system.speed_up, "times software"),
        "Message": f"{system['message_bytes']} bytes in {system['message_cycles']} cycles",
        "Options": system.options,
        "Tools": named(system["tools"] or {}),
        "RTL": system["rtl_sha256"] or "",
        "Id": system.id,
    }
    radix = f", radix {system['radix']}" if system["radix"] else ""
    return {
        "title": f"{system.cipher}{radix}",
        "place": f"simulated with {system['cpu']}: {system.access}",
        "facts": [[name, value] for name, value in facts.items() if value],
        "cipher": system.cipher,
        "radix": system["radix"],
    }
