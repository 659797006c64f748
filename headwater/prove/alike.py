# SPDX-License-Identifier: Apache-2.0
"""Promises that cores of every kind make, and when a core makes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amaranth.hdl import Module

from headwater.core.facts import Facts
from headwater.prove.watcher import Property, Watcher

Watch = Callable[[Module, Any, Watcher], None]


def never(_facts: Facts) -> bool:
    """Not in any core."""
    return False


def always(_facts: Facts) -> bool:
    """In every core of the kind."""
    return True


def where_it_waits(facts: Facts) -> bool:
    """In cores that wait for their readers."""
    return facts.waits


def hold(watch: Watch, applies: Callable[[Any], bool] = where_it_waits) -> Property:
    """An offered word stays."""
    meaning = "an offered word holds until it is taken"
    return Property("hold", meaning, watch, lambda _: 2, never, applies)


def silence(
    watch: Watch, applies: Callable[[Any], bool] = where_it_waits, more: str = ""
) -> Property:
    """Nothing shows but what is offered; ``more`` is promised with it."""
    meaning = f"a payload that is not offered is zero{more}"
    return Property("silence", meaning, watch, lambda _: 1, never, applies)


def clear(what: str, watch: Watch) -> Property:
    """Clear leaves nothing behind, from any state, when its cycles are over."""
    return Property(
        "clear", f"clear leaves {what}", watch, lambda facts: (facts.clear_cycles or 0) + 1, never,
        lambda facts: facts.clear_cycles is not None,
    )  # fmt: skip
