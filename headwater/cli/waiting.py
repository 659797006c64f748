# SPDX-License-Identifier: Apache-2.0
"""What a terminal shows while a text is worked on: what, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def waiting_for(what: str) -> Iterator[None]:
    """Show on stderr, if this is a terminal, what is waited for in this context."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False),
               TimeElapsedColumn())  # fmt: skip
    with Progress(*columns, console=console, transient=True, redirect_stdout=False,
                  disable=not console.is_terminal) as progress:  # fmt: skip
        progress.add_task(what, total=None)
        yield
