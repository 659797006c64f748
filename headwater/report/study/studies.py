# SPDX-License-Identifier: Apache-2.0
"""The studies: each is a plan, the file of its name beside this one, and what is shown of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from headwater.bench.plan import read_plan
from headwater.bench.point import DesignPoint, Record, area_of
from headwater.bench.target import AsicTarget, FpgaTarget, Target
from headwater.errors import unknown
from headwater.report.choose import fmax_of
from headwater.report.units import plural


@dataclass(frozen=True)
class Quantity:
    """A figure that a study shows."""

    name: str
    """Part of the name of its charts."""
    title: str
    of: Callable[[Record], float | None]
    unit: Callable[[Target], str]
    """What it is counted in on a target; empty if the target gives no such figure."""


@dataclass(frozen=True)
class Study:
    """A question, and what answers it."""

    name: str
    title: str
    asks: str
    quantities: tuple[Quantity, ...]

    @property
    def plan(self) -> Path:
        """The file with its design points."""
        return Path(__file__).with_name(f"{self.name}.toml")

    def points(self, tell: Callable[[str], None]) -> list[DesignPoint]:
        """Its design points; an illegal one is told of."""
        return read_plan(self.plan, tell)


def study_of(name: str) -> Study:
    """The study of that name; an error that lists all names if there is none."""
    if name not in STUDIES:
        raise unknown("study", name, STUDIES)
    return STUDIES[name]


_QUANTITIES = (
    Quantity("area", "Area", area_of, lambda target: plural(target.area_unit)),
    Quantity("lut", "Look-up tables", lambda record: record["lut"],
             lambda target: "LUT" if isinstance(target, FpgaTarget) else ""),
    Quantity("energy", "Energy of a random bit", lambda record: record["energy_pj_per_bit"],
             lambda target: "pJ" if isinstance(target, AsicTarget) else ""),
    Quantity("fmax", "Clock frequency", fmax_of,
             lambda target: "" if isinstance(target, FpgaTarget) and not target.is_placed
             else "MHz"),
)  # fmt: skip

STUDIES = {
    one.name: one
    for one in (
        Study(
            "masking-randomness",
            "Random bits for masked hardware",
            "What do so many random bits in each cycle cost, from which cipher, in how many cores?",
            _QUANTITIES,
        ),
    )
}
