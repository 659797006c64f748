# SPDX-License-Identifier: Apache-2.0
"""The measured points in a few sentences: which cipher is the smallest, the best for its area, the
most frugal. Broken ciphers are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from headwater.report.html import shown
from headwater.report.points import CELLS, FPGA, Point, facets_of, most_measured
from headwater.report.units import plural

_Known = tuple[float, Point]
"""A point and its value."""


@dataclass(frozen=True)
class _Question:
    """What is asked of all points of a target."""

    answer: str
    value: Callable[[Point], float | None]
    unit: Callable[[Point], str]
    least: bool

    def best_of_each(self, points: Sequence[Point]) -> list[_Known]:
        """The best point of each cipher, the best cipher first."""
        known = [(value, point) for point in points if (value := self.value(point))]
        known.sort(key=lambda one: one[0], reverse=not self.least)
        best: dict[str, _Known] = {}
        for one in known:
            best.setdefault(one[1].cipher, one)
        return list(best.values())


_QUESTIONS = (
    _Question(
        "Smallest core", lambda point: point.area, lambda point: plural(point.area_unit), True
    ),
    _Question(
        "Most throughput per area",
        lambda point: point.mbps_per_area,
        lambda point: f"Mbit/s per {point.area_unit}",
        False,
    ),
    _Question("Least energy", lambda point: point["energy_pj_per_bit"], lambda _: "pJ/bit", True),
)


def summary(points: Sequence[Point]) -> list[str]:
    """A sentence for each question that the points answer, for the most measured target of each
    technology. What is not known to be unbroken is not ranked: nor is a cipher of a file that was
    not given."""
    sound = [point for point in points if facets_of(point.cipher).security == "unbroken"]
    targets = [most_measured(sound, technology) for technology in (FPGA, CELLS)]
    groups = [[point for point in sound if point["target"] == one] for one in targets if one]
    answers = ((question, "; ".join(_answers(question, groups))) for question in _QUESTIONS)
    return [f"{question.answer}: {answer}." for question, answer in answers if answer]


def _answers(question: _Question, groups: Sequence[Sequence[Point]]) -> Iterator[str]:
    for group in groups:
        match question.best_of_each(group):
            case [(value, best), (other, behind), *_]:
                runner_up = f"{behind.cipher}{_sessions(behind)} with {shown(other)}"
                yield f"{_told(question, value, best)} (next: {runner_up})"
            case [(value, best)]:
                yield _told(question, value, best)


def _told(question: _Question, value: float, point: Point) -> str:
    figure = f"{shown(value)} {question.unit(point)}"
    core = f"{point.cipher} at radix {point['radix']}{_sessions(point)}"
    return f"{core} with {figure} on {point['target']}"


def _sessions(point: Point) -> str:
    """Several sessions share area and throughput of a core."""
    return f", {point.sessions} sessions in turn," if point.sessions > 1 else ""
