# SPDX-License-Identifier: Apache-2.0
"""What a person sees while design points are measured: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from headwater.bench.estimate import estimated_seconds, in_words
from headwater.bench.point import DesignPoint
from headwater.bench.run import Outcome
from headwater.bench.store import Store


@contextmanager
def reporting(
    points: Sequence[DesignPoint], store: Store, width: int
) -> Iterator[Callable[[Outcome], None]]:
    """Show the progress of measuring the points, ``width`` at a time, on stderr.

    Gives the function that is to be told each outcome.
    """
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
               TextColumn("{task.fields[left]}", markup=False))  # fmt: skip
    waiting = dict.fromkeys(points)
    shown = console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        bar = progress.add_task("Evaluating", total=len(points), left="")

        def told(outcome: Outcome) -> None:
            waiting.pop(outcome.point, None)
            seconds, unknown = estimated_seconds(store, waiting)
            left = "" if unknown else f"about {in_words(seconds / width)} left"
            progress.update(bar, advance=1, left=left)
            if not outcome.stored:
                console.print(f"[{len(points) - len(waiting)}/{len(points)}] {_line(outcome)}")

        yield told


def _line(outcome: Outcome) -> str:
    what = f"{outcome.point} ({outcome.seconds:.0f} s)"
    if outcome.record is None:
        return f"{what}: FAILED"
    lut, ge, fmax = (outcome.record[name] for name in ("lut", "ge", "fmax_mhz"))
    area = f"{lut} LUT" if lut is not None else f"{ge} GE"
    return f"{what}: {area}" + (f", {fmax['median']:.0f} MHz" if fmax else "")
