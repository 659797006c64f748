# SPDX-License-Identifier: Apache-2.0
"""Sources of random bits as tables: figures against the random bits in each cycle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from headwater.kinds.stepped.prng.shape import PrngShape, source_of, splits
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, area_of, area_unit_of, unfit
from headwater.measure.target import AsicTarget, FpgaTarget, Target
from headwater.report.choose import fmax_of
from headwater.report.study.study import Cell
from headwater.report.table import Table
from headwater.report.units import plural

_LONG = (
    "random bits",
    "cipher",
    "cores",
    "target",
    "area",
    "unit",
    "LUT",
    "FF",
    "register FF",
    "MHz",
    "pJ/random bit",
    "setup cycles",
)


@dataclass(frozen=True)
class Quantity:
    """A figure that a study shows."""

    name: str
    """Part of the name of its charts."""
    title: str
    of: Callable[[Record], float | None]
    unit: Callable[[Target], str]
    """What it is counted in on a target; empty if the target gives no such figure."""


QUANTITIES = (
    Quantity("area", "Area", area_of, lambda target: plural(target.area_unit)),
    Quantity(
        "lut",
        "Look-up tables",
        lambda record: record["lut"],
        lambda target: "LUT" if isinstance(target, FpgaTarget) else "",
    ),
    Quantity(
        "energy",
        "Energy of a random bit",
        lambda record: record["energy_pj_per_bit"],
        lambda target: "pJ" if isinstance(target, AsicTarget) else "",
    ),
    Quantity(
        "fmax",
        "Clock frequency",
        fmax_of,
        lambda target: "" if isinstance(target, FpgaTarget) and not target.is_placed else "MHz",
    ),
)


@dataclass(frozen=True)
class SourceCell(Cell):
    """A source of random bits, and its record if it is stored."""

    @cached_property
    def source(self) -> PrngShape:
        """The source."""
        shape = source_of(self.point.cipher, self.point.architecture)
        assert shape
        return shape

    @property
    def bits(self) -> int:
        """Random bits in each cycle."""
        return self.source.random_bits


def smallest(cells: Sequence[SourceCell]) -> tuple[SourceCell | None, bool]:
    """The smallest of some splits that has an area, one with a place and wires if there is
    any, and whether all of them have one."""
    known = [cell for cell in cells if cell.record and area_of(cell.record) is not None]

    def size(cell: SourceCell) -> tuple[bool, float]:
        record = cell.record or {}
        return bool(unfit(record)), area_of(record) or 0.0

    return min(known, key=size, default=None), len(known) == len(cells)


def fewest_first(points: Sequence[DesignPoint]) -> list[DesignPoint]:
    """Sources from as few cores as can make their bits, then the others; in each half by bits."""

    def place(point: DesignPoint) -> tuple[bool, int]:
        source = SourceCell(point, None).source
        fewest = splits(point.cipher, source.random_bits)[0].instances
        return source.instances > fewest, source.random_bits

    return sorted(points, key=place)


def against_bits(cells: Sequence[SourceCell], quantity: Quantity) -> Table:
    """A row for each number of random bits and a column for each cipher: the figure of the smallest
    split on one target. None where nothing is stored; a star where some split is not."""
    ciphers = list(dict.fromkeys(cell.cipher for cell in cells))
    rows = [
        [bits, *(_shown(*smallest(_those(cells, bits, cipher)), quantity) for cipher in ciphers)]
        for bits in dict.fromkeys(cell.bits for cell in cells)
    ]
    return Table(("random bits", *ciphers), rows)


def _those(cells: Sequence[SourceCell], bits: int, cipher: str) -> list[SourceCell]:
    return [cell for cell in cells if (cell.bits, cell.cipher) == (bits, cipher)]


def _shown(cell: SourceCell | None, whole: bool, quantity: Quantity) -> object:
    if cell is None or cell.record is None:
        return None
    figure = quantity.of(cell.record)
    told = [] if figure is None else [f"{figure:g}"]
    if told and cell.source.instances > 1:
        told.append(f"in {cell.source.instances}")
    if reason := unfit(cell.record):
        told.append(reason.partition(":")[0])
    return f"{' '.join(told)}{'' if whole else '*'}" if told else None


def long_table(cells: Sequence[SourceCell]) -> Table:
    """A row for each source, whether it is stored or not."""
    return Table(_LONG, [list(_long(cell)) for cell in cells], keys=4)


def _long(cell: SourceCell) -> Iterator[object]:
    yield from (cell.bits, cell.point.cipher.name, cell.source.instances, cell.target.name)
    record = cell.record
    if record is None:
        yield from [None] * (len(_LONG) - 4)
        return
    yield from (
        area_of(record),
        area_unit_of(record),
        record["lut"],
        record["ff"],
        record["output_register_ff"],
        fmax_of(record),
        record["energy_pj_per_bit"],
        record["setup_cycles"],
    )
