# SPDX-License-Identifier: Apache-2.0
"""Printed rows of the papers that charts show, with the names and units of this package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from headwater.report.printed import (
    CIPHERS,
    PHELIX_BITS,
    Paper,
    PrintedTable,
    Row,
    bits_per_cycle,
    paper,
    papers,
)

ETH = "eth-asic-2006"
SPARTAN = "spartan3-six-ciphers-2012"
GRAIN = "grain128aead-65nm-2019"
GAJ = "estream-phase2-fpga-asic-2007"
INTERFACES = "hw-sw-interfaces-2007"

ETH_NAND2_UM2 = 19.25
"""Area of a 2-input NAND in a 0.25 um library: the 9.98 um2 that is usual at 0.18 um times
(0.25 / 0.18)^2. ETH's paper prints um2 alone, so this is an assumption."""

ETH_FO4_NS = 0.1
"""FO4 delay, as ETH's paper states it."""

_PORTS = ("phelix", "salsa20")

_IN_TITLE = {"table4": "grain_v1", "table5": "trivium", "table6": "a51", "table7": "phelix"}


@dataclass(frozen=True)
class Printed:
    """One printed row."""

    key: str
    """Key of the row in the page."""
    paper: Paper
    table: PrintedTable
    cipher: str
    """Name of the cipher in the catalogue."""
    radix: float | None
    """Bits per cycle; None if the paper does not say. For Phelix and Salsa20 the paper's ``d`` is
    the width of the port, so the radix is computed from frequency and throughput."""
    row: Row

    def __getitem__(self, column: str) -> Any:
        return self.row[column]

    @property
    def doubt(self) -> str:
        """Why values of the row are doubtful; empty if none is."""
        reasons = ((column, self.table.doubt(self.row, column)) for column in self.table.columns)
        return "; ".join(f"{column}: {why}" for column, why in reasons if why)


def printed_values(row: Printed) -> str:
    """The printed values in one line."""
    return ", ".join(
        f"{name} {value}"
        for name, value in row.row.items()
        if value is not None and name != "cipher"
    )


def printed_rows(name: str, table: str) -> list[Printed]:
    """The rows of a printed table, by the name of its paper and its id."""
    return list(_rows(paper(name), table))


@cache
def printed_ciphers() -> frozenset[str]:
    """The ciphers that papers print figures of."""
    return frozenset(
        row.cipher
        for source in papers().values()
        for table in source.tables
        for row in _rows(source, table)
    )


def _rows(source: Paper, identity: str) -> Iterator[Printed]:
    table = source.table(identity)
    for index, row in enumerate(table.rows):
        key = f"{source.name}.{identity}.{index}"
        yield Printed(key, source, table, _cipher(source, identity, row), _radix(row), row)


def _cipher(source: Paper, identity: str, row: Row) -> str:
    if "cipher" in row:
        name = str(row["cipher"])
        return CIPHERS.get(name, name)
    if source.name == GRAIN:
        return "grain128aead"
    return "phelix" if source.name == INTERFACES else _IN_TITLE[identity]


def _radix(row: Row) -> float | None:
    if row.get("cipher") in _PORTS and "fmax_mhz" in row:
        return bits_per_cycle(row)
    if isinstance(row.get("d", row.get("n")), int):
        return int(row["d"] if "d" in row else row["n"])
    return PHELIX_BITS.get(row.get("architecture", row.get("version", "")))
