# SPDX-License-Identifier: Apache-2.0
"""Where print contradicts itself: what a paper says, and what its own values give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.cipher.catalogue import find
from headwater.flow.fpga.packing import SLICE
from headwater.report.printed import CIPHERS, Paper, Row
from headwater.report.published import GAJ, GRAIN, SPARTAN

_KHZ_MHZ = 0.1, 10.0
"""The clocks in MHz of the tables of Grain-128AEAD at low power."""


@dataclass(frozen=True)
class Erratum:
    """Words or values of a paper, and what its tables give instead."""

    paper: str
    table: str
    says: str
    """What is printed."""
    gives: str
    """What the tables give; ``{span}`` stands for the values."""
    values: Callable[[Paper], Sequence[float]]
    """Computes the values from the tables."""
    least: float
    most: float
    """Between these the values would lie if print were right."""

    def told(self, paper: Paper) -> str:
        """The erratum with its values.

        Raises:
            ValueError: print is right.
        """
        values = self.values(paper)
        if all(self.least <= value <= self.most for value in values):
            raise ValueError(f"no erratum: {self.says}")
        span = dict.fromkeys(f"{value:.4g}" for value in (min(values), max(values)))
        return f"{self.table}: {self.says}; {self.gives.format(span=' to '.join(span))}"


def errata(paper: Paper, tables: Sequence[str]) -> tuple[str, ...]:
    """The errata of a paper about these tables."""
    of_paper = (one for one in ERRATA if one.paper == paper.name)
    return tuple(one.told(paper) for one in of_paper if one.table in tables)


def _row(paper: Paper, table: str, **key: Any) -> Row:
    rows = paper.table(table).rows
    return next(row for row in rows if key.items() <= row.items())


def _e0_over_grain(paper: Paper) -> list[float]:
    """Throughput of E0 over that of Grain v1."""
    e0, grain = (
        _row(paper, "table1", cipher=name)["throughput_mbps"] for name in ("e0", "grain_v1")
    )
    return [e0 / grain]


def _own_quotient(paper: Paper) -> list[float]:
    """The printed throughput per area over the quotient of the columns."""
    return [
        row["kbps_per_ge"] * row["area_ge"] / (1e6 * row["throughput_gbps"])
        for row in paper.table("table2").rows
    ]


def _power(paper: Paper) -> list[float]:
    """Power at the highest clock, in a line through those at two low clocks, over the printed
    one."""
    slow, fast = _KHZ_MHZ
    quotients = []
    for row in paper.table("table2").rows:
        low, high = (
            _row(paper, table, n=row["n"])["power_uw_speed"] for table in ("table6", "table7")
        )
        uw = low + (high - low) / (fast - slow) * (1000 * row["freq_ghz"] - slow)
        quotients.append(uw / 1000 / row["power_mw"])
    return quotients


def _savings(paper: Paper) -> list[float]:
    """What low-leakage transistors save at 10 MHz with either controller, in percent."""
    return [
        -row[column]
        for row in paper.table("table7").rows
        for column in ("power_percent_power", "power_percent_power_opt")
    ]


def _setup_of_two_tables(paper: Paper) -> list[float]:
    cells, slices = _row(paper, "table11", cipher="a51"), _row(paper, "table6", d=4)
    return [cells["setup_cycles"] / slices["setup_cycles"]]


def _salsa20_of_two_tables(paper: Paper) -> list[float]:
    return [
        _row(paper, table, cipher="salsa20")["mbps_per_slice"] for table in ("table8", "table9")
    ]


def _slices_of_mickey(paper: Paper) -> list[float]:
    """The printed slices over those that the flip-flops of the state need."""
    cipher = "mickey_v2"
    needed = find(CIPHERS[cipher]).state_bits / SLICE.ffs
    return [_row(paper, "table1", cipher=cipher)["area_slices"] / needed]


def _per_slice(paper: Paper) -> list[float]:
    """Values of figure 7 over the quotients of table 1."""
    quotients = []
    for row in paper.table("fig7").rows:
        of_table = _row(paper, "table1", cipher=row["cipher"])
        own = of_table["throughput_mbps"] / of_table["area_slices"]
        quotients.append(row["mbps_per_slice"] / own)
    return quotients


ERRATA = (
    Erratum(
        GAJ,
        "table9",
        "the same core of Salsa20 has the Mbit/s/slice of table 8",
        "printed are {span}",
        _salsa20_of_two_tables,
        0.75,
        0.75,
    ),
    Erratum(
        GAJ,
        "table11",
        "the setup of A5/1 at d = 4 is printed as that at d = 1",
        "in cycles it is {span} times that of table 6 at d = 4",
        _setup_of_two_tables,
        1.0,
        1.0,
    ),
    Erratum(
        GRAIN,
        "table2",
        "kbit/s/GE is throughput over area",
        "printed is {span} of the quotient of the table's own columns",
        _own_quotient,
        0.99,
        1.01,
    ),
    Erratum(
        GRAIN,
        "table2",
        "mW at the highest clock",
        "what fast transistors take at 0.1 and 10 MHz in tables 6 and 7 rises to {span} times "
        "the printed power at this clock",
        _power,
        0.5,
        2.0,
    ),
    Erratum(
        GRAIN,
        "table7",
        'low-leakage transistors give "a 19 - 37% power reduction for 10 MHz"',
        "the table prints {span} %",
        _savings,
        19.0,
        37.0,
    ),
    Erratum(
        SPARTAN,
        "table1",
        '"the lowest throughput has been achieved by E0" (abstract)',
        'it has {span} times the throughput of Grain v1, and the conclusions have "Grain V2, '
        'which has the lowest value in terms of throughput"',
        _e0_over_grain,
        0.0,
        1.0,
    ),
    Erratum(
        SPARTAN,
        "table1",
        "MICKEY 2.0 fits into 98 slices",
        "they are {span} of the slices that the flip-flops of its state need",
        _slices_of_mickey,
        1.0,
        float("inf"),
    ),
    Erratum(
        SPARTAN,
        "fig7",
        "Mbit/s/slice is throughput over area",
        "values in the text are {span} times the quotients of table 1",
        _per_slice,
        0.9995,
        1.0005,
    ),
)
