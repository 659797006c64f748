# SPDX-License-Identifier: Apache-2.0
"""Figures of systems of processor and coprocessor as a table, and notes on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.report.table import Table

SYSTEM_COLUMNS = (
    "cipher",
    "cpu",
    "interface",
    "radix",
    "driver",
    "waits",
    "cycles/128 bits",
    "bits/cycle",
    "core alone",
    "efficiency",
    "HW x",
    "HW+SW x",
    "bit-serial HW+SW x",
    "message",
    "cycles",
)

AREA_COLUMNS = ("GE", "CPU GE", "bus GE", "interface GE", "core GE", "area x", "core pJ/bit")
"""Columns of systems whose area is known."""


def systems_table(records: Sequence[dict[str, Any]]) -> Table:
    """The figures of some systems (what ``codesign --json`` prints)."""
    if not _have_area(records):
        return Table(SYSTEM_COLUMNS, [_row(record) for record in records], keys=4)
    rows = [(*_row(record), *map(record.get, _AREAS)) for record in records]
    return Table((*SYSTEM_COLUMNS, *AREA_COLUMNS), rows, keys=4)


def systems_notes(records: Sequence[dict[str, Any]]) -> list[str]:
    """The software that systems are compared with, and what the columns mean."""
    area = _areas(records) if _have_area(records) else []
    return [*_baselines(records), _MEANING, *area]


_AREAS = (
    "ge",
    "cpu_ge",
    "bus_ge",
    "interface_ge",
    "core_ge",
    "area_factor",
    "core_energy_pj_per_bit",
)


def _have_area(records: Sequence[dict[str, Any]]) -> bool:
    return any("target" in record for record in records)


def _areas(records: Sequence[dict[str, Any]]) -> list[str]:
    """What an area is of, and why some systems have none."""
    targets = ", ".join(dict.fromkeys(record["target"] for record in records))
    reasons = {
        f"{record['cpu']}: {record['absent']['ge']}"
        for record in records
        if "ge" in record["absent"]
    }
    return [_AREA_MEANING.format(targets), *sorted(reasons)]


_AREA_MEANING = (
    "GE: the whole in cells of {}, after synthesis without a timing goal, each part mapped by "
    "itself; area x: over what is left without interface and core. The memory and the caches of "
    "the processor are not counted, as a chip has macros for them; its registers are flip-flops. "
    "core pJ/bit: of the core alone at its own pace, from its stored design point; what it takes "
    "while it waits, and the energy of all else, is not measured."
)

_MEANING = (
    "cycles/128 bits: in steady state, until the words are in memory; core alone: what "
    "the core needs for them, efficiency: their ratio. HW x: software against the core "
    "alone; HW+SW x: against the whole. message: bytes of keystream or text with key "
    "setup, and tag if there is one. Memory was compared with the model in each run."
)


def _row(record: dict[str, Any]) -> tuple[object, ...]:
    serial = record["bit_serial"]
    driver = "stateless" if record["stateless"] else record["driver"]
    return (
        record["cipher"],
        record["cpu"],
        record["interface"],
        record["radix"],
        driver,
        record["wait_states"],
        round(record["cycles_per_128_bits"], 2),
        round(record["bits_per_cycle"], 2),
        record["core_cycles_per_128_bits"],
        round(record["interface_efficiency"], 3),
        record["speedup_hw"],
        record["speedup_hw_sw"],
        serial and serial["speedup_hw_sw"],
        f"{record['message_bytes']} bytes",
        record["message_cycles"],
    )


def _baselines(records: Sequence[dict[str, Any]]) -> list[str]:
    """A line for each software baseline."""
    lines = []
    for record in records:
        where = f"{record['cipher']} on {record['cpu']}"
        for baseline in (record, record["bit_serial"]):
            if baseline and baseline["baseline"]:
                lines.append(
                    f"{where} in software: "
                    f"{baseline['baseline_cycles_per_128_bits']} cycles/128 bits "
                    f"({baseline['baseline']})"
                )
            elif baseline:
                lines.append(f"{where}: no software to compare with")
    return ["\n".join(dict.fromkeys(lines))]
