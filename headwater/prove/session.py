# SPDX-License-Identifier: Apache-2.0
"""The session of a core of any kind: what its load, `clear` and a wish to load anew do in a cycle.

The load is followed from any state for one cycle. How many load words there are, and when the
setup is over, is shown kind by kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from amaranth.hdl import Assert, Assume, Module, Value
from amaranth.lib.wiring import Out

from headwater.core.component import Core
from headwater.prove.checker import Proof, Property, earlier, ended, first_cycle
from headwater.prove.reading import independent


def session(phases: Callable[[Any], Value]) -> Property:
    """The property of the session; ``phases(core)`` is an invariant of the core's phases in every
    reachable state."""
    return Property(
        "session",
        partial(_checker, phases),
        independent("the rules of a session, in terms of its ports"),
        "load words are taken in the load and nothing else is, and clear, a wish to load anew and "
        "the end of a message set all control back",
    )


def _checker(phases: Callable[[Any], Value], m: Module, core: Any, proof: Proof) -> None:  # noqa: ARG001
    first = first_cycle(m)
    m.d.comb += Assume(~first | phases(core))
    m.d.comb += [Assert(~first | kept) for kept in _in_a_cycle(core)]
    m.d.comb += [Assert(first | kept) for kept in _in_the_next_cycle(m, core)]


def _in_a_cycle(core: Core) -> Iterator[Value]:
    """Assertions on the handshake within a cycle."""
    load = core.load
    yield ~load.ready | core.loading
    yield core.load_fire == (load.ready & load.valid)
    yield core.abort == (ended(core, ~core.loading) | core.finished)
    yield ~(core.running & core.loading)
    for stream, flow in _other_streams(core):
        moves = stream.valid if flow is Out else stream.ready
        yield ~moves | ~core.loading


def _other_streams(core: Core) -> Iterator[tuple[Any, Any]]:
    for name, member in core.signature.members.items():
        if member.is_signature and name != "load":
            yield getattr(core, name), member.flow


def _in_the_next_cycle(m: Module, core: Core) -> Iterator[Value]:
    """Assertions on the cycle after a cycle. A reset ends a session as well."""
    ended = earlier(m, "ended", core.abort, init=1)
    fired, loaded = earlier(m, "fired", core.load_fire), earlier(m, "loaded", ~core.loading)
    for register in (*core.session.registers, *core.control_registers):
        yield ~ended | (register == register.init)
    yield ended | ~loaded | ~core.loading
    yield ended | loaded | core.loading | fired
    yield ~(core.running & core.loading)
    if core.knows_idle:
        yield ended | ~fired | ~core.idle
