# SPDX-License-Identifier: Apache-2.0
"""What this process does at the moment, in a few words, for the person who waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


def _nobody(_words: str) -> None:
    """Nobody waits."""


def _nobody_counts(_done: int, _whole: int) -> None:
    """Nobody counts."""


@dataclass
class _Now:
    listener: Callable[[str], None] = _nobody
    work: str = ""
    counts: Callable[[int, int], None] = _nobody_counts


_now = _Now()


def tell(listener: Callable[[str], None]) -> None:
    """From now on, tell a listener."""
    _now.listener = listener


@contextmanager
def counted(counts: Callable[[int, int], None]) -> Iterator[None]:
    """In this context, tell how much of a text is done, and how much it is."""
    _now.counts = counts
    try:
        yield
    finally:
        _now.counts = _nobody_counts


def parts(whole: int, longest: int) -> Iterator[tuple[int, int]]:
    """The parts of a work of so many units, each from where and how many, none longer than
    ``longest``; whoever counts is told of each that is done."""
    _now.counts(0, whole)
    for first in range(0, whole, longest):
        count = min(longest, whole - first)
        yield first, count
        _now.counts(first + count, whole)


def begin(work: str) -> None:
    """A piece of work begins."""
    _now.work = work
    _now.listener(work)


def step(words: str) -> None:
    """A step of the work begins."""
    _now.listener(f"{_now.work}: {words}" if _now.work else words)
