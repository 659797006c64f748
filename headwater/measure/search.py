# SPDX-License-Identifier: Apache-2.0
"""The search for the options of a core that suit a goal best, at one radix on one target.

It goes from the form that is asked for to the best form that differs from it in one choice, and so
on until none is better. What a core does for its user stays as it is asked for. Each form is
measured as any other design point, so a search that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, area_of, mbps_per_area_of
from headwater.measure.settings import Settings
from headwater.measure.target import Target

SERVICE = frozenset(
    {"stall", "clear", "direction", "iv_bits", "keyed_state", "streams", "datapath", "width"}
)
"""Options that decide what a core does for its user. All others decide how it does that."""

Goal = Callable[[Record], float]
"""A figure of a record, which a search makes as great as possible."""

Condition = Callable[[Architecture], bool]
"""Whether a form of a core is of interest."""

_Figure = Callable[[Record], float | None]


def _least(figure: _Figure) -> _Figure:
    def goal(record: Record) -> float | None:
        value = figure(record)
        return None if value is None else -value

    return goal


_GOALS: Mapping[str, _Figure] = {
    "balanced": mbps_per_area_of,
    "area": _least(area_of),
    "speed": lambda record: record["throughput_mbps"],
    "power": _least(lambda record: record.get("energy_pj_per_bit")),
}
"""What each objective makes as great as possible."""

_WITHOUT_FREQUENCY = "area"
"""The objective where a target gives no frequency."""


def goal_of(record: Record, objective: str) -> float:
    """How well a core does; more is better."""
    if record["throughput_mbps"] is None and objective == "balanced":
        objective = _WITHOUT_FREQUENCY
    value = _GOALS[objective](record)
    if value is None:
        raise InputError(f"objective must be measured on {record['target']}, not {objective!r}")
    return value


@dataclass
class Search:
    """A search at one radix.

    Parameters
    ----------
    start
        The form that is asked for.
    load_widths
        Widths of a load word that may be chosen; none: as in the start.
    fixed
        Names of options that were asked for, and stay.
    goal
        None for the objective of the settings.
    only
        Says which forms may be tried; None for all.
    """

    cipher: Cipher
    start: Architecture
    target: Target
    settings: Settings
    load_widths: Sequence[int] = ()
    fixed: frozenset[str] = frozenset()
    goal: Goal | None = None
    only: Condition | None = None
    best: Record | None = None
    """The record of the best form so far; None before the first is known."""
    _at: Architecture | None = None
    _tried: dict[DesignPoint, Record | None] = field(default_factory=dict)

    @property
    def records(self) -> list[Record]:
        """All that were measured, the best first."""
        known = [record for record in self._tried.values() if record is not None]
        return sorted(known, key=self._goal, reverse=True)

    @property
    def first(self) -> Record:
        """The form that was asked for, once it was measured."""
        record = self._tried[self._point(self.start)]
        assert record is not None
        return record

    def batch(self) -> list[DesignPoint]:
        """What to measure next: the start, then what differs from the best in one choice and was
        not tried. Nothing at the end."""
        if self._at is None:
            return [] if self._tried else [self._point(self.start)]
        points = dict.fromkeys(map(self._point, self._neighbours(self._at)))
        return [point for point in points if point not in self._tried]

    def learn(self, records: Mapping[DesignPoint, Record | None]) -> None:
        """Take note of what was measured; None for what could not be."""
        self._tried |= records
        for point, record in records.items():
            if record is not None and (self.best is None or self._goal(record) > self._reached):
                self.best, self._at = record, point.architecture

    @property
    def gain(self) -> float:
        """The best in units of the start: by so much it is better where more is better, or the
        start is worse where less is."""
        ratio = self._reached / self._goal(self.first)
        return ratio if self._reached > 0 else 1 / ratio

    @property
    def _reached(self) -> float:
        assert self.best is not None
        return self._goal(self.best)

    def _goal(self, record: Record) -> float:
        return self.goal(record) if self.goal else goal_of(record, self.settings.objective)

    def _point(self, architecture: Architecture) -> DesignPoint:
        return DesignPoint(self.cipher, architecture, self.target, self.settings)

    def _neighbours(self, architecture: Architecture) -> Iterator[Architecture]:
        """What differs in one choice and may be tried."""
        kept = SERVICE | self.fixed
        for option in self.cipher.options:
            values = [] if option.name in kept else option.values
            for value in values:
                yield from self._made(
                    architecture.load_width, architecture.options | {option.name: value}
                )
        for width in self.load_widths:
            yield from self._made(width, architecture.options)

    def _made(self, load_width: int, options: Mapping[str, str]) -> Iterator[Architecture]:
        with suppress(InputError):
            made = Architecture.choose(
                self.cipher, radix=self.start.radix, load_width=load_width, options=options
            )
            if self.only is None or self.only(made):
                yield made
