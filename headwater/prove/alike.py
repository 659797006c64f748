# SPDX-License-Identifier: Apache-2.0
"""Promises that cores of every kind make, and conditions under which a core makes a promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from amaranth.hdl import Module

from headwater.core.facts import Facts
from headwater.prove.watcher import Property, Watcher

Watch = Callable[[Module, Any, Watcher], None]


def never(_facts: Facts) -> bool:
    """Condition that holds for no core."""
    return False


def always(_facts: Facts) -> bool:
    """Condition that holds for every core of a kind."""
    return True


def where_it_waits(facts: Facts) -> bool:
    """Condition that holds for cores that wait for their readers."""
    return facts.waits


def hold(watch: Watch, applies: Callable[[Any], bool] = where_it_waits) -> Property:
    """The promise that an offered word stays until it is taken."""
    meaning = "an offered word holds until it is taken"
    return Property("hold", meaning, watch, lambda _: 2, never, applies)


def silence(
    watch: Watch, applies: Callable[[Any], bool] = where_it_waits, more: str = ""
) -> Property:
    """The promise that outputs show only offered words; ``more`` is promised with it."""
    meaning = f"a payload that is not offered is zero{more}"
    return Property("silence", meaning, watch, lambda _: 1, never, applies)


def clear(what: str, watch: Watch) -> Property:
    """The promise that ``clear_cycles`` after a clear in any state the state is cleared."""
    return Property(
        "clear", f"clear leaves {what}", watch, lambda facts: (facts.clear_cycles or 0) + 1, never,
        lambda facts: facts.clear_cycles is not None,
    )  # fmt: skip
