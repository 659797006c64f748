# SPDX-License-Identifier: Apache-2.0
"""Python's limits and habits where a circuit is made."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_DEPTH = 100_000
"""A value may be nested several calls deep for each bit of a load word."""


@contextmanager
def for_circuits() -> Iterator[None]:
    """Let values be nested deeply, and no garbage be collected, for as long as this lasts.

    What makes a circuit makes very many objects and keeps nearly all of them until it is done, so
    that looking for garbage among them takes a quarter of the time and finds next to nothing.
    """
    depth, was_on = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(depth, _DEPTH))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(depth)
        if was_on:
            gc.enable()
