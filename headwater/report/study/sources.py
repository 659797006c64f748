# SPDX-License-Identifier: Apache-2.0
"""The study of sources of random bits: what so many bits in each cycle cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, left_out
from headwater.report.study.peers import beside_peers, notes_of_peers, of_sources
from headwater.report.study.source_tables import (
    QUANTITIES,
    SourceCell,
    against_bits,
    fewest_first,
    long_table,
)
from headwater.report.study.study import Study, of_each_target
from headwater.report.table import Table

if TYPE_CHECKING:
    from headwater.report.charts.parts import Chart

_OF_CELLS = (
    "A cell is of the smallest source that is stored, from one core, or in as many as it says; * "
    "means that some split into cores is not stored. What does not fit has no place on the part; "
    "what is not routed has no way for its wires within the time that its run had."
)


class SourceStudy(Study[SourceCell]):
    """For each target and quantity the figures of the smallest sources, then public cores beside
    ours."""

    def cell(self, point: DesignPoint, record: Record | None) -> SourceCell:
        """A source."""
        return SourceCell(point, record)

    def in_order(self, points: Sequence[DesignPoint]) -> list[DesignPoint]:
        """The fewest cores of every cipher first, and fewer bits before more."""
        return fewest_first(points)

    def tables(self, cells: Sequence[SourceCell]) -> dict[str, Table]:
        """A table for each target and quantity, and one with public cores."""
        tables = {
            f"{quantity.title} on {target.name}, {unit}": against_bits(those, quantity)
            for target, those in of_each_target(cells)
            for quantity in QUANTITIES
            if (unit := quantity.unit(target))
        }
        public = beside_peers(cells)
        return tables | (
            {"Public sources, and ours measured in the same way": public} if public.rows else {}
        )

    def notes(self, cells: Sequence[SourceCell]) -> list[str]:
        """What a cell shows, and what the public cores leave out."""
        return [_OF_CELLS, *_notes_of_slow(cells), *notes_of_peers(cells)]

    def long_table(self, cells: Sequence[SourceCell]) -> Table:
        """A row for each split into cores."""
        return long_table(cells)

    def charts(self, cells: Sequence[SourceCell]) -> list[Chart]:
        """A chart for each quantity and target."""
        from headwater.report.study.source_charts import source_charts

        return source_charts(self, cells)

    def words(self, cell: SourceCell) -> Mapping[str, Any]:
        """Bits, cipher, and how many cores."""
        return {
            "random_bits": cell.bits,
            "cipher": cell.point.cipher.name,
            "cores": cell.source.instances,
        }

    def beside(self) -> Mapping[str, Any]:
        """The public cores."""
        return {"peers": of_sources()}


def _notes_of_slow(cells: Sequence[SourceCell]) -> Iterator[str]:
    """A sentence on each source that has figures of some ways of mapping alone."""
    for cell in cells:
        if cell.record and (slow := left_out(cell.record)):
            source = f"{cell.point.cipher.name} with {cell.bits} bits in {cell.source.instances}"
            yield f"{source} on {cell.target.name} {slow}."
