# SPDX-License-Identifier: Apache-2.0
"""Figures as tables for a terminal or a text file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from headwater.bench.point import Figures
from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.core.build import facts_of

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


def figures_tables(results: Sequence[Figures]) -> str:
    """The figures of several design points: one table for FPGA parts, one for cell libraries, and
    what must be said of authenticated ciphers."""
    fpga = [figures for figures in results if figures.lut is not None]
    asic = [figures for figures in results if figures.ge is not None]
    tables = [table(some) for table, some in ((_fpga_table, fpga), (_asic_table, asic)) if some]
    if any(isinstance(figures.point.cipher, AuthenticatedCipher) for figures in results):
        tables.append(_AUTHENTICATED)
    return "\n\n".join(tables)


_AUTHENTICATED = (
    "The radix of an authenticated cipher counts output bits, half of which are keystream; "
    "bits/cycle,\nMbit/s and pJ/bit count message bits. "
    "Energy of a message includes header, padding and tag."
)

_POINT = ("cipher", "target", "radix", "bits/cycle", "load", "options", "setup cycles")


def _point(figures: Figures) -> tuple[object, ...]:
    point = figures.point
    architecture = point.architecture
    options = " ".join(f"{name}={value}" for name, value in architecture.options.items())
    setup = facts_of(point.cipher, architecture).setup_cycles
    return (
        point.cipher.name, point.target.name, architecture.radix, figures.bits_per_cycle,
        architecture.load_width, options, setup,
    )  # fmt: skip


def _fpga_table(results: Sequence[Figures]) -> str:
    columns = ("mapped for", "LUT", "FF", "fmax MHz", "min..max", "seeds", "Mbit/s", "Mbit/s/LUT")
    rows = []
    for figures in results:
        fmax = figures.fmax_mhz
        rows.append(
            (*_point(figures), figures.mapping, figures.lut, figures.ff, round(fmax.median, 1),
             f"{fmax.min:.0f}..{fmax.max:.0f}", fmax.seeds,
             round(figures.throughput_mbps, 1), round(figures.mbps_per_area, 2))
        )  # fmt: skip
    return text_table((*_POINT, *columns), rows)


def _asic_table(results: Sequence[Figures]) -> str:
    columns = ("GE", "smallest GE", "GE cell", "fmax MHz", "Mbit/s", "mW", "at MHz", "pJ/bit",
               "setup nJ", "nJ/64 bit", "nJ/64 kbit")  # fmt: skip
    rows = [
        (*_point(figures), figures.ge, figures.ge_smallest, figures.ge_cell,
         round(figures.fmax_mhz.median, 1), round(figures.throughput_mbps, 1), figures.power_mw,
         figures.power_clock_mhz, figures.energy_pj_per_bit, figures.setup_energy_nj,
         figures.energy_message_nj and figures.energy_message_nj.one_block,
         figures.energy_message_nj and figures.energy_message_nj.thousand_blocks)
        for figures in results
    ]  # fmt: skip
    return text_table((*_POINT, *columns), rows)
