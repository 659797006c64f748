# SPDX-License-Identifier: Apache-2.0
"""The tables of the page: measured points, systems, printed rows, cross-overs."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from headwater.report.foreign import lacks_of, layers_of
from headwater.report.html import Column
from headwater.report.messages import Cost
from headwater.report.points import facets_of, named
from headwater.report.printed import PrintedTable

_NUMBER, _LONG, _HASH = "number", "long", "hash"


def _member(figure: str, member: str) -> Callable[[Any], Any]:
    """A member of a figure as a cell."""
    return lambda measured: (measured[figure] or {}).get(member)


def _named(cost: Cost) -> str:
    return f"{cost.cipher}, radix {cost.radix}"


def _whole(value: float) -> str:
    return f"{ceil(value):,}"


_OPTIONS = Column("options", "Options", cell=lambda measured: measured.options)
_ORIGIN = (
    Column("tools", "Tools", cell=lambda measured: named(measured["tools"] or {})),
    Column("rtl_sha256", "RTL SHA-256", _HASH),
    Column("measured_at", "Measured at", cell=lambda measured: measured.measured_at),
    Column("id", "Id", _HASH, lambda measured: measured.id),
)
"""How and when a figure was made."""

MEASURED = (
    Column("cipher", "Cipher"),
    Column("target", "Target"),
    Column("radix", "Radix", _NUMBER),
    Column("bits_per_cycle", "Bits/cycle", _NUMBER),
    Column("area", "Area", _NUMBER, lambda point: point.area),
    Column("area_unit", "Unit", cell=lambda point: point.area_unit),
    Column("area_um2", "µm²", _NUMBER),
    Column("ff", "FF", _NUMBER),
    Column("slices", "Slices", _NUMBER),
    Column("fmax_mhz", "fmax MHz", _NUMBER, lambda point: point.fmax_mhz),
    Column("fmax_mhz_min", "min", _NUMBER, _member("fmax_mhz", "min")),
    Column("fmax_mhz_max", "max", _NUMBER, _member("fmax_mhz", "max")),
    Column("period_fo4", "Period FO4", _NUMBER),
    Column("seeds", "Seeds", _NUMBER, _member("fmax_mhz", "seeds")),
    Column("throughput_mbps", "Mbit/s", _NUMBER),
    Column("mbps_per_area", "Mbit/s per unit", _NUMBER, lambda point: point.mbps_per_area),
    Column("setup_cycles", "Setup cycles", _NUMBER),
    Column("setup_ns", "Setup ns", _NUMBER),
    Column("power_mw", "mW", _NUMBER),
    Column("power_clock_mhz", "at MHz", _NUMBER),
    Column("leakage_mw", "Leakage mW", _NUMBER),
    Column("energy_pj_per_bit", "pJ/bit", _NUMBER),
    Column("setup_energy_nj", "Setup nJ", _NUMBER),
    Column("energy_64_bit_nj", "nJ/64 bit", _NUMBER, _member("energy_message_nj", "one_block")),
    Column(
        "energy_64_kbit_nj", "nJ/64 kbit", _NUMBER, _member("energy_message_nj", "thousand_blocks")
    ),
    Column("load_width", "Load width", _NUMBER),
    _OPTIONS,
    Column("security", "Security", cell=lambda point: facets_of(point.cipher).security),
    Column("flow", "Flow", cell=lambda point: named(point["flow"] or {})),
    *_ORIGIN,
)
"""Of measured points."""

SYSTEMS = (
    Column("cipher", "Cipher"),
    Column("cpu", "Processor"),
    Column("access", "Interface", cell=lambda system: system.access),
    Column("radix", "Radix", _NUMBER),
    Column("cycles_per_128_bits", "Cycles/128 bits", _NUMBER),
    Column("bits_per_cycle", "Bits/cycle", _NUMBER),
    Column("core_cycles_per_128_bits", "Core alone", _NUMBER),
    Column("interface_efficiency", "Efficiency", _NUMBER),
    Column("speedup_hw", "Speed-up, core alone", _NUMBER, lambda system: system.core_speed_up),
    Column("speedup_hw_sw", "whole", _NUMBER, lambda system: system.speed_up),
    Column("message_bytes", "Message bytes", _NUMBER),
    Column("message_cycles", "its cycles", _NUMBER),
    _OPTIONS,
    *_ORIGIN,
)
"""Of systems."""


FOREIGN = (
    Column("foreign", "Core"),
    Column("cipher", "Cipher"),
    Column("target", "Target"),
    Column("radix", "Radix", _NUMBER),
    Column("verdict", "Shown", cell=lambda core: layers_of(core.record)),
    Column("lacks", "Lacks", cell=lambda core: lacks_of(core.record)),
    Column("area", "Area", _NUMBER),
    Column("area_unit", "Unit"),
    Column("ge_plain", "GE, plain FF", _NUMBER),
    Column("ge_plain_gated", "with gates", _NUMBER),
    Column("ff", "FF", _NUMBER),
    Column("fmax_mhz", "fmax MHz", _NUMBER, _member("fmax_mhz", "median")),
    Column("throughput_mbps", "Mbit/s", _NUMBER),
    Column("setup_cycles", "Setup cycles", _NUMBER),
    Column("files", "Files", cell=lambda core: ", ".join(core["files"])),
    Column("sources_sha256", "Sources SHA-256", _HASH),
    _ORIGIN[0],
    *_ORIGIN[2:],
)
"""Of cores that somebody wrote."""


def printed_columns(table: PrintedTable) -> list[Column]:
    """Of a printed table: its own columns, after the names that this package gives."""
    own = [Column(name, name, _NUMBER) for name in table.columns if name != "cipher"]
    return [
        Column("cipher", "Cipher", cell=lambda row: row.cipher),
        *own,
        Column("radix", "Bits per cycle", _NUMBER, lambda row: row.radix),
        Column("doubtful", "Doubtful", f"{_LONG} doubt", lambda row: row.doubt),
    ]


CROSS_OVERS = (
    Column("quantity", "Of a message"),
    Column("target", "Target", cell=lambda row: row["over"].short.target or "any"),
    Column("shorter", "Shorter: less with", cell=lambda row: _named(row["over"].short)),
    Column("longer", "Longer: less with", cell=lambda row: _named(row["over"].long)),
    Column("bits", "from bits", _NUMBER, lambda row: _whole(row["over"].bits)),
    Column("cost", "cycles or pJ there", _NUMBER, lambda row: _whole(row["over"].cost)),
    Column("best", "Best of all", cell=lambda _row: "yes"),
)
"""Of lengths at which the best cipher changes: each is a quantity and the cross-over."""
