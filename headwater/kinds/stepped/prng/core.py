# SPDX-License-Identifier: Apache-2.0
"""A core that makes random bits: the cipher's core with an output register, to which seed words
are added while it runs, and which recovers from a state of zeros."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib.wiring import In, Member, Out

from headwater.core.session import Session
from headwater.kinds.stepped.controller import ComparingController, CountingController
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.prng.facts import PrngFacts
from headwater.kinds.stepped.prng.word_watch import WordWatch
from headwater.kinds.stepped.unrolled import Unrolled

_FOUND = "two words in a row were zero"


class PrngSession(Session):
    """A session that ends by `restart` alone: a word that comes after the load is mixed in."""

    restart: Value

    @property
    def reload(self) -> Value:
        """The input `restart`."""
        return self.restart


class PrngCore(SteppedCore):
    """One instance. The state moves in the setup, and then whenever new bits are asked for, a seed
    word is mixed in, or registers are locked up. So nothing moves while nobody asks."""

    facts: PrngFacts
    session_class = PrngSession
    comments: ClassVar = {
        "keystream_valid": "the output register holds bits that were not offered before a restart",
        "load_ready": "in the load, and while the cipher runs",
        "step": "the state moves, whether a load word is taken or not",
        "hold": "the output register",
        "taken": "new bits go into the output register",
        "zero_groups": "groups of 16 bits that were zero in the word before",
        "zero_before": "the word before that was zero",
        "locked": "registers that stay zero were zero in the cycle before",
        "error": "this has happened since the restart",
    }

    def __init__(self, facts: PrngFacts) -> None:
        super().__init__(facts)
        assert isinstance(self.session, PrngSession)
        self.session.restart = self.restart
        self.offered = Signal()
        self.taken = Signal()
        self.step = Signal(name="step")
        self.locked = [Signal(name=f"locked_{'_'.join(names)}") for names in facts.locking]
        self.failed = Signal()
        flags = (*self.controller.registers, *self.controls.flags.values())
        self.word_watch = WordWatch() if self.facts.by_words else None
        watching = (*self.locked, self.failed) if self.facts.watched else ()
        watching += self.word_watch.registers if self.word_watch else ()
        self.control_registers = (*flags, self.offered, *watching)

    @property
    def _controller_class(self) -> type[CountingController]:
        """A source is to be small if nothing watches its state bit by bit."""
        whole = self.facts.watched and not self.facts.by_words
        return CountingController if whole else ComparingController

    def _ports_beside(self) -> Mapping[str, Member]:
        number = self.facts.number_bits
        wide = {"number": In(number)} if number else {}
        if width := self.facts.state_width:
            wide |= {
                "state_word": In(self.facts.index_bits),
                "state_in": In(width),
                "state_out": Out(width),
            }
        return {**wide, **{name: Out(1) for name in self.facts.outputs}}

    @property
    def _load_ready(self) -> Value:
        """Words are taken in the load, and while the cipher runs."""
        session = self.session
        assert isinstance(session, PrngSession)
        return (session.loading | session.running) & ~session.restart

    def elaborate(self, platform: object) -> Module:
        """The circuit of the core."""
        m = super().elaborate(platform)
        if self.facts.state_width:
            self._read_and_write(m)
        return m

    def _read_and_write(self, m: Module) -> None:
        """Give out the words of the state, and take them. A restart is stronger than `resume`."""
        saved, width, words = Cat(*self.secrets), self.facts.state_width, list[Value]()
        for number in range(self.facts.state_words):
            word, here = saved[number * width : (number + 1) * width], self.state_word == number
            words.append(Mux(here, word, 0))
            with m.If(self.state_write & here):
                m.d.sync += word.eq(self.state_in)
        m.d.comb += self.state_out.eq(reduce(or_, words))
        over = (self.loading, *self.controls.flags.values())
        with m.If(self.resume & ~self.restart):
            m.d.sync += [self.running.eq(1), self.offered.eq(1), *(flag.eq(0) for flag in over)]
            if self.facts.watched:
                m.d.sync += self.failed.eq(self._fails | self.state_in[1])

    @property
    def resets_at_once(self) -> bool:  # type: ignore[override]
        """Whether `rst` acts at once."""
        return self.facts.reset == "async"

    @property
    def word_taken(self) -> Value:
        """Whether the output register takes new bits when the cipher runs."""
        return self.keystream.ready | ~self.offered

    def _count(self, m: Module) -> None:
        """Advance the counter by a load word or a cycle."""
        self.controller.advance(m, self.loading, self.running)
        self.controls.update(m, self._phases)

    def _offer(self, m: Module, output: Value) -> None:
        """Fill the output register, and offer what it holds."""
        m.d.comb += [
            self.taken.eq(self.running & self.word_taken),
            self.step.eq(~self.loading & ~self.running | self.taken | self._is_locked),
            self.keystream.payload.eq(self.hold),
            self.keystream.valid.eq(self.offered),
            self.ends_load.eq(self.loading & self.last_word),
        ]
        m.d.sync += self.offered.eq(self.running)
        with m.If(self.taken):
            m.d.sync += self.hold.eq(output)
        if self.facts.watched:
            self._watch(m)

    @property
    def _is_locked(self) -> Value:
        """Whether registers were found to be stuck at zero; never, where nothing watches them."""
        return Cat(*self.locked).any()

    @property
    def _fails(self) -> Value:
        """Whether this has happened since the restart."""
        return self.failed | self._is_locked

    def _watch(self, m: Module) -> None:
        """Look for registers that are stuck at zero, and tell of it."""
        m.d.comb += self.error.eq(self.failed)
        m.d.sync += self.failed.eq(self._fails)
        if self.word_watch:
            (locked,) = self.locked
            self.word_watch.connect(
                m, self.hold, taken=self.taken, offered=self.offered, found=locked
            )
            m.d.sync += locked.eq(self.word_watch.finds & ~locked)
            return
        for names, flag in self._flagged():
            content = Cat(*(self.state[name] for name in names))
            m.d.sync += flag.eq(self.running & ~content.any())

    @property
    def _word_counts(self) -> Value:
        """Only a word that is taken is mixed in."""
        return self.load_fire

    def _placed_state(self, unrolled: Unrolled) -> dict[str, Value]:
        """The registers from their load sources in the load, else from the cipher's steps, with the
        seed word added."""
        stepped = unrolled.after(self.architecture.radix)
        mixed = {name: self._mixed(name, value) for name, value in stepped.items()}
        return self._placed(mixed, self._entering_word)

    def _injected_state(self, unrolled: Unrolled) -> dict[str, Value]:
        """The registers after steps that the seed word enters."""
        stepped = super()._injected_state(unrolled)
        return {name: self._mixed(name, value) for name, value in stepped.items()}

    def _mixed(self, name: str, stepped: Value) -> Value:
        """What a register holds after a step, with the seed word added; with a one in its highest
        place if it was locked up."""
        added: list[Value] = [Const(0, 1)] * len(stepped)
        for place, source in self.facts.mixed[name].items():
            added[place] = self.load_word[source]
        mixed = stepped ^ Cat(*added) if self.facts.mixed[name] else stepped
        flags = [flag for names, flag in self._flagged() if names[0] == name]
        return mixed | Cat(Const(0, len(stepped) - 1), *flags) if flags else mixed

    def _flagged(self) -> Iterator[tuple[tuple[str, ...], Signal]]:
        """The sets of registers that lock up, each with its flag."""
        return zip(self.facts.locking, self.locked, strict=True)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        meanings = {f"locked_{'_'.join(names)}": _FOUND for names in self.facts.locking}
        return super().notes | dict(self.comments) | (meanings if self.word_watch else {})

    @property
    def _entering_word(self) -> Value:
        """The load word, with the number of the instance added to bits of its IV."""
        if not self.facts.number_bits:
            return self.load_word
        lowest = self.architecture.load_width - self.facts.number_bits
        last = self.facts.numbered_word == self.facts.timeline.load_cycles - 1
        here = self.last_word if last else self.controller.reached(0, "FIRST_WORD")
        return self.load_word ^ Mux(self.loading & here, self.number << lowest, 0)
