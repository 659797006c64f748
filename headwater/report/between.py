# SPDX-License-Identifier: Apache-2.0
"""Estimates of cores between two that are stored: what a wish for 136 bits in a cycle costs where
128 and 160 were measured.

Between two radices of one cipher with the same options, area and clock are taken to lie on straight
lines over the bits per cycle. An estimate is a guess and is shown as one, beside the two measured
cores that it comes from; nothing is estimated outside of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.registry import facts_of
from headwater.measure.effect import effective
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, area_of, area_unit_of, design_point_of, unfit
from headwater.measure.settings import Settings
from headwater.measure.target import TARGETS
from headwater.report.choose import Wish, faults, fmax_of, taking_part

_COUNTED = ("lut", "ff", "ge")
"""Members of a record that `area_of` reads: they are estimated."""


@dataclass(frozen=True)
class Estimate:
    """A core that was not measured, between two that were.

    Attributes
    ----------
    point : headwater.measure.point.DesignPoint
        The core on its target, as `evaluate` would measure it.
    record : dict
        The members of a record that `choose` reads. Bits per cycle and setup cycles are known;
        area, clock and what follows from them are estimated.
    below, above : dict
        The records of the next narrower and the next wider core.
    """

    point: DesignPoint
    record: Record
    below: Record
    above: Record

    @property
    def area(self) -> float:
        """In the unit of the target."""
        return area_of(self.record) or 0.0

    @property
    def measured_areas(self) -> tuple[float, float]:
        """Of the narrower and of the wider core."""
        return area_of(self.below) or 0.0, area_of(self.above) or 0.0

    @property
    def command(self) -> str:
        """The command that measures it."""
        cipher, architecture = self.point.cipher, self.point.architecture
        usual, target = cipher.defaults, self.point.target
        options = "".join(
            f" --option {name}={value}"
            for name, value in architecture.options.items()
            if usual.get(name) != value
        )
        flow = effective(Settings(), target).as_json()
        settings = "".join(
            f" --{name.replace('_', '-')} {value}"
            for name, value in self.record["flow"].items()
            if value != flow[name]
        )
        return (
            f"headwater evaluate {cipher.name} --radix {architecture.radix} "
            f"--load-width {architecture.load_width}{options} --target {target.name}{settings}"
        )

    def as_json(self) -> dict[str, Any]:
        """What a program reads: the estimate, what it lies between, how it is measured."""
        architecture = self.point.architecture
        return {
            "cipher": self.point.cipher.name,
            "radix": architecture.radix,
            "load_width": architecture.load_width,
            "options": architecture.options,
            "bits_per_cycle": self.record["bits_per_cycle"],
            "setup_cycles": self.record["setup_cycles"],
            "estimated_area": self.area,
            "area_unit": area_unit_of(self.record),
            "estimated_throughput_mbps": self.record["throughput_mbps"],
            "measured_radices": [self.below["radix"], self.above["radix"]],
            "measured_areas": list(self.measured_areas),
            "command": self.command,
        }


def estimates(records: Iterable[Record], wish: Wish) -> list[Estimate]:
    """Of each cipher and its options the narrowest core that by its estimate gives the wish, is not
    measured, and lies between one that is too narrow and one that gives it; the smallest first.

    Sources of random bits and datapaths alone are not estimated.
    """
    if wish.what != "cores":
        return []
    narrowest = (_narrowest(rows, wish) for rows in _alike(records, wish))
    return sorted((one for one in narrowest if one is not None), key=lambda one: one.area)


def _alike(records: Iterable[Record], wish: Wish) -> Iterable[Sequence[Record]]:
    """Groups of measured cores that differ in radix and load width alone, each by radix."""
    groups: dict[str, dict[int, Record]] = {}
    for record in taking_part(records, wish):
        if record["cipher"] in CATALOGUE and not unfit(record) and area_of(record):
            like = design_point_of({**record, "radix": 0, "load_width": 0})
            groups.setdefault(like, {})[record["radix"]] = record
    return [[rows[radix] for radix in sorted(rows)] for rows in groups.values()]


def _narrowest(rows: Sequence[Record], wish: Wish) -> Estimate | None:
    for below, above in pairwise(rows):
        if faults(below, wish) and not faults(above, wish):
            between = range(below["radix"] + 1, above["radix"])
            legal = CATALOGUE[below["cipher"]].legal_radices()
            estimates_of_rows = (
                _estimate(radix, below, above) for radix in legal if radix in between
            )
            return next(
                (one for one in estimates_of_rows if one and not faults(one.record, wish)), None
            )
    return None


def _estimate(radix: int, below: Record, above: Record) -> Estimate | None:
    """None where the options are not legal at this radix, or where its bits per cycle, which the
    target's options may change, do not lie between."""
    cipher = CATALOGUE[below["cipher"]]
    try:
        architecture = Architecture.choose(
            cipher, radix=radix, load_width=None, options=below["options"]
        )
        cipher = cipher.with_parameters(below["options"])
        facts = facts_of(cipher, architecture)
        point = DesignPoint(
            cipher, architecture, TARGETS[below["target"]], Settings(**below["flow"])
        )
    except InputError:
        return None
    first, last = below["bits_per_cycle"], above["bits_per_cycle"]
    if not first < facts.bits_per_cycle < last:
        return None
    way = (facts.bits_per_cycle - first) / (last - first)
    counted = {name: _on_the_way(below[name], above[name], way) for name in _COUNTED}
    mhz = _on_the_way(fmax_of(below), fmax_of(above), way)
    record = {
        **above,
        **counted,
        "radix": radix,
        "load_width": architecture.load_width,
        "bits_per_cycle": facts.bits_per_cycle,
        "setup_cycles": facts.setup_cycles,
        "fmax_mhz": mhz and {"median": mhz},
        "energy_pj_per_bit": None,
        "throughput_mbps": mhz and round(mhz * facts.bits_per_cycle, 1),
        "setup_ns": mhz and round(1000 * facts.setup_cycles / mhz, 1),
    }
    return Estimate(point, record, below, above)


def _on_the_way(first: float | None, last: float | None, way: float) -> float | None:
    """On the straight line from the first to the last, whole where both are; None if one of them
    is unknown."""
    if first is None or last is None:
        return None
    between = first + way * (last - first)
    return round(between) if isinstance(first, int) and isinstance(last, int) else round(between, 1)
