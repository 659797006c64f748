# SPDX-License-Identifier: Apache-2.0
"""The search for the best form of a core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from headwater.api.ciphers import Cipher
from headwater.api.records import Records
from headwater.cipher import outside
from headwater.cipher.catalogue import find as find_cipher
from headwater.errors import InputError, ToolError
from headwater.measure import defaults
from headwater.measure.layers import LayeredStore, open_layered, read_layered
from headwater.measure.pareto import mark_pareto
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, unfit
from headwater.measure.run import Outcome, evaluate_all
from headwater.measure.search import Condition, Goal, Search
from headwater.measure.settings import Settings
from headwater.measure.sweep import Radices, Sweep
from headwater.measure.target import find as find_target
from headwater.measure.workers import local_workers
from headwater.report.choose import command

Measure = Callable[[Sequence[DesignPoint]], Iterable[Outcome]]
"""Measures design points, and gives each as soon as it is known."""


@dataclass(frozen=True)
class Optimum:
    """What a search found at one radix.

    Attributes
    ----------
    best, asked : dict
        The records of the best form, and of the form that was asked for.
    records : Records
        All forms that were measured, the best first; ``non_dominated`` marks those that no other
        beats in area, throughput and energy, and ``failures`` says why others could not be
        measured.
    gain : float
        By how much the best form is better than the one that was asked for: 1.1 is a tenth.
    is_whole : bool
        Whether the search came to its end: no form that differs in one choice is better.
    """

    best: Record
    asked: Record
    records: Records
    gain: float
    is_whole: bool

    @property
    def command(self) -> str:
        """The command that generates the best form."""
        return command(self.best)

    def changes(self, record: Record) -> dict[str, str]:
        """The options in which a form differs from the one that was asked for."""
        defaults = find_cipher(record["cipher"]).defaults
        asked, reached = ({**defaults, **form["options"]} for form in (self.asked, record))
        return {name: value for name, value in reached.items() if asked[name] != value}


def optimize(
    cipher: str | Cipher,
    radix: int | None = None,
    *,
    target: str = defaults.TARGET,
    load_widths: Sequence[int] = (),
    minutes: float | None = None,
    settings: Settings | None = None,
    goal: Goal | None = None,
    only: Condition | None = None,
    measure: bool = True,
    jobs: int = 1,
    time_limit_s: float = defaults.TIME_LIMIT_S,
    store: str | Path | None = None,
    told: Callable[[Outcome], None] | None = None,
    **options: str | int,
) -> Optimum:
    """Search the options of a core for the form that suits the objective of the settings best.

    From the form that is asked for the search goes to the best one that differs in one choice,
    until none is better. What is given stays, and what decides what the core does for its user:
    ``stall``, ``clear``, ``direction``, ``iv_bits``, ``keyed_state``, ``streams`` and ``datapath``.

    Parameters
    ----------
    radix
        None for the default of the cipher.
    load_widths
        Widths of a load word that may be chosen; the first of them, or the default, is in the form
        that is asked for.
    minutes
        Ends the search early; it goes on when it is asked for again.
    settings
        Those of the flow: the objective is one of them.
    goal
        Called with a record, gives the figure that the search makes as great as possible; None for
        that of the objective.
    only
        Called with an architecture, says whether the search may try it; None for all.
    measure
        Whether what is not stored is measured, ``jobs`` points at a time; else the search is among
        what is stored.
    told
        Is called with each form as soon as it is known.

    Raises
    ------
    headwater.errors.ToolError
        If the form that is asked for could not be measured, or is not stored.
    """
    outside.add_installed()
    name = cipher if isinstance(cipher, str) else cipher.name
    values = {option: str(value) for option, value in options.items()}
    (search,) = searches(
        name,
        None if radix is None else [radix],
        target,
        load_widths,
        values,
        settings or Settings(),
        _tell_nobody,
    )
    search.goal, search.only = goal, only
    path = Path(store) if store else None
    if not measure:
        with read_layered(path) as known:
            return searched(search, partial(_stored, known), deadline(minutes))
    with open_layered(path) as opened, local_workers(jobs) as workers:

        def outcomes(points: Sequence[DesignPoint]) -> Iterator[Outcome]:
            for outcome in evaluate_all(points, opened, workers, time_limit_s=time_limit_s):
                if told:
                    told(outcome)
                yield outcome

        return searched(search, outcomes, deadline(minutes))


def _stored(store: LayeredStore, points: Sequence[DesignPoint]) -> Iterator[Outcome]:
    """What is known of the points, without measuring."""
    for point in points:
        if result := store.known(point):
            yield Outcome(point, result.record, seconds=result.seconds, stored=True)
        else:
            yield Outcome(point, None, f"{point} is not stored")


def _tell_nobody(_text: str) -> None:
    """One radix is legal, or an error."""


def searches(
    cipher: str,
    radices: Radices,
    target: str,
    load_widths: Sequence[int],
    options: Mapping[str, str],
    settings: Settings,
    tell: Callable[[str], None],
) -> list[Search]:
    """A search for each radix; an illegal radix of several is told of."""
    sweep = Sweep(
        ciphers=[cipher],
        radices=radices,
        targets=[find_target(target)],
        load_width=load_widths[0] if load_widths else None,
        options=options,
        settings=settings,
    )
    return [
        Search(
            point.cipher,
            point.architecture,
            point.target,
            point.settings,
            load_widths,
            frozenset(options),
        )
        for point in sweep.points(tell)
    ]


def deadline(minutes: float | None) -> Callable[[], bool]:
    """Tells whether so many minutes are over."""
    if minutes is None:
        return lambda: False
    if not minutes > 0:
        raise InputError(f"minutes must be more than 0, not {minutes:g}")
    end = time.monotonic() + 60 * minutes
    return lambda: time.monotonic() >= end


def searched(search: Search, measure: Measure, is_over: Callable[[], bool]) -> Optimum:
    """Carry out a search, up to its end or to that of its time. The form that is asked for is
    measured in any case."""
    failures: dict[str, None] = {}
    is_whole = True
    while is_whole and (batch := search.batch()):
        evaluated: dict[DesignPoint, Record | None] = {}
        for outcome in measure(batch):
            reason = outcome.record and unfit(outcome.record)
            evaluated[outcome.point] = None if reason else outcome.record
            if reason:
                failures[f"{outcome.point} {reason}"] = None
            elif outcome.record is None:
                failures[outcome.reason] = None
            if is_over():
                is_whole = len(evaluated) == len(batch)
                break
        search.learn(evaluated)
        if search.best is None:
            raise ToolError("; ".join(failures))
        is_whole = is_whole and not (is_over() and search.batch())
    assert search.best is not None
    records = Records(mark_pareto(search.records), tuple(failures))
    return Optimum(search.best, search.first, records, search.gain, is_whole)
