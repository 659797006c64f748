# SPDX-License-Identifier: Apache-2.0
"""Stored results as points, from which charts and tables are made."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.cipher.catalogue import CATALOGUE
from headwater.measure.record import (
    Record,
    area_of,
    area_unit_of,
    design_point_of,
    mbps_per_area_of,
    stage_of,
)
from headwater.measure.settings import SYNTHESIS
from headwater.measure.store import Result
from headwater.measure.target import TARGETS

FPGA = "FPGA"
CELLS = "cells"
"""The two technologies. Areas are counted in slices or cells, or in GE, and never put on one
axis."""


_SHORT = 12

FEW = 3
"""Largest number of targets of one technology in a chart."""

MANY = 400
"""Number of points from which on a chart shows one target of each technology."""

TARGET_SEPARATOR = ", "
DIFFER = "The technologies differ: compare points of one target."

_GE = "A GE is the smallest two-input NAND of the library."


@dataclass(frozen=True)
class Facets:
    """Properties that filters choose a cipher by: kind, length of its key in bits, security
    status."""

    kind: str
    key_bits: int | None
    security: str


@dataclass(frozen=True)
class Measured:
    """A stored result. A figure is None if it was not measured."""

    id: str
    record: Record
    measured_at: str
    """When it was measured (ISO 8601)."""

    def __getitem__(self, figure: str) -> Any:
        return self.record.get(figure)

    @property
    def cipher(self) -> str:
        """Name of the cipher."""
        return str(self.record["cipher"])

    @property
    def options(self) -> str:
        """Options of the architecture, in one line."""
        return named(self["options"] or {})

    @property
    def sessions(self) -> int:
        """Sessions that take turns in the core, and share its bits per cycle."""
        return int((self["options"] or {}).get("streams", 1))


class Point(Measured):
    """A measured design point."""

    @property
    def technology(self) -> str:
        """`FPGA` or `CELLS`."""
        return CELLS if self["lut"] is None else FPGA

    @property
    def area(self) -> float | None:
        """Area in ``area_unit``."""
        return area_of(self.record)

    @property
    def area_unit(self) -> str:
        """Slices or cells of the FPGA, or GE."""
        return area_unit_of(self.record)

    @property
    def mbps_per_area(self) -> float | None:
        """Throughput per area."""
        return mbps_per_area_of(self.record)

    @property
    def fmax_mhz(self) -> float | None:
        """Median of the highest clock frequencies."""
        return (self["fmax_mhz"] or {}).get("median")

    def why_absent(self, figure: str) -> str:
        """Why the target gives no such figure; empty if that is not known."""
        return str((self["absent"] or {}).get(figure, ""))

    @property
    def series(self) -> str:
        """A short name of the choices that the point shares with points that differ only in radix.
        A line in a chart joins these points."""
        shared = json.dumps([self.cipher, self["target"], self["options"], self["flow"]])
        return hashlib.sha256(shared.encode()).hexdigest()[:_SHORT]


def points_of(results: Sequence[Result], stage: str = SYNTHESIS) -> list[Point]:
    """The design points that were measured at a stage, in the order of catalogue, target and radix.

    Of several results of one design point the last one, in the order given, counts: tools or
    sources have changed.
    """
    last = {
        design_point_of(result.record): result
        for result in results
        if stage_of(result.record) == stage
    }
    points = [Point(one.id, one.record, one.measured_at) for one in last.values()]
    return sorted(points, key=_place)


def _place(point: Point) -> tuple[object, ...]:
    return (
        place_of(point.cipher),
        point.cipher,
        point["target"],
        point["radix"],
        point.options,
        point.id,
    )


def place_of(cipher: str) -> int:
    """Place of a cipher in the catalogue; an unknown cipher comes last."""
    names = list(CATALOGUE)
    return names.index(cipher) if cipher in CATALOGUE else len(names)


def facets_of(cipher: str) -> Facets:
    """Kind, length of the key and security status, as far as the catalogue knows the cipher."""
    known = CATALOGUE.get(cipher)
    if known is None:
        return Facets("unknown", None, "unknown")
    return Facets(known.service, known.key_bits, "broken" if known.broken else "unbroken")


def target_title(name: str) -> str:
    """The title of a target; its name if it is a library that was given as a file."""
    return TARGETS[name].title if name in TARGETS else name


def targets_in_words(points: Sequence[Point], *, in_full: bool = False) -> str:
    """The targets of some points, with titles; of many targets only the names."""
    return TARGET_SEPARATOR.join(target_words(points, in_full=in_full).values())


def target_words(points: Sequence[Point], *, in_full: bool = False) -> dict[str, str]:
    """The words for each target of some points, by its name."""
    names = sorted({str(point["target"]) for point in points})
    brief = len(names) > FEW and not in_full
    return {
        name: name if brief or name not in TARGETS else f"{name} ({target_title(name)})"
        for name in names
    }


def most_measured(points: Sequence[Point], technology: str) -> str | None:
    """The target of a technology with the most points that have a throughput; of several, that
    with the most points. None without any."""
    some = [point for point in points if point.technology == technology]
    every = Counter(str(point["target"]) for point in some)
    timed = Counter(str(point["target"]) for point in some if point["throughput_mbps"])
    return min(every, key=lambda name: (-timed[name], -every[name], name), default=None)


def first_targets(points: Sequence[Point]) -> list[str]:
    """The most measured target of each technology, if charts of all targets would be crowded;
    otherwise none."""
    targets = {(point.technology, str(point["target"])) for point in points}
    several = max(Counter(technology for technology, _ in targets).values(), default=0)
    if several <= 1 or (several <= FEW and len(points) <= MANY):
        return []
    most = (most_measured(points, technology) for technology in (FPGA, CELLS))
    return [name for name in most if name]


def points_in(rows: Iterable[Mapping[str, Any]], points: Sequence[Point]) -> list[Point]:
    """The points that rows of a chart show."""
    ids = {row.get("id") for row in rows}
    return [point for point in points if point.id in ids]


def measured_on(points: Sequence[Point]) -> str:
    """Where the points of a chart were measured, in sentences; empty without any."""
    if not points:
        return ""
    told = [f"Measured on {targets_in_words(points)}."]
    if len({point["target"] for point in points}) > 1:
        told.append(DIFFER)
    if any(point.technology == CELLS for point in points):
        told.append(_GE)
    return " ".join(told)


def named(members: Mapping[str, Any]) -> str:
    """The members of a mapping as "name=value", in one line."""
    return ", ".join(f"{name}={value}" for name, value in members.items())
