# SPDX-License-Identifier: Apache-2.0
"""What is watched alike in cores of every kind: words that wait, and what clear leaves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from amaranth.hdl import Assert, Assume, Cat, Module, ResetSignal, Signal, Value

from headwater.core.component import Core


def assert_held(
    m: Module, name: str, stream: Any, content: Iterable[Value], aborting: Value
) -> None:
    """A word of a stream out of a core that was not taken is there in the next cycle, and so is
    its content, unless the core drops what it does.

    Parameters
    ----------
    name
        Of the stream, for the registers that watch it.
    content
        What is offered, or all that it is made of.
    """
    offered = Cat(*content)
    waits = Signal(name=f"spec_{name}_waits")
    before = Signal(len(offered), name=f"spec_{name}_word")
    m.d.sync += [waits.eq(stream.valid & ~stream.ready & ~aborting), before.eq(offered)]
    with m.If(waits):
        m.d.comb += [Assert(stream.valid), Assert(offered == before)]


def assume_steady(m: Module, stream: Any, content: Iterable[Value]) -> None:
    """Whoever offers a word to the core offers it until it is taken."""
    offered = Cat(*content)
    refused = Signal(name="spec_refused")
    before = Signal(len(offered), name="spec_offer")
    m.d.sync += [refused.eq(stream.valid & ~stream.ready), before.eq(offered)]
    m.d.comb += Assume(~refused | (stream.valid & (offered == before)))


def cleared(m: Module, core: Core | Any) -> Value:
    """Whether ``clear_cycles`` have passed since a clear in any state, nothing being loaded."""
    cycles = core.facts.clear_cycles or 0
    age = Signal(range(cycles + 1), name="spec_age")
    m.d.sync += age.eq(age + 1)
    m.d.comb += [
        Assume(~ResetSignal()),
        Assume(core.clear == (age == 0)),
        Assume((age == 0) | ~core.load.valid),
    ]
    return age == cycles
