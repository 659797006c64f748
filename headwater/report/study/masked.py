# SPDX-License-Identifier: Apache-2.0
"""The study of cores in shares: what masking costs, with and without its random bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headwater.measure.facts import facts_at
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.report.choose import fmax_of
from headwater.report.study.masked_pairs import Pair, pairs_of
from headwater.report.study.study import Cell, Study, of_each_target
from headwater.report.table import Table

if TYPE_CHECKING:
    from headwater.report.charts.parts import Chart

_CYCLES = (
    "fresh bits per cycle",
    "fresh bits per bit of output",
    "bits per cycle, plain",
    "bits per cycle, in shares",
    "cycles per step or round",
    "setup cycles, plain",
    "setup cycles, in shares",
)
_COSTS = (
    "GE, plain",
    "GE, in shares",
    "ratio",
    "GE, source",
    "ratio with source",
    "MHz, plain",
    "MHz, in shares",
    "pJ/bit, plain",
    "pJ/bit, in shares",
    "pJ/bit with source",
    "netlist in shares",
)
_OF_NETLISTS = (
    "No netlist has clock gates, so the verdict of the checker of leakage is on the very netlist "
    "in shares that the figures are of. Control and shares are mapped each by itself, a plain core "
    "as a whole."
)
_OF_SOURCES = (
    "The source is our own, of Trivium: as many random bits in each cycle as the core in shares "
    "takes, from as few cores as can make them, with seed words, reseeding, watch of zeros and "
    "output register. Its area is added as it is; its energy of a random bit is taken once for "
    "each fresh bit. A core without fresh bits needs none. The masks of the load are not counted."
)
_OF_BITS = (
    "Bits of output are of keystream, or of the text of a long message. The setup begins with the "
    "first word of the load, and ciphers of shift registers load their whole state in shares."
)
_OF_FPGAS = "On FPGAs cores in shares are not made: whether shares stay apart is not checked there."


class MaskedStudy(Study[Cell]):
    """Cycles and random bits of each core in shares, and its figures beside those of the plain core
    of the same radix on each target."""

    def cell(self, point: DesignPoint, record: Record | None) -> Cell:
        """A core in shares, a plain one, or a source."""
        return Cell(point, record)

    def tables(self, cells: Sequence[Cell]) -> dict[str, Table]:
        """What follows from the descriptions, then a table for each target."""
        cycles = {pair.core: [*pair.core, *_cycles(pair)] for pair in pairs_of(cells)}
        tables = {
            "Random bits and cycles": Table(
                ("cipher", "radix", *_CYCLES), list(cycles.values()), keys=2
            )
        }
        for target, those in of_each_target(cells):
            rows = [[*pair.core, *_costs(pair)] for pair in pairs_of(those)]
            title = f"On {target.name} ({target.title})"
            tables[title] = Table(("cipher", "radix", *_COSTS), rows, keys=2)
        return tables

    def notes(self, cells: Sequence[Cell]) -> list[str]:  # noqa: ARG002
        """What the figures are of, and what is added for the source."""
        return [_OF_NETLISTS, _OF_SOURCES, _OF_BITS, _OF_FPGAS]

    def long_table(self, cells: Sequence[Cell]) -> Table:
        """A row for each core in shares on each target."""
        rows = [
            [*pair.core, pair.masked.target.name, *_cycles(pair), *_costs(pair)]
            for pair in pairs_of(cells)
        ]
        return Table(("cipher", "radix", "target", *_CYCLES, *_COSTS), rows, keys=3)

    def charts(self, cells: Sequence[Cell]) -> list[Chart]:
        """Area in shares against the plain one on each target, and the fresh bits."""
        from headwater.report.study.masked_charts import masked_charts

        return masked_charts(self, cells)

    def words(self, cell: Cell) -> Mapping[str, Any]:
        """Cipher, radix and options."""
        architecture = cell.point.architecture
        return {
            "cipher": cell.point.cipher.name,
            "radix": architecture.radix,
            "options": architecture.options,
        }


def _cycles(pair: Pair) -> list[object]:
    """The values of `_CYCLES`."""
    sheet = pair.facts.sheet()
    plain = facts_at(pair.plain.point.cipher, pair.plain.point.architecture)
    return [
        pair.fresh_bits,
        round(pair.fresh_bits_per_bit, 2),
        round(plain.bits_per_cycle, 2),
        round(pair.facts.bits_per_cycle, 2),
        sheet.get("cycles_per_step") or sheet["cycles_per_round"],
        plain.setup_cycles,
        pair.facts.setup_cycles,
    ]


def _costs(pair: Pair) -> list[object]:
    """The values of `_COSTS`; None where a record is not stored."""
    plain, masked = pair.plain.record, pair.masked.record
    return [
        plain and plain["ge"],
        masked and masked["ge"],
        pair.ratio,
        pair.source_ge,
        pair.ratio_with_source,
        plain and fmax_of(plain),
        masked and fmax_of(masked),
        plain and plain["energy_pj_per_bit"],
        masked and masked["energy_pj_per_bit"],
        pair.energy_with_source,
        pair.verdict,
    ]
