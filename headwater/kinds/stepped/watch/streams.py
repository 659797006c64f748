# SPDX-License-Identifier: Apache-2.0
"""The words of a core: none is lost, doubled or changed."""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Module, Mux, Signal

from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.watch.phases import phases
from headwater.kinds.stepped.watch.plain import nothing_enters, output_word, steps_of_cycle
from headwater.kinds.stepped.watch.reference import Schedule
from headwater.prove.watcher import Watcher, aborting, begins, earlier, first_cycle


def watch_next(m: Module, core: SteppedCore, watcher: Watcher) -> None:
    """A waiting core keeps each output word until it is used. The next word is that of the state
    ``radix`` steps later. ``spec_next`` and ``spec_word`` hold, from the cycle in which the state
    moved on, the state after the waiting word, and that word."""
    cipher, schedule = watcher.cipher, Schedule.of(watcher.cipher, core)
    radix, ahead = schedule.radix, schedule.ahead
    steps = steps_of_cycle(m, core, cipher, radix + ahead)
    made, known = output_word(m, core, steps, ahead)
    seen = Signal(name="spec_seen")
    used, word = earlier(m, "used", core.word_taken), Signal.like(made, name="spec_word")
    current = Mux(core.step, made, word)
    m.d.sync += [
        seen.eq(core.running & (seen | (core.step & known)) & ~aborting(core)),
        word.eq(current),
    ]
    before = first_cycle(m)
    m.d.comb += [
        Assume(begins(watcher, before, phases(core))),
        Assume(core.loading | nothing_enters(core)),
    ]
    if watcher.by_induction:
        m.d.comb += Assert(before | ~core.running | core.step | seen)
    m.d.comb += Assert(before | ~seen | (core.step == used))
    m.d.comb += Assert(before | ~seen | (core.hold == word))
    if isinstance(core, KeystreamCore):
        offered = core.running & ((core.step & known) | seen)
        m.d.comb += Assert(before | ~offered | (core.keystream.payload == current))
    for name, value in steps.after(radix).items():
        if name in cipher.beside:
            continue
        following = Signal(len(value), name=f"spec_next_{name}")
        m.d.sync += following.eq(Mux(core.step, value, following))
        m.d.comb += Assert(before | ~seen | (steps.after(0)[name] == following))
