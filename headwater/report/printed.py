# SPDX-License-Identifier: Apache-2.0
"""The printed tables of five papers, as data: the published values, with doubts about some of
them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from headwater.errors import unknown

Row = Mapping[str, Any]
"""A printed row by column; units are in the columns' names."""

CIPHERS = {
    "e0": "e0_payload",  # section 3.6 forms the payload key in the design
    "mickey": "mickey1",  # 170 flip-flops are those of version 1
    "mickey_v2": "mickey2",
    "vest": "vest16",  # 16 bits a cycle follow from its frequency and throughput
    "zk_crypt": "zkcrypt",
}
"""Names of ciphers in papers that differ from the catalogue's."""

PHELIX_BITS = {
    "half-block": 16,
    "half block": 16,
    "block": 32,
    "full block": 32,
    "8x full block": 256,
}
"""Bits per cycle of the printed versions of Phelix."""


def bits_per_cycle(row: Row) -> float:
    """Bits per cycle of a printed row: throughput divided by frequency."""
    return round(float(row["throughput_mbps"] / row["fmax_mhz"]), 1)


_FOLDER = Path(__file__).parent / "papers"


@dataclass(frozen=True)
class Doubt:
    """Why a printed value is doubtful; with an empty ``where``, why a whole column is."""

    where: Mapping[str, Any]
    column: str
    why: str


@dataclass(frozen=True)
class PrintedTable:
    """One table or figure of a paper."""

    id: str
    """Its number or place."""
    title: str
    columns: tuple[str, ...]
    """Their names, with units."""
    rows: tuple[Row, ...]
    """The printed values; None for an empty field."""
    note: str
    """A note on the whole table."""
    doubtful: tuple[Doubt, ...]
    """Printed values that cannot be right, or do not fit their heading."""

    def doubt(self, row: Row, column: str) -> str:
        """Why a value is doubtful; empty if it is not."""
        return "; ".join(
            doubt.why
            for doubt in self.doubtful
            if doubt.column == column
            and all(row.get(name) == value for name, value in doubt.where.items())
        )


@dataclass(frozen=True)
class Paper:
    """A paper: name on the command line, title, short title, technology, tables by id, and what
    they leave out."""

    name: str
    title: str
    short: str
    technology: str
    tables: Mapping[str, PrintedTable]
    left_out: str
    """What it prints beside these tables, as nothing can be measured beside it."""

    def table(self, identity: str) -> PrintedTable:
        """The table of that id; an error that lists all of them if there is none."""
        if identity not in self.tables:
            raise unknown(f"table of {self.name}", identity, self.tables)
        return self.tables[identity]


@cache
def papers() -> Mapping[str, Paper]:
    """All papers by name."""
    read = (json.loads(path.read_text()) for path in sorted(_FOLDER.glob("*.json")))
    return {paper["name"]: _paper(paper) for paper in read}


def paper(name: str) -> Paper:
    """The paper of that name, or whose name begins so; an error that lists all if there is none."""
    matches = [one for full, one in papers().items() if full.startswith(name)]
    if len(matches) != 1:
        raise unknown("paper", name, papers())
    return matches[0]


def _paper(entry: Mapping[str, Any]) -> Paper:
    tables = {table["id"]: _table(table) for table in entry["tables"]}
    return Paper(
        entry["name"],
        entry["title"],
        entry["short"],
        entry["technology"],
        tables,
        entry.get("left_out", ""),
    )


def _table(entry: Mapping[str, Any]) -> PrintedTable:
    columns = tuple(entry["columns"])
    return PrintedTable(
        entry["id"],
        entry["title"],
        columns,
        tuple(dict(zip(columns, row, strict=True)) for row in entry["rows"]),
        entry.get("note", ""),
        tuple(Doubt(**doubt) for doubt in entry.get("doubtful", ())),
    )
