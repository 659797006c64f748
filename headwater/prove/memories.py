# SPDX-License-Identifier: Apache-2.0
"""Memories of a core of any kind: zero when a session begins, and soon after one has ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from amaranth.hdl import Module, ResetSignal, Signal, Value

from headwater.core.facts import Facts
from headwater.prove.alike import always
from headwater.prove.checker import CONTROL, Proof, Property, aborting, assert_always
from headwater.prove.reading import independent


def emptied(waits: Callable[[Any], Value], applies: Callable[[Any], bool]) -> Property:
    """The property that memories are emptied; ``waits(core)`` tells that no word was stored since
    they were, as no session has begun, or only a part of the load is over."""
    return Property(
        "empty",
        partial(_checker, waits),
        independent("a count of cycles since the session before has ended"),
        "each cycle behind the end of a session zeroes a word of every memory, and no load word is "
        "taken before all are zero",
        by_induction=always,
        applies=applies,
        by_hand=CONTROL,
    )


def has_memories(facts: Facts) -> bool:
    """Whether a core has memories."""
    return bool(getattr(facts.cipher, "memories", ()))


def _checker(waits: Callable[[Any], Value], m: Module, core: Any, proof: Proof) -> None:
    cycles = max(one.words for one in core.cipher.memories)
    age = Signal(range(cycles + 1), name=proof.named("age"))
    with m.If(aborting(core) | ResetSignal()):
        m.d.sync += age.eq(0)
    with m.Elif(age != cycles):
        m.d.sync += age.eq(age + 1)
    over, waiting = age == cycles, waits(core)
    properties = [core.memories_empty == over, ~core.load.ready | over]
    zeros = [
        ~waiting | (age <= number) | (word == 0)
        for ram in core.rams.values()
        for content in ram.contents
        for number, word in enumerate(_words(content, ram.bits))
    ]
    counts = [(age <= cycles) & (waiting | over), over | (core.zeroed == age)]
    assert_always(m, proof, [*properties, *zeros], invariants=counts)


def _words(content: Value, bits: int) -> list[Value]:
    return [content[low : low + bits] for low in range(0, len(content), bits)]
