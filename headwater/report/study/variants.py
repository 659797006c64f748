# SPDX-License-Identifier: Apache-2.0
"""Studies of what the flow does to one core: a row for each core, a column for each variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.report.study.cores import chosen
from headwater.report.study.study import Cell, Study, of_each_target
from headwater.report.study.variant_figures import core_of, value_of, variant_of
from headwater.report.table import Table

if TYPE_CHECKING:
    from headwater.report.charts.parts import Chart


@dataclass(frozen=True)
class VariantStudy(Study[Cell]):
    """Cores beside themselves: after each stage, with glitches, by other recipes.

    Members
    -------
    figures : tuple of str
        Names in `headwater.report.study.variant_figures.FIGURES`.
    note : str
        What the figures are of, as a sentence.
    published : str
        What has been published of the question, as sentences; empty if nothing is known.
    optimum : str
        The figure of which the least is told for each cipher; empty if none is.
    """

    figures: tuple[str, ...] = ()
    note: str = ""
    published: str = ""
    optimum: str = ""

    def cell(self, point: DesignPoint, record: Record | None) -> Cell:
        """A core in one variant."""
        return Cell(point, record)

    def tables(self, cells: Sequence[Cell]) -> dict[str, Table]:
        """A table for each target; figures that no variant has are left out."""
        return {
            f"On {target.name} ({target.title})": self._table(those)
            for target, those in of_each_target(cells)
        }

    def _table(self, cells: Sequence[Cell]) -> Table:
        cores = list(dict.fromkeys(map(core_of, cells)))
        records = {(core_of(cell), variant_of(cell.point)): cell.record for cell in cells}
        variants = list(dict.fromkeys(variant_of(cell.point) for cell in cells))
        columns = {
            f"{figure}, {variant}": [
                value_of(records.get((core, variant)), figure) for core in cores
            ]
            for figure in self.figures
            for variant in variants
        }
        columns = {
            name: values
            for name, values in columns.items()
            if any(value is not None for value in values)
        }
        rows = [
            [*core, *(values[row] for values in columns.values())] for row, core in enumerate(cores)
        ]
        return Table(("cipher", "bits/cycle", "options", *columns), rows, keys=3)

    def notes(self, cells: Sequence[Cell]) -> list[str]:
        """What the figures are of, where the least of one is, and what has been published."""
        optima = self._optima(cells) if self.optimum else []
        return [self.note, *optima, *([self.published] if self.published else [])]

    def _optima(self, cells: Sequence[Cell]) -> list[str]:
        told = []
        for target, those in of_each_target(cells):
            for cipher in dict.fromkeys(cell.cipher for cell in those):
                for variant in dict.fromkeys(variant_of(cell.point) for cell in those):
                    values = [
                        (value, core_of(cell)[1])
                        for cell in those
                        if (cell.cipher, variant_of(cell.point)) == (cipher, variant)
                        and (value := value_of(cell.record, self.optimum)) is not None
                    ]
                    if len(values) > 1:
                        least, bits = min(values)
                        told.append(
                            f"{cipher} on {target.name}, {variant}: the least is {least} "
                            f"{self.optimum} at {bits} bits per cycle."
                        )
        return told

    def long_table(self, cells: Sequence[Cell]) -> Table:
        """A row for each core and variant."""
        rows = [
            [
                *core_of(cell),
                variant_of(cell.point),
                cell.target.name,
                *(value_of(cell.record, figure) for figure in self.figures),
            ]
            for cell in cells
        ]
        named = ("cipher", "bits/cycle", "options", "variant", "target")
        return Table((*named, *self.figures), rows, keys=5)

    def charts(self, cells: Sequence[Cell]) -> list[Chart]:
        """The figure with an optimum against bits per cycle."""
        from headwater.report.study.variant_charts import variant_charts

        return variant_charts(self, self.optimum, cells) if self.optimum else []

    def words(self, cell: Cell) -> Mapping[str, Any]:
        """Cipher, radix, options, and the variant."""
        return {
            "cipher": cell.point.cipher.name,
            "radix": cell.point.architecture.radix,
            "options": chosen(cell),
            "variant": variant_of(cell.point),
        }
