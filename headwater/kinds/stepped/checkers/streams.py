# SPDX-License-Identifier: Apache-2.0
"""The words of a core: none is lost, doubled or changed."""

from __future__ import annotations

from amaranth.hdl import Assert, Assume, Module, Mux, Signal, Value

from headwater.core.memory import StoredMemory
from headwater.kinds.stepped.checkers.phases import phases
from headwater.kinds.stepped.checkers.plain import nothing_enters, output_word, steps_of_cycle
from headwater.kinds.stepped.checkers.reference import Schedule, State, Steps
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.prove.checker import Proof, aborting, begins, earlier, first_cycle


def check_next(m: Module, core: SteppedCore, proof: Proof) -> None:
    """A waiting core keeps each output word until it is used. The next word is that of the state
    ``radix`` steps later."""
    schedule = Schedule.of(proof.cipher, core)
    steps = steps_of_cycle(m, core, proof.cipher, schedule.radix + schedule.ahead)
    m.d.comb += [
        Assume(begins(proof, first_cycle(m), phases(core))),
        Assume(core.loading | nothing_enters(core)),
    ]
    follow = _follow_held if core.holds else _follow_state
    follow(m, core, proof, steps, output_word(m, core, steps, schedule.ahead))


def _follow_state(
    m: Module, core: SteppedCore, proof: Proof, steps: Steps, output: tuple[Value, Value]
) -> None:
    """The state waits until its word is used."""
    word, known = output
    before, seen = first_cycle(m), earlier(m, "seen", core.running & ~aborting(core))
    m.d.comb += Assert(before | ~core.running | (core.enable == core.word_taken))
    if isinstance(core, KeystreamCore):
        offered = core.running & known
        m.d.comb += Assert(before | ~offered | (core.keystream.payload == word))
    present = steps.after(0)
    for name, value in _followed(proof.cipher, core, steps).items():
        following = earlier(m, f"next_{name}", Mux(core.word_taken, value, present[name]))
        m.d.comb += Assert(before | ~seen | (present[name] == following))


def _follow_held(
    m: Module, core: SteppedCore, proof: Proof, steps: Steps, output: tuple[Value, Value]
) -> None:
    """The state moves on while a word waits. ``spec_next`` and ``spec_word`` hold, from the cycle
    in which the state moved on, the state after the waiting word, and that word."""
    made, known = output
    before, seen = first_cycle(m), Signal(name="spec_seen")
    used, word = earlier(m, "used", core.word_taken), Signal.like(made, name="spec_word")
    current = Mux(core.step, made, word)
    m.d.sync += [
        seen.eq(core.running & (seen | (core.step & known)) & ~aborting(core)),
        word.eq(current),
    ]
    if proof.by_induction:
        m.d.comb += Assert(before | ~core.running | core.step | seen)
    m.d.comb += Assert(before | ~seen | (core.step == used))
    m.d.comb += Assert(before | ~seen | (core.hold == word))
    if isinstance(core, KeystreamCore):
        offered = core.running & ((core.step & known) | seen)
        m.d.comb += Assert(before | ~offered | (core.keystream.payload == current))
    for name, value in _followed(proof.cipher, core, steps).items():
        following = Signal(len(value), name=f"spec_next_{name}")
        m.d.sync += following.eq(Mux(core.step, value, following))
        m.d.comb += Assert(before | ~seen | (steps.after(0)[name] == following))


def _followed(cipher: SteppedCipher, core: SteppedCore, steps: Steps) -> State:
    """The registers that every step moves, a cycle later. Of memories `check_step` says that they
    move with the registers alone."""
    after = steps.after(core.facts.timeline.steps_per_cycle)
    moved = {name: value for name, value in after.items() if name not in cipher.beside}
    return {name: value for name, value in moved.items() if not isinstance(value, StoredMemory)}
