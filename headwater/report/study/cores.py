# SPDX-License-Identifier: Apache-2.0
"""Studies of cores beside each other: a row for each, a table for each target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headwater.core.architecture import Architecture
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, area_of, area_unit_of
from headwater.measure.target import FpgaTarget, Target
from headwater.report.choose import fmax_of
from headwater.report.study.study import Cell, Study, of_each_target
from headwater.report.table import Table
from headwater.report.units import plural

if TYPE_CHECKING:
    from headwater.report.charts.parts import Chart

_Figure = Callable[[Record], object]


def _of_message(length: str) -> _Figure:
    """The energy of a message; an FPGA has none."""
    return lambda record: record["energy_message_nj"] and record["energy_message_nj"][length]


_COMMON: dict[str, _Figure] = {
    "bits/cycle": lambda record: round(record["bits_per_cycle"], 2),
    "MHz": fmax_of,
    "Mbit/s": lambda record: record["throughput_mbps"],
    "setup cycles": lambda record: record["setup_cycles"],
}
_OF_FPGA: dict[str, _Figure] = {
    "LUT": lambda record: record["lut"],
    "FF": lambda record: record["ff"],
}
_OF_CELLS: dict[str, _Figure] = {
    "pJ/bit": lambda record: record["energy_pj_per_bit"],
    "nJ/64 bit": _of_message("one_block"),
    "nJ/64 kbit": _of_message("thousand_blocks"),
}
_ALL: dict[str, _Figure] = {
    "area": area_of,
    "unit": area_unit_of,
    **_OF_FPGA,
    **_COMMON,
    **_OF_CELLS,
}


@dataclass(frozen=True)
class CoreStudy(Study[Cell]):
    """Cores, their area, and some of their figures.

    Members
    -------
    figures : tuple of str
        Names in `_ALL`; a target shows those that it has.
    note : str
        What the figures are of, as sentences.
    """

    figures: tuple[str, ...] = ()
    note: str = ""

    def cell(self, point: DesignPoint, record: Record | None) -> Cell:
        """A core."""
        return Cell(point, record)

    def tables(self, cells: Sequence[Cell]) -> dict[str, Table]:
        """A table for each target."""
        return {
            f"On {target.name} ({target.title})": self._of_target(target, those)
            for target, those in of_each_target(cells)
        }

    def _of_target(self, target: Target, cells: Sequence[Cell]) -> Table:
        on_target = _figures_on(target)
        wanted = {name: on_target[name] for name in self.figures if name in on_target}
        columns = {plural(target.area_unit): area_of, **wanted}
        rows = [[*_named(cell), *_figures(cell, columns)] for cell in _by_cipher(cells)]
        return Table(("cipher", "radix", "options", *columns), rows, keys=3)

    def notes(self, cells: Sequence[Cell]) -> list[str]:  # noqa: ARG002
        """What the figures are of."""
        return [self.note]

    def long_table(self, cells: Sequence[Cell]) -> Table:
        """All figures of a core in a row."""
        wanted = {name: _ALL[name] for name in ("area", "unit", *self.figures)}
        rows = [
            [*_named(cell), cell.target.name, *_figures(cell, wanted)] for cell in _by_cipher(cells)
        ]
        return Table(("cipher", "radix", "options", "target", *wanted), rows, keys=4)

    def charts(self, cells: Sequence[Cell]) -> list[Chart]:
        """Throughput against area on each target."""
        from headwater.report.study.core_charts import core_charts

        return core_charts(self, cells)

    def words(self, cell: Cell) -> Mapping[str, Any]:
        """Cipher, radix, and the options that are not the default ones."""
        return {
            "cipher": cell.point.cipher.name,
            "radix": cell.point.architecture.radix,
            "options": chosen(cell),
        }


def chosen(cell: Cell) -> dict[str, str]:
    """The options of a core that are not the default ones."""
    architecture = cell.point.architecture
    usual = Architecture.choose(cell.point.cipher, radix=architecture.radix).options
    return {name: value for name, value in architecture.options.items() if value != usual.get(name)}


def _by_cipher(cells: Sequence[Cell]) -> list[Cell]:
    """The cells of each cipher together."""
    names = list(dict.fromkeys(cell.cipher for cell in cells))
    return sorted(cells, key=lambda cell: names.index(cell.cipher))


def _figures_on(target: Target) -> dict[str, _Figure]:
    """What may be shown of a target by title."""
    if isinstance(target, FpgaTarget):
        return {**_OF_FPGA, **_COMMON}
    return {**_COMMON, **_OF_CELLS}


def _named(cell: Cell) -> tuple[str, int, str]:
    options = " ".join(f"{name}={value}" for name, value in chosen(cell).items())
    return cell.cipher, cell.point.architecture.radix, options


def _figures(cell: Cell, wanted: Mapping[str, _Figure]) -> list[object]:
    return [of(cell.record) if cell.record else None for of in wanted.values()]
