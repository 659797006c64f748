# SPDX-License-Identifier: Apache-2.0
"""Measurement of design points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from headwater.api.ciphers import Cipher
from headwater.api.records import Records
from headwater.cipher import outside
from headwater.measure import defaults
from headwater.measure.layers import open_layered
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.run import Outcome, evaluate_all
from headwater.measure.settings import Settings
from headwater.measure.sweep import Radices, Sweep
from headwater.measure.target import Target, find, from_liberty
from headwater.measure.workers import local_workers


def evaluate(
    ciphers: str | Cipher | Sequence[str | Cipher],
    radix: int | Radices = None,
    *,
    target: str | Sequence[str] = defaults.TARGET,
    liberty: Sequence[str | Path] = (),
    load_width: int | None = None,
    random_bits: int | Sequence[int] = (),
    instances: int | Sequence[int] = (),
    seed_width: int | None = None,
    reset: str | None = None,
    state_port: bool = False,
    lockup: str | None = None,
    seed_by: str | None = None,
    settings: Settings | None = None,
    jobs: int = 1,
    again: bool = False,
    time_limit_s: float = defaults.TIME_LIMIT_S,
    store: str | Path | None = None,
    told: Callable[[Outcome], None] | None = None,
    **options: str | int,
) -> Records:
    """Measure every combination of ciphers, radices and targets; what is stored is not measured
    again.

    Parameters
    ----------
    ciphers
        One or several.
    radix
        One, several, ``"all"``, or None for the default of each cipher.
    target
        Names that ``headwater list targets`` prints.
    liberty
        Files of standard-cell libraries as further targets.
    random_bits, instances
        Sources of so many random bits are measured, from so many cores, instead of cores alone.
    seed_width, reset, state_port, lockup, seed_by
        Of such a source, as `headwater.api.ciphers.Cipher.random_bits` takes them.
    settings
        Those of the flow: seeds, objective, clock, clock gating, recipe (yosys or best), hierarchy
        (flat or parts), stage (synthesis, placement or layout), glitches (true or false).
    jobs
        Points at a time.
    again
        Whether stored points are measured, too.
    time_limit_s
        Of one run of a tool, in seconds.
    told
        Is called with each point as soon as it is known.
    """
    outside.add_installed()
    sweep = Sweep(
        ciphers=[one if isinstance(one, str) else one.name for one in _several(ciphers)],
        radices=[radix] if isinstance(radix, int) else radix,
        targets=_targets(_several(target), liberty),
        load_width=load_width,
        options={name: str(value) for name, value in options.items()},
        random_bits=_numbers(random_bits),
        instances=_numbers(instances),
        seed_width=seed_width,
        reset=reset,
        state_port=state_port,
        lockup=lockup,
        seed_by=seed_by,
        settings=settings or Settings(),
    )
    skipped: list[str] = []
    points = sweep.points(skipped.append)
    with open_layered(Path(store) if store else None) as opened, local_workers(jobs) as workers:
        outcomes = evaluate_all(points, opened, workers, again=again, time_limit_s=time_limit_s)
        done = _done(outcomes, skipped, told or (lambda _: None))
    return Records([done[point] for point in points if point in done], skipped)


def _done(
    outcomes: Iterable[Outcome], skipped: list[str], told: Callable[[Outcome], None]
) -> dict[DesignPoint, Record]:
    """The records of the points that were measured; why others have none is added to
    ``skipped``."""
    done: dict[DesignPoint, Record] = {}
    for outcome in outcomes:
        if outcome.record:
            done[outcome.point] = outcome.record
        else:
            skipped.append(outcome.reason)
        told(outcome)
    return done


def _several(value: Any) -> Sequence[Any]:
    return [value] if isinstance(value, str | Cipher) else value


def _numbers(value: int | Sequence[int]) -> Sequence[int]:
    return [value] if isinstance(value, int) else value


def _targets(names: Sequence[str], liberty: Sequence[str | Path]) -> list[Target]:
    return [*map(find, names), *(from_liberty(Path(path)) for path in liberty)]
