# SPDX-License-Identifier: Apache-2.0
"""What all stepped cores share: key and IV in, the setup, an output word in every cycle."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from amaranth.hdl import Cat, Const, Module, Mux, Value

from headwater.core.naming import named
from headwater.kinds.stepped.placing import placed_state
from headwater.kinds.stepped.registers import SteppedRegisters
from headwater.kinds.stepped.transformations.loading_copy import LoadingCopy
from headwater.kinds.stepped.unrolled import Unrolled
from headwater.kinds.stepped.unrolling import unroll


class SteppedCore(SteppedRegisters):
    """A stepped cipher at one architecture; subclasses define the use of the output.

    The core is idle until it takes the first load word, sets up by itself after the last one, and
    then makes a word of output in every cycle. Reset ends in idle. Where a load may have any
    length, ``load.last`` marks its last word.
    """

    def elaborate(self, platform: object) -> Module:
        """The circuit of the core."""
        self.printed = getattr(platform, "printed", True)
        m = Module()
        unrolled = self._unrolled(m)
        m.d.comb += self.count_enable.eq(self._counts if self.facts.waits else 1)
        self.controller.connect(m, self.loading)
        with m.If(self.count_enable):
            self._count(m)
        word = unrolled.output
        for one in self.transformations:
            word = one.output(m, self, word)
        self._offer(m, word)
        self._move_state(m, unrolled)
        self.session.connect(
            m,
            last_word=self.last_word,
            setup_over=self.last_blank,
            finished=self.finished,
            registers=self.control_registers,
            word_counts=self._word_counts,
            counts=self.count_enable,
            ready=self._load_ready,
        )
        return m

    def _unrolled(self, m: Module) -> Unrolled:
        """The steps of a cycle: one behind the other, if no transformation makes them."""
        for one in self.transformations:
            if (steps := one.steps(m, self)) is not None:
                return steps
        return unroll(
            m,
            self.cipher,
            self._held(m),
            radix=self.facts.timeline.steps_per_cycle,
            ahead=self.facts.timeline.steps_ahead,
            load_steps=self.facts.timeline.load_steps_per_cycle,
            controls=self._control_at,
            entering=self._entering,
            constants=self.constants,
            whole=self.facts.whole_sums,
            sums=self.sums,
        )

    def _held(self, m: Module) -> Mapping[str, Any]:  # noqa: ARG002
        """What a step gets by the names of the description: the registers."""
        return self.state

    @property
    def _load_ready(self) -> Value | None:
        """Whether a load word is taken; None: in every cycle of the load."""
        return None

    @abstractmethod
    def _offer(self, m: Module, output: Value) -> None:
        """Use the output word of this cycle."""

    @property
    @abstractmethod
    def word_taken(self) -> Value:
        """Whether the output word of this cycle, if there is one, is used in it."""

    def _count(self, m: Module) -> None:
        """Advance the counter by a load word or a cycle."""
        self.controller.advance(m, self.loading, self.running)
        if self.facts.waits:
            m.d.sync += self.step.eq(Mux(self.loading, self.last_word, self._steps_on))
        for one in self.transformations:
            one.count(m, self)
        self.controls.update(m, self._phases)

    @property
    def _counts(self) -> Value:
        """Whether the count goes on: a load word is taken, or the last one was. A word that comes
        later is never taken: it ends the session, which resets the count."""
        taken = self.load.valid if self.knows_past_load else self.load_fire
        return taken | self.session.past_load

    @property
    def _steps_on(self) -> Value:
        """Whether `step` is one in the cycle after this one of the setup, or of the running
        cipher."""
        if self.holds:
            return ~self.running | self.word_taken
        return ~self.running & ~self.last_blank

    def _move_state(self, m: Module, unrolled: Unrolled) -> None:
        """Each register moves in the load and in every step."""
        if self.emptying is not None:
            m.d.comb += self.emptying.eq(self.loading & ~self.load.valid)
        m.d.comb += self.enable.eq(self._moves(m) if self.facts.waits else 1)
        for one in self.transformations:
            one.move(m, self)
        after = self._injected_state(unrolled) if self.injected else self._placed_state(unrolled)
        for name, value in after.items():
            self._move_register(m, name, value)

    def _moves(self, m: Module) -> Value:
        """Whether the state moves. With four inputs this is one lookup table: while the setup runs
        `step` is one, and a load word that comes later ends the session. Of `running` and the end
        of the load, the latter leads to fewer gates. Where bits become zero in the load, on an FPGA
        by a reset, `loading` divides the enable into two parts, so that this reset needs one of
        them alone, and does not wait for the reader."""
        if self.holds:
            return self.step | self.load_fire
        if self.injected:
            later = self.session.past_load if self.knows_past_load else self.running
            return self.step | Mux(later, self.word_taken, self.load.valid)
        loads = named(m, "loads", self.loading & (self.step | self.load.valid))
        return loads | (~self.loading & (self.step | self.word_taken))

    @property
    def _word_counts(self) -> Value | None:
        """When load words are not masked: in the load, where they enter the cipher's steps."""
        if self._empties:
            return Const(1, 1)
        if not self.emptied:
            return None
        if self.facts.zeroing and self.session.shifts_zeros:
            return self.load_fire
        return self.load.valid if self.facts.timeline.decides_early else self.loading

    def _move_register(self, m: Module, name: str, value: Value) -> None:
        register = self.state[name]
        for one in self.transformations:
            register, value = one.in_flip_flops(m, name, register, value)
        with m.If(self.enable):
            m.d.sync += register.eq(value)
            for one in self.transformations:
                one.take(m, self, register)
        if any(one.empty(m, self, register) for one in self.transformations):
            return
        if self._resets(name):
            with m.If(self.abort):
                m.d.sync += register.eq(0)
        else:
            self.session.clear_at_once(m, (register,))

    def _entering(self, position: int) -> Value:
        """The bits of all lanes that enter at this position of the unrolled steps."""
        lanes, width = self.cipher.lane_count, self.facts.timeline.load_steps_per_cycle
        if position >= width:
            return Const(0, lanes)
        return Cat(self._entering_word[lane * width + position] for lane in range(lanes))

    @property
    def _entering_word(self) -> Value:
        """The load word as it enters the state."""
        return self.load_word

    @property
    def operands(self) -> dict[str, Value]:
        """The operands of the only step of a cycle, other than the registers."""
        controls = {name: self._control_at(name, 0) for name in self.cipher.controls}
        return {"entering": self._entering(0), **controls, **self.constants}

    def _control_at(self, name: str, position: int) -> Value:
        """The value of a control at this position of the unrolled steps."""
        return self.controls(name, position)

    def _injected_state(self, unrolled: Unrolled) -> dict[str, Value]:
        """The registers after the steps of a load cycle while loading, else of a whole cycle."""
        width, radix = self.facts.timeline.load_steps_per_cycle, self.facts.timeline.steps_per_cycle
        stepped, loaded = unrolled.after(radix), unrolled.after(width)
        if width == radix:
            return dict(stepped)
        return {name: Mux(self.controls.slow, loaded[name], stepped[name]) for name in self.state}

    def _placed_state(self, unrolled: Unrolled) -> dict[str, Value]:
        """The registers from their load sources while loading, else from the cipher's steps."""
        return self._placed(unrolled.after(self.architecture.radix), self._entering_word)

    def _placed(self, stepped: Mapping[str, Value], word: Value) -> dict[str, Value]:
        """The registers from their load sources while loading, else ``stepped``."""
        copy = self.transformed(LoadingCopy)
        return placed_state(
            self.facts.load_plan,
            self.state,
            stepped,
            loading=self.loading,
            copies={copy.name: copy.copy} if copy else {},
            word=word,
            one=self._loaded_one,
            emptying=self.emptying,
            radix=self.architecture.radix,
        )

    @property
    def _loaded_one(self) -> Value:
        """The constant one that a load places; zero while zeros are shifted in."""
        masked = self.session.shifts_zeros and not self._empties
        return self.load.valid if masked else Const(1)

    def _word(self, m: Module, output: Value) -> Value:
        """The word of this cycle, or the one that waits."""
        if not self.facts.waits:
            return output
        if not self.holds:
            return named(m, "word", Mux(self.running, output, 0))
        word = self.held_word(m, output)
        self.session.clear_at_once(m, (self.hold,))
        return word
