# SPDX-License-Identifier: Apache-2.0
"""The figures of design points (what ``evaluate --json`` prints) as tables."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.bench.point import Record, area_of, area_unit_of, mbps_per_area_of
from headwater.cipher.catalogue import CATALOGUE
from headwater.report.table import Table

_KEYS = ("cipher", "target", "radix")
_ARCHITECTURE = ("bits/cycle", "load", "setup cycles", "options")
_PARETO = "no other beats it"

_FPGA = (*_KEYS, "LUT", "FF", "area", "in", "fmax MHz", "Mbit/s", "Mbit/s/area", "min..max",
         "seeds", "mapped for", *_ARCHITECTURE, _PARETO)  # fmt: skip
_CELLS = (*_KEYS, "GE", "fmax MHz", "Mbit/s", "mW", "pJ/bit", "smallest GE", "GE cell", "FO4",
          "at MHz", "leak mW", "setup nJ", "nJ/64 bit", "nJ/64 kbit", *_ARCHITECTURE,
          _PARETO)  # fmt: skip

FIGURE_COLUMNS = tuple(dict.fromkeys((*_FPGA, *_CELLS)))
"""Every column that a table of figures may have."""

AUTHENTICATED = (
    "The radix of an authenticated cipher counts output bits, half of which are keystream;\n"
    "bits/cycle, Mbit/s and pJ/bit count message bits. Energy of a message includes\n"
    "header, padding and tag."
)


def figures_tables(records: Sequence[Record]) -> list[Table]:
    """One table for FPGA parts and one for cell libraries, as far as there are figures."""
    fpga = [_fpga_row(record) for record in records if record["lut"] is not None]
    cells = [_cells_row(record) for record in records if record["ge"] is not None]
    found = ((_FPGA, fpga), (_CELLS, cells))
    return [_table(columns, rows) for columns, rows in found if rows]


def figures_notes(records: Sequence[Record]) -> list[str]:
    """What a reader must know of these figures: a note on authenticated ciphers."""
    return [AUTHENTICATED] if any(_halved(one["cipher"]) for one in records) else []


def _halved(name: str) -> bool:
    """Whether half of a cipher's output bits are keystream."""
    return name in CATALOGUE and CATALOGUE[name].steps_per_bit > 1


def _table(columns: Sequence[str], rows: Sequence[Record]) -> Table:
    """The columns of which some row says something."""
    said = tuple(name for name in columns
                 if name != _PARETO or any(row.get(name) is not None for row in rows))  # fmt: skip
    return Table(said, [[row.get(name) for name in said] for row in rows], keys=len(_KEYS))


def _common(record: Record) -> Record:
    """Cells that both technologies have."""
    fmax = record["fmax_mhz"]
    marked = record.get("non_dominated")
    return {
        "cipher": record["cipher"],
        "target": record["target"],
        "radix": record["radix"],
        "fmax MHz": fmax and round(fmax["median"], 1),
        "Mbit/s": _rounded(record["throughput_mbps"], 1),
        "bits/cycle": record["bits_per_cycle"],
        "load": record["load_width"],
        "setup cycles": record["setup_cycles"],
        "options": " ".join(f"{name}={value}" for name, value in record["options"].items()),
        _PARETO: None if marked is None else "yes" if marked else "no",
    }


def _fpga_row(record: Record) -> Record:
    fmax = record["fmax_mhz"]
    return {
        **_common(record),
        "LUT": record["lut"],
        "FF": record["ff"],
        "area": area_of(record),
        "in": f"{area_unit_of(record)}s",
        "Mbit/s/area": _rounded(mbps_per_area_of(record), 2),
        "min..max": fmax and f"{fmax['min']:.0f}..{fmax['max']:.0f}",
        "seeds": fmax and fmax["seeds"],
        "mapped for": record["mapping"],
    }


def _cells_row(record: Record) -> Record:
    message = record["energy_message_nj"] or {}
    return {
        **_common(record),
        "GE": record["ge"],
        "smallest GE": record["ge_smallest"],
        "GE cell": record["ge_cell"],
        "FO4": _rounded(record.get("period_fo4"), 1),
        "mW": record["power_mw"],
        "at MHz": record["power_clock_mhz"],
        "leak mW": record.get("leakage_mw"),
        "pJ/bit": record["energy_pj_per_bit"],
        "setup nJ": record["setup_energy_nj"],
        "nJ/64 bit": message.get("one_block"),
        "nJ/64 kbit": message.get("thousand_blocks"),
    }


def _rounded(figure: float | None, digits: int) -> float | None:
    return None if figure is None else round(figure, digits)
