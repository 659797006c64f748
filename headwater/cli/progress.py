# SPDX-License-Identifier: Apache-2.0
"""Progress while design points are measured: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from time import monotonic
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from headwater import interrupts
from headwater.cli.output import in_words, say
from headwater.errors import InputError, at_least, harmless
from headwater.measure.estimate import estimated_seconds
from headwater.measure.layers import LayeredStore, open_layered, read_layered
from headwater.measure.point import DesignPoint
from headwater.measure.record import unfit
from headwater.measure.run import Outcome, evaluate_all
from headwater.measure.store import Store
from headwater.measure.workers import Workers, cluster_workers, local_workers
from headwater.report.units import area_in_words

_LONGEST_S = 1e7
_ESTIMATES = 50
"""An estimate holds for so many times as long as it took."""


def _show_cursor() -> None:
    """The bar hides it."""
    Console(stderr=True).show_cursor()


interrupts.at_end.append(_show_cursor)


def crew_of(args: argparse.Namespace) -> AbstractContextManager[Workers]:
    """The requested workers: a cluster, or a number of processes."""
    scheduler = getattr(args, "scheduler", None)
    return local_workers(args.jobs) if scheduler is None else cluster_workers(scheduler)


def check_crew(args: argparse.Namespace) -> None:
    """Refuse workers and a time limit that nothing can be, before anything is read or written."""
    at_least(1, "jobs", args.jobs)
    if getattr(args, "scheduler", None) == "":
        raise InputError("scheduler must be the address of a running Dask scheduler, not ''")
    if not 0 < args.time_limit <= _LONGEST_S:
        raise InputError(
            f"time limit must be a positive number of seconds, at most {_LONGEST_S:g}, not "
            f"{args.time_limit:g}"
        )


def store_for(args: argparse.Namespace) -> AbstractContextManager[LayeredStore]:
    """The requested store: as it is now if nothing is to be measured, else to be written into. For
    a dry run it need not exist."""
    if args.dry_run:
        return read_layered(args.store, planned=True)
    return (read_layered if getattr(args, "stored", False) else open_layered)(args.store)


def measured(
    points: Sequence[DesignPoint], store: Store, args: argparse.Namespace, **settings: Any
) -> Generator[Outcome, None, None]:
    """Evaluate points with the requested workers and time limit, and show the progress.

    ``settings`` are the others of `evaluate_all`.
    """
    settings["time_limit_s"] = args.time_limit
    with (
        crew_of(args) as workers,
        _reporting(points, store, workers) as told,
        closing(evaluate_all(points, store, workers, **settings)) as outcomes,
    ):
        for outcome in outcomes:
            told(outcome)
            yield outcome


class _Estimate:
    """How long the rest will take, worked out anew now and then: it takes the longer, the more
    points there are, and must not take much of the time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._words, self._next = "", 0.0

    def left(self, waiting: Iterable[DesignPoint], width: int) -> str:
        """The time for so many points at a time; empty if it is not known."""
        if (start := monotonic()) >= self._next:
            seconds, unknown = estimated_seconds(self._store, waiting)
            self._words = "" if unknown else f"about {in_words(seconds / max(width, 1))} left"
            self._next = monotonic() + _ESTIMATES * (monotonic() - start)
        return self._words


@dataclass(frozen=True)
class _Screen:
    """The bar, and below it a line for each worker."""

    progress: Progress
    workers: Workers

    def __rich__(self) -> Group:
        return Group(self.progress, *(Text(f"  {line}") for line in self.workers.doing))


@contextmanager
def _reporting(
    points: Sequence[DesignPoint], store: Store, workers: Workers
) -> Iterator[Callable[[Outcome], None]]:
    """Show the progress of measuring the points on stderr: on a terminal with the elapsed time and
    what each worker does, elsewhere a line for each point that is done.

    Yields a function that must be called with each outcome.
    """
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
    )
    waiting = dict.fromkeys(points)
    shown = console.is_terminal
    progress = Progress(*columns, console=console)
    bar = progress.add_task("Evaluating", total=len(points), left="")
    screen = Live(_Screen(progress, workers), console=console, transient=True)
    with screen if shown else nullcontext():
        refused: set[str] = set()
        estimate = _Estimate(store)

        def told(outcome: Outcome) -> None:
            for sentence in set(workers.refused) - refused:
                refused.add(sentence)
                console.print(harmless(f"headwater: {sentence}"))
            waiting.pop(outcome.point, None)
            progress.advance(bar)
            if outcome.stored:
                return
            if shown:
                progress.update(bar, left=estimate.left(waiting, workers.width))
            done = len(points) - len(waiting)
            console.print(harmless(f"[{done}/{len(points)}] {_line(outcome)}"))

        yield told


def _line(outcome: Outcome) -> str:
    what = f"{outcome.point} ({outcome.seconds:.0f} s)"
    if outcome.record is None:
        return f"{what}: FAILED"
    fmax = outcome.record["fmax_mhz"]
    reason = unfit(outcome.record)
    clock = f", {fmax['median']:.0f} MHz" if fmax else ""
    fit = f", {reason}" if reason else ""
    return f"{what}: {area_in_words(outcome.record)}{clock}{fit}"


def say_estimate(points: Sequence[DesignPoint], store: Store, jobs: int) -> None:
    """Say how long the points would take, as far as earlier measurements tell."""
    seconds, unknown = estimated_seconds(store, points)
    say(f"{len(points)} design point(s)")
    known = len(points) - unknown
    if known:
        at_once = min(jobs, known)
        say(
            f"{known} of them would take about {in_words(seconds / at_once)}, {at_once} at a time, "
            "where they are not stored"
        )
    if unknown:
        say(
            f"nothing is known of how long the other {unknown} would take"
            if known
            else "nothing is known of how long that would take"
        )
