# SPDX-License-Identifier: Apache-2.0
"""What this process does at the moment, in a few words, for the person who waits for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _nobody(_words: str) -> None:
    """Nobody waits."""


@dataclass
class _Now:
    listener: Callable[[str], None] = _nobody
    work: str = ""


_now = _Now()


def tell(listener: Callable[[str], None]) -> None:
    """From now on, tell a listener."""
    _now.listener = listener


def begin(work: str) -> None:
    """A piece of work begins."""
    _now.work = work
    _now.listener(work)


def step(words: str) -> None:
    """A step of the work begins."""
    _now.listener(f"{_now.work}: {words}" if _now.work else words)
