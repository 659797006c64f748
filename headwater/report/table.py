# SPDX-License-Identifier: Apache-2.0
"""Figures as tables for a terminal or a text file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from headwater.bench.point import Record
from headwater.cipher.catalogue import CATALOGUE

_ABSENT = "-"


def text_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under their headings; numbers to the right, None as a dash; no terminal codes."""
    lines = [[_ABSENT if value is None else value for value in row] for row in rows]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    width = 0
    for place, column in enumerate(columns):
        cells = [line[place] for line in lines]
        numeric = all(isinstance(cell, int | float) or cell == _ABSENT for cell in cells)
        table.add_column(column, justify="right" if numeric else "left", no_wrap=True)
        width += max(len(str(cell)) for cell in (column, *cells)) + len("   ")
    for line in lines:
        table.add_row(*map(str, line))
    text = io.StringIO()
    Console(file=text, width=width, color_system=None, markup=False, emoji=False,
            highlight=False).print(table)  # fmt: skip
    return "\n".join(line[1:].rstrip() for line in text.getvalue().splitlines() if line.strip())


def figures_tables(records: Sequence[Record]) -> str:
    """The figures of several design points (what ``evaluate --json`` prints): one table for FPGA
    parts, one for cell libraries, and a note on authenticated ciphers."""
    fpga = [record for record in records if record["lut"] is not None]
    asic = [record for record in records if record["ge"] is not None]
    tables = [table(some) for table, some in ((_fpga_table, fpga), (_asic_table, asic)) if some]
    if any(_halved(one["cipher"]) for one in records):
        tables.append(_AUTHENTICATED)
    return "\n\n".join(tables)


def _halved(name: str) -> bool:
    """Whether half of a cipher's output bits are keystream."""
    return name in CATALOGUE and CATALOGUE[name].steps_per_bit > 1


_AUTHENTICATED = (
    "The radix of an authenticated cipher counts output bits, half of which are keystream; "
    "bits/cycle,\nMbit/s and pJ/bit count message bits. "
    "Energy of a message includes header, padding and tag."
)

_POINT = ("cipher", "target", "radix", "bits/cycle", "load", "options", "setup cycles")


def _point(record: Record) -> tuple[object, ...]:
    options = " ".join(f"{name}={value}" for name, value in record["options"].items())
    return (
        record["cipher"], record["target"], record["radix"], record["bits_per_cycle"],
        record["load_width"], options, record["setup_cycles"],
    )  # fmt: skip


def _fpga_table(records: Sequence[Record]) -> str:
    in_slices = any(record.get("slices") is not None for record in records)
    columns = ("mapped for", "LUT", "FF", *("least slices",) * in_slices, "fmax MHz", "min..max",
               "seeds", "Mbit/s", "Mbit/s/LUT")  # fmt: skip
    rows = []
    for record in records:
        fmax = record["fmax_mhz"]
        rows.append(
            (*_point(record), record["mapping"], record["lut"], record["ff"],
             *(record.get("slices"),) * in_slices, fmax and round(fmax["median"], 1),
             fmax and f"{fmax['min']:.0f}..{fmax['max']:.0f}", fmax and fmax["seeds"],
             _rounded(record["throughput_mbps"], 1), _rounded(record["mbps_per_area"], 2))
        )  # fmt: skip
    return text_table((*_POINT, *columns), rows)


def _rounded(figure: float | None, digits: int) -> float | None:
    return None if figure is None else round(figure, digits)


def _asic_table(records: Sequence[Record]) -> str:
    columns = ("GE", "smallest GE", "GE cell", "fmax MHz", "FO4", "Mbit/s", "mW", "at MHz",
               "leak mW", "pJ/bit", "setup nJ", "nJ/64 bit", "nJ/64 kbit")  # fmt: skip
    rows = [
        (*_point(record), record["ge"], record["ge_smallest"], record["ge_cell"],
         round(record["fmax_mhz"]["median"], 1), _rounded(record.get("period_fo4"), 1),
         round(record["throughput_mbps"], 1), record["power_mw"], record["power_clock_mhz"],
         record.get("leakage_mw"), record["energy_pj_per_bit"],
         record["setup_energy_nj"],
         *(record["energy_message_nj"] or dict.fromkeys(_MESSAGES)).values())
        for record in records
    ]  # fmt: skip
    return text_table((*_POINT, *columns), rows)


_MESSAGES = ("one_block", "thousand_blocks")
