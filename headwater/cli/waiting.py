# SPDX-License-Identifier: Apache-2.0
"""What is shown while a text is worked on: what, how much of it is done, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from headwater.cli.output import in_words, say
from headwater.flow import doing

_BETWEEN_LINES_S = 10.0


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Show on stderr what is waited for in this context, how much of it is done, and how long the
    rest takes: live on a terminal, elsewhere a line now and then."""
    console = Console(stderr=True)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.fields[done]}", markup=False),
    )
    with Progress(
        *columns,
        console=console,
        transient=True,
        redirect_stdout=False,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(what, total=None, done="")
        begun = told = monotonic()

        def count(done: int, whole: int) -> None:
            nonlocal begun, told
            now = monotonic()
            if not done:
                begun = now
                return
            left = in_words((now - begun) * (whole - done) / done)
            words = f"{100 * done // whole} %, about {left} left"
            if console.is_terminal:
                progress.update(task, done=words)
            elif now - told > _BETWEEN_LINES_S:
                told = now
                say(f"{what}: {words}")

        with doing.counted(count):
            yield
