# SPDX-License-Identifier: Apache-2.0
"""What holds for the streams of a core: no word is lost, doubled or changed, and none leaks."""

from __future__ import annotations

from collections.abc import Iterator

from amaranth.hdl import Assert, Assume, Cat, Module, Mux, ResetSignal, Signal

from headwater.cipher.authenticated import AuthenticatedCipher
from headwater.core.authenticated import AuthenticatedCore
from headwater.core.base import CipherCore
from headwater.core.keystream import KeystreamCore
from headwater.core.mobile.base import MobileCore
from headwater.core.sfinks.core import SfinksSteps
from headwater.core.sfinks.message import SfinksMessageCore
from headwater.verify.properties.offers import assert_held, assume_steady, cleared
from headwater.verify.properties.plain import nothing_enters, output_word, steps_of_cycle
from headwater.verify.properties.reference import Schedule
from headwater.verify.properties.watcher import Watcher, dropping, output_used, phases


def watch_hold(m: Module, core: CipherCore, watcher: Watcher) -> None:  # noqa: ARG001
    """A word that is offered and not taken is offered again, unless the core drops it.

    Data that comes out is as steady as the data that goes in.
    """
    m.d.comb += Assume(phases(core))
    if isinstance(core, KeystreamCore):
        assert_held(m, "keystream", core.keystream, (core.keystream.payload,), dropping(core))
        return
    assert isinstance(core, AuthenticatedCore)
    data, out = core.data_in, core.data_out
    offer = [data.payload, data.keep, data.last]
    offer += [data.ad] if core.cipher.takes_associated_data else []
    offer += [core.decrypt] if core.architecture["direction"] == "both" else []
    assume_steady(m, data, offer)
    assert_held(m, "data_out", out, (out.payload, out.keep, out.last), dropping(core))
    assert_held(m, "tag", core.tag, (core.tag.payload,), dropping(core))


def watch_next(m: Module, core: CipherCore, watcher: Watcher) -> None:
    """Each output word of a waiting core is there until it is used; the one after it is that of
    the state so many steps on.

    ``spec_next`` and ``spec_word`` keep, from the cycle in which the state moved on, the state
    after the word that waits, and that word.
    """
    cipher, schedule = watcher.cipher, Schedule.of(watcher.cipher, core)
    radix, ahead = schedule.radix, schedule.ahead
    steps = steps_of_cycle(m, core, cipher, radix + ahead)
    made, known = output_word(m, core, steps, ahead)
    seen = Signal(name="spec_seen")
    used, word = Signal(name="spec_used"), Signal.like(made, name="spec_word")
    current = Mux(core.step, made, word)
    m.d.sync += [
        seen.eq(core.running & (seen | (core.step & known)) & ~dropping(core)),
        used.eq(output_used(core)),
        word.eq(current),
    ]
    before = Signal(init=1, name="spec_before_reset", reset_less=True)
    m.d.sync += before.eq(0)
    m.d.comb += [Assume(phases(core) | before), Assume(core.loading | nothing_enters(core))]
    if watcher.by_induction:
        m.d.comb += Assert(before | ~core.running | core.step | seen)
        m.d.comb += Assume(ResetSignal() | ~before)
    m.d.comb += Assert(before | ~seen | (core.step == used))
    m.d.comb += Assert(before | ~seen | (core.hold == word))
    if isinstance(core, KeystreamCore):
        offered = core.running & ((core.step & known) | seen)
        m.d.comb += Assert(before | ~offered | (core.keystream.payload == current))
    for name, value in steps.states[radix].items():
        if isinstance(cipher, AuthenticatedCipher) and name == cipher.authenticator:
            continue
        following = Signal(len(value), name=f"spec_next_{name}")
        m.d.sync += following.eq(Mux(core.step, value, following))
        m.d.comb += Assert(before | ~seen | (steps.states[0][name] == following))


def watch_silence(m: Module, core: CipherCore, watcher: Watcher) -> None:  # noqa: ARG001
    """A payload is zero while it is not offered; a core that cannot wait leaves its output bare,
    but never shows its authenticator before the tag is due."""
    m.d.comb += Assume(phases(core))
    if isinstance(core, AuthenticatedCore):
        m.d.comb += Assert(core.tag.valid | (core.tag.payload == 0))
        m.d.comb += Assert(~core.tag.valid | core.running)
    if core.facts.waits:
        out = core.data_out if isinstance(core, AuthenticatedCore) else core.keystream
        m.d.comb += Assert(out.valid | (out.payload == 0))


def watch_clear(m: Module, core: CipherCore, watcher: Watcher) -> None:  # noqa: ARG001
    """From any state: ``clear_cycles`` after clear, with nothing loaded, no bit of it is left."""
    with m.If(cleared(m, core)):
        m.d.comb += Assert(Cat(*secrets(core)) == 0)
        m.d.comb += Assert(core.loading & ~core.running)


def secrets(core: CipherCore) -> Iterator[Signal]:
    """The registers that hold bits of the state or of the output."""
    yield from core.state.values()
    if core.facts.waits:
        yield core.hold
    if core.retimed:
        yield from core.retimed.pipeline.values()
    if isinstance(core, AuthenticatedCore) and core.isolated:
        yield from (core.accumulated, core.entering)
    if isinstance(core, SfinksSteps):
        yield from core.waiting.values()
        yield from (register for register, _ in core.path.moves)
    if isinstance(core, SfinksMessageCore) and core.kept is not None:
        yield core.kept
    if isinstance(core, MobileCore):
        yield from (*core.contents, *core.progress)
