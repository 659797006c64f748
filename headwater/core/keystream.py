# SPDX-License-Identifier: Apache-2.0
"""The core of a synchronous stream cipher: key and IV in, keystream out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from headwater.cipher.description import ShiftRegisterCipher
from headwater.core.architecture import Architecture
from headwater.core.counter import counter_states, counter_taps, counter_width
from headwater.core.facts import CoreFacts
from headwater.core.loading import Constant, Source, Stage, Word, load_plan
from headwater.core.unrolling import Unrolled, unroll


class KeystreamCore(wiring.Component):
    """One shift-register cipher at one architecture.

    The core is idle until it takes the first load word, sets up by itself after the last one, and
    then offers keystream. Reset ends in idle; it resets the control only, since a load writes
    every bit of the state.

    Members
    -------
    load : In(stream of ``load_width`` bits)
        Key, then IV, first bit in payload bit 0. Where ``load_width`` does not divide the length,
        the first word is filled up: its lowest bits are ignored. Ready until the last word is
        taken. Offering a word after that is the wish to load anew: the core drops what it
        was doing, and takes the word in the next cycle.
    keystream : Out(stream of ``radix`` bits)
        The oldest bit is payload bit 0. The payload is zero while nothing is offered.
        With ``stall=none`` there is no ``ready``: once set up, every cycle gives a word; before,
        the payload holds bits of the setup, which must not be used. The load words must then
        come without a gap (after a gap the load begins again).
    clear : In(1)
        Back to idle in the next cycle, whatever the core is doing. The state is zero after
        ``facts.clear_cycles``. Absent with ``clear=none``.

    Timing: ``facts.setup_cycles`` from the first load word taken to the first keystream word
    offered, if load words come without gaps.
    """

    def __init__(self, cipher: ShiftRegisterCipher, architecture: Architecture) -> None:
        self.cipher = cipher
        self.architecture = architecture
        self.facts = CoreFacts(cipher, architecture)
        always_ready = not self.facts.waits
        keystream = stream.Signature(architecture.radix, always_ready=always_ready)
        members = {
            "load": In(stream.Signature(architecture.load_width)),
            "keystream": Out(keystream),
        }
        if architecture.clear != "none":
            members["clear"] = In(1)
        super().__init__(members)
        kept = architecture.clear != "instant"
        self.state = {
            register.name: Signal(register.length, name=register.name, reset_less=kept)
            for register in cipher.registers
        }
        self.hold = Signal(architecture.radix, reset_less=kept)
        self.count = Signal(counter_width(self.facts.setup_cycles))
        self.last_word = Signal(init=self.facts.load_cycles == 1)
        self.last_blank = Signal()
        self.loading = Signal(init=1)
        self.running = Signal()
        self.step = Signal(init=architecture.clear == "shift")
        self.load_word = Signal(architecture.load_width)
        self.taking = Signal()
        self.moves = Signal()

    @property
    def notes(self) -> dict[str, str]:
        """What the registers of the core are, by name, for comments in the Verilog."""
        return {
            register.name: f"bit 0 is stage {register.oldest}, the oldest"
            for register in self.cipher.registers
        } | {
            "load__ready": "until the last load word is taken",
            "keystream__valid": "the setup is over",
            "step": "the state moves, whatever is on load",
            "hold": "the word of the cycle before",
            "count": "load words, then blank cycles; a shift-register sequence from zero",
            "last_word": "the next load word is the last",
            "last_blank": "this is the last blank cycle",
            "load_word": "the load word, or zeros to clear the state with",
            "taking": "a load word is taken",
            "counts": "the count goes on",
            "drop": "the present keystream ends",
            "moves": "the state moves",
        }

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit, as Amaranth asks for it."""
        m = Module()
        radix, ahead = self.architecture.radix, self.facts.steps_ahead
        unrolled = unroll(m, self.cipher, self.state, radix=radix, ahead=ahead)
        self._control(m)
        self._move_state(m, unrolled)
        self._offer(m, unrolled.output)
        return m

    def _control(self, m: Module) -> None:
        """Count load words, then blank cycles: `loading` until the ones are over, `running` after
        both.

        The last of each is recognised one count ahead and registered, so that no wide comparison
        stands before a flag that drives many gates.
        """
        states = counter_states(len(self.count), self.facts.setup_cycles)
        tapped = Cat(self.count[tap] for tap in counter_taps(len(self.count)))
        counts = Signal()
        drop = Signal()
        m.d.comb += [
            self.load.ready.eq(self.loading),
            counts.eq(self.taking | ~self.loading if self.facts.waits else 1),
            drop.eq(self._ends | self._clear),
        ]
        with m.If(drop):
            for control in self._control_registers:
                m.d.sync += control.eq(control.init)
        with m.Elif(counts):
            m.d.sync += [
                self.count.eq(Cat(~tapped.xor(), self.count[:-1])),
                self.last_blank.eq(self._counted_to(states[-2])),
                self.loading.eq(self.loading & ~self.last_word),
                self.running.eq(self.running | self.last_blank),
            ]
            if self.facts.load_cycles > 1:
                m.d.sync += self.last_word.eq(self._counted_to(states[self.facts.load_cycles - 2]))
            if self.facts.waits:
                go_on = ~self.running | self.keystream.ready
                m.d.sync += self.step.eq(Mux(self.loading, self.last_word, go_on))

    @property
    def _ends(self) -> Value:
        """Whether the load stream ends what the core does: by the wish to load anew, and in a
        core that cannot wait also by a gap in a load."""
        if self.facts.waits:
            return ~self.loading & self.load.valid
        return self.loading != self.load.valid

    @property
    def _control_registers(self) -> tuple[Signal, ...]:
        counting = (self.count, self.last_word, self.last_blank)
        return *counting, self.loading, self.running, self.step

    def _counted_to(self, state: int) -> Value:
        return self.count == Const(state, len(self.count))

    @property
    def _clear(self) -> Value:
        return Const(0) if self.architecture.clear == "none" else self.clear

    def _move_state(self, m: Module, unrolled: Unrolled) -> None:
        """Each register takes its load sources while loading, then the cipher's steps."""
        m.d.comb += [
            self.taking.eq(self.loading & self.load.valid),
            self.load_word.eq(Mux(self.load.valid, self.load.payload, 0)),
            self.moves.eq(self.step | self.taking if self.facts.waits else 1),
        ]
        plan = load_plan(self.cipher, self.architecture.load_width)
        for name, sources in plan.items():
            register = self.state[name]
            after = Cat(*self._next_bits(name, sources, unrolled))
            with m.If(self.moves):
                m.d.sync += register.eq(after)
            if self.architecture.clear == "instant":
                with m.If(self._clear):
                    m.d.sync += register.eq(0)

    def _next_bits(
        self, name: str, sources: tuple[Source, ...], unrolled: Unrolled
    ) -> Iterator[Value]:
        """A register's next content in runs of bits, multiplexed only where loading and stepping
        take them from different places."""
        radix = self.architecture.radix

        def steps_from_there(place: int) -> bool:
            return sources[place] == Stage(name, place + radix)

        for same, run in groupby(range(len(sources)), steps_from_there):
            places = list(run)
            stepped = unrolled.state[name][places[0] : places[-1] + 1]
            loaded = Cat(*(self._loaded_bit(sources[place]) for place in places))
            yield stepped if same else Mux(self.loading, loaded, stepped)

    def _loaded_bit(self, source: Source) -> Value:
        """What a source gives in a load cycle, or zero in a cycle that shifts zeros in."""
        masked = self.architecture.clear == "shift"
        word, one = (self.load_word, self.load.valid) if masked else (self.load.payload, Const(1))
        match source:
            case Word(bit):
                return word[bit]
            case Stage(register, place):
                return self.state[register][place]
            case Constant(value):
                return one if value else Const(0)

    def _offer(self, m: Module, output: Value) -> None:
        """Offer a keystream word in every cycle once the setup is over."""
        m.d.comb += [
            self.keystream.valid.eq(self.running),
            self.keystream.payload.eq(self._word(m, output)),
        ]

    def _word(self, m: Module, output: Value) -> Value:
        """The keystream word of this cycle: a new one when the state moves, else the held one.

        The state moves on the register `step`, so it has moved by the time a reader's refusal is
        known; the word it moved from waits in `hold`. Zero before the setup is over: no bit of
        the setup leaves the core. A free-running core is kept bare: its reader must mind `valid`.
        """
        if not self.facts.waits:
            return output
        word = Signal(len(output))
        m.d.comb += word.eq(Mux(self.running, Mux(self.step, output, self.hold), 0))
        m.d.sync += self.hold.eq(word)
        if self.architecture.clear == "instant":
            with m.If(self._clear):
                m.d.sync += self.hold.eq(0)
        return word
