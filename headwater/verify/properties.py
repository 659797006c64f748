# SPDX-License-Identifier: Apache-2.0
"""What a keystream core promises, each promise as a circuit that watches a core and asserts.

Registers of a watcher are named ``spec_...``: only those start from a known value. The registers of
the core start with any content, as after power-up. So a property over a few cycles is shown for
every state, and one that is shown by induction, from a reset on, for runs of any length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from amaranth.hdl import Array, Assert, Assume, Cat, Const, Module, ResetSignal, Signal, Value
from amaranth.lib.wiring import Component, In

from headwater.cipher.description import ShiftRegisterCipher
from headwater.core.counter import counter_states
from headwater.core.facts import CoreFacts
from headwater.core.keystream import KeystreamCore
from headwater.core.unrolling import unroll


class Watcher(Component):
    """A core with all its inputs free, and the assertions of one property on it.

    Parameters
    ----------
    core
        The core under watch.
    cipher
        The cipher that it is to be.
    watch
        Adds registers and assertions to the module; reads the core's signals.
    by_induction
        Whether the proof is by induction, and wants to know more of the state than the promise.
    """

    def __init__(
        self,
        core: KeystreamCore,
        cipher: ShiftRegisterCipher,
        watch: Callable[[Module, KeystreamCore, Watcher], None],
        *,
        by_induction: bool,
    ) -> None:
        self.cipher = cipher
        self.by_induction = by_induction
        self._core = core
        self._watch = watch
        super().__init__(
            {
                "load_payload": In(core.architecture.load_width),
                "load_valid": In(1),
                "keystream_ready": In(1),
                "clear": In(1),
            }
        )

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit, as Amaranth asks for it."""
        m = Module()
        core = self._core
        m.submodules.core = core
        m.d.comb += [core.load.payload.eq(self.load_payload), core.load.valid.eq(self.load_valid)]
        if core.facts.waits:
            m.d.comb += core.keystream.ready.eq(self.keystream_ready)
        if core.architecture.clear != "none":
            m.d.comb += core.clear.eq(self.clear)
        self._watch(m, core, self)
        return m

    def drop(self, core: KeystreamCore) -> Value:
        """Whether something ends the present keystream in this cycle."""
        ended = ResetSignal() | ~core.loading & self.load_valid
        return ended | self.clear if core.architecture.clear != "none" else ended


@dataclass(frozen=True)
class Property:
    """One promise.

    Members
    -------
    name, meaning : str
    watch : function
        See `Watcher`.
    cycles : function of the core's facts
        Cycles within which a core that breaks the promise can be caught.
    by_induction : bool
        Whether it is shown for runs of any length, or for all states and ``cycles`` cycles.
    applies : function of the core's facts
        Whether a core of that architecture makes this promise.
    """

    name: str
    meaning: str
    watch: Callable[[Module, KeystreamCore, Watcher], None]
    cycles: Callable[[CoreFacts], int]
    by_induction: bool
    applies: Callable[[CoreFacts], bool]


def _phases(core: KeystreamCore) -> Value:
    """What is true of the phase flags in every state that can be reached: ``setup`` shows it."""
    return ~core.running | ~core.loading


def _watch_step(m: Module, core: KeystreamCore, watcher: Watcher) -> None:
    """One cycle of the core is ``radix`` readings of the step, one bit each."""
    cipher, radix = watcher.cipher, core.architecture.radix
    ahead = CoreFacts(cipher, core.architecture).steps_ahead
    state: dict[str, Value] = dict(core.state)
    outputs, moved = [], state
    for number in range(radix + ahead):
        single = unroll(m, cipher, state, radix=1)
        state = {}
        for name, value in single.state.items():
            state[name] = Signal(len(value), name=f"{name}_after_{number + 1}")
            m.d.comb += state[name].eq(value)
        outputs.append(single.output)
        if number + 1 == radix:
            moved = state
    m.d.comb += Assume(_phases(core))
    steps = Signal(name="spec_steps")
    m.d.sync += steps.eq(~core.loading & core.moves & ~watcher.drop(core))
    for name, value in moved.items():
        expected = Signal(len(value), name=f"spec_{name}")
        m.d.sync += expected.eq(value)
        m.d.comb += Assert(~steps | (core.state[name] == expected))
    offers = core.running & core.moves
    m.d.comb += Assert(~offers | (core.keystream.payload == Cat(outputs[ahead:])))


def _watch_setup(m: Module, core: KeystreamCore, watcher: Watcher) -> None:
    """Keystream is offered exactly when all load words and all blank cycles have passed.

    Counted in binary beside the core. For the induction it is asserted as well that the core's
    counter walks in step with this count; without it, one undisturbed run is followed.
    """
    meant = CoreFacts(watcher.cipher, core.architecture)
    load_cycles, blank_cycles = meant.load_cycles, meant.blank_cycles
    words = Signal(range(load_cycles + 1), name="spec_words")
    blanks = Signal(range(blank_cycles + 1), name="spec_blanks")
    before = Signal(init=1, name="spec_before_reset", reset_less=True)
    m.d.sync += before.eq(0)
    m.d.comb += [Assume(~before | ResetSignal()), Assert(before | _phases(core))]
    all_words, all_blanks = words == load_cycles, blanks == blank_cycles
    with m.If(~all_words):
        with m.If(watcher.load_valid):
            m.d.sync += words.eq(words + 1)
        if not core.facts.waits:
            with m.Else():
                m.d.sync += words.eq(0)
    with m.Elif(~all_blanks):
        m.d.sync += blanks.eq(blanks + 1)
    with m.If(watcher.drop(core)):
        m.d.sync += [words.eq(0), blanks.eq(0)]
    m.d.comb += Assert(before | (core.keystream.valid == (all_words & all_blanks)))
    if not watcher.by_induction:
        undisturbed = (ResetSignal() == before) & (watcher.load_valid == core.loading)
        m.d.comb += Assume(undisturbed & ~watcher.clear)
        return
    counted = words + blanks
    last_count = load_cycles + blank_cycles - 1
    states = counter_states(len(core.count), last_count + 2)
    in_step = Array(Const(state, len(core.count)) for state in states)[counted]
    m.d.comb += [
        Assert(before | (core.loading != all_words)),
        Assert(before | all_blanks | (core.count == in_step)),
        Assert(before | all_words | (core.last_word == (words == load_cycles - 1))),
        Assert(before | all_blanks | (core.last_blank == (counted == last_count))),
        Assert((words <= load_cycles) & (blanks <= blank_cycles)),
        Assert(all_words | (blanks == 0)),
    ]


def _watch_hold(m: Module, core: KeystreamCore, watcher: Watcher) -> None:
    """A word that is offered and not taken is offered again, unless the keystream is ended."""
    m.d.comb += Assume(_phases(core))
    waits = Signal(name="spec_waits")
    word = Signal(core.architecture.radix, name="spec_word")
    m.d.sync += [
        waits.eq(core.keystream.valid & ~watcher.keystream_ready & ~watcher.drop(core)),
        word.eq(core.keystream.payload),
    ]
    with m.If(waits):
        m.d.comb += [Assert(core.keystream.valid), Assert(core.keystream.payload == word)]


def _watch_clear(m: Module, core: KeystreamCore, watcher: Watcher) -> None:
    """From any state: ``clear_cycles`` after clear, with nothing loaded, no bit of it is left."""
    cycles = core.facts.clear_cycles or 0
    age = Signal(range(cycles + 1), name="spec_age")
    m.d.sync += age.eq(age + 1)
    m.d.comb += [
        Assume(~ResetSignal()),
        Assume(watcher.clear == (age == 0)),
        Assume((age == 0) | ~watcher.load_valid),
    ]
    secrets = [*core.state.values(), *([core.hold] if core.facts.waits else [])]
    with m.If(age == cycles):
        m.d.comb += Assert(Cat(secrets) == 0)
        m.d.comb += Assert(~core.keystream.valid)


def _next_cycle(_facts: CoreFacts) -> int:
    return 2


def _always(_facts: CoreFacts) -> bool:
    return True


PROPERTIES = (
    Property(
        "step",
        "one cycle moves the state, and gives the word, of as many single steps as the radix",
        _watch_step,
        cycles=_next_cycle,
        by_induction=False,
        applies=_always,
    ),
    Property(
        "setup",
        "no keystream word is offered before the setup ends, and the first one exactly then",
        _watch_setup,
        cycles=lambda facts: facts.setup_cycles + 2,
        by_induction=True,
        applies=_always,
    ),
    Property(
        "hold",
        "an offered word holds until it is taken",
        _watch_hold,
        cycles=_next_cycle,
        by_induction=False,
        applies=lambda facts: facts.waits,
    ),
    Property(
        "clear",
        "clear leaves no bit of the state behind",
        _watch_clear,
        cycles=lambda facts: (facts.clear_cycles or 0) + 1,
        by_induction=False,
        applies=lambda facts: facts.clear_cycles is not None,
    ),
)
