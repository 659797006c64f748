# SPDX-License-Identifier: Apache-2.0
"""Checkers for cores of every kind: words that wait for their reader, and the end of a
clear."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from amaranth.hdl import Assert, Assume, Cat, Module, ResetSignal, Signal, Value

from headwater.core.component import Core
from headwater.prove.checker import earlier


def assert_held(
    m: Module, name: str, stream: Any, content: Iterable[Value], aborting: Value
) -> None:
    """Assert that an offered word that was not taken is offered with the same content in the next
    cycle, unless the core aborts. ``name`` is in the names of the checking registers."""
    offered = Cat(*content)
    waits = earlier(m, f"{name}_waits", stream.valid & ~stream.ready & ~aborting)
    before = earlier(m, f"{name}_word", offered)
    with m.If(waits):
        m.d.comb += [Assert(stream.valid), Assert(offered == before)]


def assume_steady(m: Module, stream: Any, content: Iterable[Value]) -> None:
    """Assume that a word offered to the core stays with its content until it is taken."""
    offered = Cat(*content)
    refused = earlier(m, "refused", stream.valid & ~stream.ready)
    before = earlier(m, "offer", offered)
    m.d.comb += Assume(~refused | (stream.valid & (offered == before)))


def cleared(m: Module, core: Core | Any, cycles: int | None = None) -> Value:
    """Whether so many cycles, by default ``clear_cycles``, have passed since a clear or a reset in
    any state, without a load since."""
    cycles = core.facts.clear_cycles or 0 if cycles is None else cycles
    age = Signal(range(cycles + 1), name="spec_age", reset_less=True)
    m.d.sync += age.eq(age + 1)
    m.d.comb += [
        Assume((core.clear | ResetSignal()) == (age == 0)),
        Assume((age == 0) | ~core.load.valid),
    ]
    return age == cycles
