# SPDX-License-Identifier: Apache-2.0
"""What all stepped cores share: key and IV in, the setup, an output word in every cycle."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.core.component import Core
from headwater.core.naming import named
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.controller import CountingController, ShiftingController
from headwater.kinds.stepped.controls import ControlSignals, Phases
from headwater.kinds.stepped.description import Injected, SteppedCipher
from headwater.kinds.stepped.early import EarlySteps
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.placing import placed_state
from headwater.kinds.stepped.retimed import RetimedSteps
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.timeline import retiming_of
from headwater.kinds.stepped.unrolling import Unrolled, constants_of, unroll
from headwater.kinds.stepped.word_cipher import Entered


class SteppedCore(Core):
    """A stepped cipher at one architecture; subclasses define the use of the output.

    The core is idle until it takes the first load word, sets up by itself after the last one, and
    then makes a word of output in every cycle. Reset ends in idle. Where a load may have any
    length, ``load.last`` marks its last word.
    """

    cipher: SteppedCipher
    facts: SteppedFacts
    message_phases: Value = Const(1, 1)
    """An invariant, in every reachable state, of the registers that follow a message."""
    tag_words: int = 0
    """Words of the tag after a message; zero where the output is keystream."""
    holds: bool = True
    """Whether a core that waits decides a cycle ahead that the state moves, and holds the word that
    is not taken. If not, the state itself waits until its word is taken."""

    def __init__(self, facts: SteppedFacts) -> None:
        load = facts.cipher.load
        self.injected = isinstance(load, Injected)
        self.emptied = self.injected and not isinstance(load, Entered)
        super().__init__(facts)
        self._make_registers()

    def _make_registers(self) -> None:
        self._make_state()
        self._make_control()
        self._make_steps()
        pipeline = self.retimed.pipeline.values() if self.retimed else ()
        decided = self.early.decided.values() if self.early else ()
        hold = (self.hold,) if self.facts.waits and self.holds else ()
        behind = (self.surplus,) if len(self.surplus) else ()
        self.secrets = (*self.state.values(), *hold, *behind, *pipeline, *decided)
        counts = (*self.controller.registers, *self.controls.flags.values())
        fresh = self.retimed.flags if self.retimed else ()
        emptied = (self.early.emptied,) if self.early else ()
        copies = self.loading_copies.values()
        self.control_registers = (*counts, self.step, *fresh, *emptied, *copies)

    def _make_state(self) -> None:
        """The registers of the cipher, and of output bits that wait."""
        timeline, kept = self.facts.timeline, self.session.keeps_secrets
        self._lasting = {register.name for register in self.cipher.registers
                         if register.setup_only and not register.from_zero}  # fmt: skip
        """Registers that may keep their content from one setup to the next."""
        self.state = {
            register.name: Signal(
                register.length,
                name=register.name,
                reset_less=timeline.decides_early
                or (kept and (register.name in self._lasting or not self.emptied)),
            )
            for register in self.cipher.registers
        }
        self.hold = Signal(self.architecture.radix, reset_less=kept)
        self.surplus = Signal(timeline.surplus_bits, reset_less=kept)

    def _make_control(self) -> None:
        """The count of load words and cycles, and what it leads to."""
        timeline = self.facts.timeline
        last_mark = self.load.last if self.cipher.any_length else None
        counting = self.architecture["controller"] == "counter"
        controller = CountingController if counting else ShiftingController
        self.controller = controller(timeline, last_mark, self.tag_words)
        self.count = self.controller.count
        self.last_word, self.last_blank = self.controller.last_word, self.controller.last_blank
        # An idle core moves zeros in, or empties registers that no reset does.
        shifts = self.session.shifts_zeros and not self.emptied
        self.step = Signal(init=self.facts.waits if timeline.decides_early else shifts)
        self.controls = self._make_controls()
        self.loading_copies: dict[str, Signal] = {}
        """By name of a register of the state: the `loading` that it has for itself. It is made from
        itself, so that no synthesis takes both for one."""
        if self.knows_past_load and self.facts.far_loaded:
            self.loading_copies[self.facts.far_loaded] = Signal(init=1, name="loading_copy")
        self.enable = Signal()
        self.emptying = Signal(name="emptying") if self._empties else None
        self.count_enable = Signal()
        self.controls.connect(self._phases)

    def _make_steps(self) -> None:
        """What makes the steps of a cycle, where they are not simply one behind the other."""
        kept = self.session.keeps_secrets
        self.constants = constants_of(self.cipher)
        made = retiming_of(self.cipher, self.architecture)
        self.retimed = None
        if made:
            assert isinstance(self.cipher, ShiftRegisterCipher)
            self.retimed = RetimedSteps(self.cipher, made, kept=kept)
        self.early = None
        if self.facts.timeline.decides_early:
            assert isinstance(self.cipher, ClockedCipher)
            self.early = EarlySteps(self.cipher, kept=kept)

    def _make_controls(self) -> ControlSignals:
        return ControlSignals(self.facts.timeline)

    knows_idle = False
    """No: an idle core shifts zeros in while no load word is there."""

    @property
    def knows_past_load(self) -> bool:
        """Whether the core has a register for the end of the load: where it waits, and a step of
        single bits is shorter than the path from `loading`, but for a step that is decided early,
        which leaves the path from `loading` short enough."""
        return self.facts.waits and not (self.holds or self.facts.timeline.decides_early)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        top = "bit 0 is stage {}, the oldest"
        if not isinstance(self.cipher, ShiftRegisterCipher):
            top = "bit 0 is the stage where bits enter"
        return super().notes | {
            register.name: top.format(register.oldest) for register in self.cipher.registers
        } | {
            "load__last": "this load word is the last",
            "step": "the state moves, whether a load word is taken or not",
            "hold": "the output word of the cycle before",
            "surplus": "the last output bits of the cycle before, with which a word begins",
            "count": "load words, then blank cycles; a shift-register sequence from zero",
            "last_word": "the next load word is the last",
            "last_blank": "this is the last blank cycle",
            "loading_copy": "as loading, which alone would drive too many gates",
            "count_enable": "the count of load words and blank cycles goes on",
            "enable": "the state moves",
            "emptying": "zeros enter, as the core is idle",
            "emptied": "the core was idle in the cycle before, and the load begins from zeros",
        }  # fmt: skip

    def elaborate(self, platform: object) -> Module:  # noqa: ARG002
        """The circuit of the core."""
        m = Module()
        unrolled = self._unrolled(m)
        m.d.comb += self.count_enable.eq(self._counts if self.facts.waits else 1)
        with m.If(self.count_enable):
            self._count(m)
        self._offer(m, self._from_surplus(m, unrolled.output))
        self._move_state(m, unrolled)
        self.session.connect(
            m, last_word=self.last_word, setup_over=self.last_blank, finished=self.finished,
            registers=self.control_registers, word_counts=self._word_counts,
            counts=self.count_enable,
        )  # fmt: skip
        return m

    def _unrolled(self, m: Module) -> Unrolled:
        """The steps of a cycle."""
        if self.retimed:
            return self.retimed.unroll(m, self.state, self.controls)
        if self.early:
            return self.early.unroll(
                m, self.state, self._operands, enable=self.enable, begun=self.count_enable
            )
        return unroll(
            m,
            self.cipher,
            self.state,
            radix=self.facts.timeline.steps_per_cycle,
            ahead=self.facts.timeline.steps_ahead,
            load_steps=self.facts.timeline.load_steps_per_cycle,
            controls=self._control_at,
            entering=self._entering,
            constants=self.constants,
            whole=self.facts.whole_sums,
        )

    @abstractmethod
    def _offer(self, m: Module, output: Value) -> None:
        """Use the output word of this cycle."""

    @property
    @abstractmethod
    def word_taken(self) -> Value:
        """Whether the output word of this cycle, if there is one, is used in it."""

    @property
    def _phases(self) -> Phases:
        waits = self.facts.waits and not self.holds
        goes_on = self.running & self.enable if waits else self.running
        return Phases(self.loading, self.running, self._ends_cycle, goes_on, waits)

    def _ends_cycle(self, cycle: int) -> Value:
        """Whether this is cycle ``cycle`` of the timeline; see `Timeline.wave`."""
        return self.controller.ends(cycle, self.loading)

    def _count(self, m: Module) -> None:
        """Advance the counter by a load word or a cycle."""
        self.controller.advance(m, self.loading, self.running)
        if self.facts.waits:
            m.d.sync += self.step.eq(Mux(self.loading, self.last_word, self._steps_on))
        m.d.sync += [copy.eq(copy & ~self.last_word) for copy in self.loading_copies.values()]
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
        m.d.comb += self.enable.eq(self.step | self._moves if self.facts.waits else 1)
        if self.retimed:
            self._move_retimed(m, self.retimed)
        after = self._injected_state(unrolled) if self.injected else self._placed_state(unrolled)
        for name, value in after.items():
            self._move_register(m, name, value)

    @property
    def _moves(self) -> Value:
        """What moves the state beside `step`. With four inputs the enable is one lookup table:
        while the setup runs `step` is one, and a load word that comes later ends the session. Of
        `running` and the end of the load, the latter leads to fewer gates."""
        if self.holds:
            return self.load_fire
        later = self.session.past_load if self.knows_past_load else self.running
        return Mux(later, self.word_taken, self.load.valid)

    @property
    def _empties(self) -> bool:
        """Whether an idle core resets the state bits that take load words: then no load word is
        masked, which would be a further input of their logic."""
        placed = not self.injected and not self.holds
        return placed and self.facts.waits and self.session.shifts_zeros

    @property
    def _word_counts(self) -> Value | None:
        """When load words are not masked: in the load, where they enter the cipher's steps. A
        free-running core has no mask, as it would be in its longest path: its loader must give
        zeros afterwards."""
        if self._empties:
            return Const(1, 1)
        if not self.emptied:
            return None
        if not self.facts.waits:
            return Const(1, 1)
        return self.load.valid if self.early else self.loading

    def _move_retimed(self, m: Module, retimed: RetimedSteps) -> None:
        with m.If(self.enable):
            retimed.move(m, self.controls, self.loading)
        self.session.clear_at_once(m, retimed.pipeline.values())

    def _move_register(self, m: Module, name: str, value: Value) -> None:
        register = self.state[name]
        with m.If(self.enable):
            m.d.sync += register.eq(value)
        dropped = self.architecture.clear != "none" or name not in self._lasting
        if self.early:
            return
        if self.emptied and dropped:
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
    def _operands(self) -> dict[str, Value]:
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
        loading = dict.fromkeys(self.state, self.loading) | self.loading_copies
        return placed_state(
            self.facts.load_plan, self.state, stepped, loading=loading, word=word,
            one=self._loaded_one, emptying=self.emptying, radix=self.architecture.radix,
        )  # fmt: skip

    @property
    def _loaded_one(self) -> Value:
        """The constant one that a load places; zero while zeros are shifted in."""
        masked = self.session.shifts_zeros and not self._empties
        return self.load.valid if masked else Const(1)

    def _from_surplus(self, m: Module, output: Value) -> Value:
        """The output as words: each begins with the bits that were kept in the cycle before."""
        if not len(self.surplus):
            return output
        fresh = len(output) - len(self.surplus)
        with m.If(self.enable):
            m.d.sync += self.surplus.eq(output[fresh:])
        self.session.clear_at_once(m, (self.surplus,))
        return Cat(self.surplus, output[:fresh])

    def _word(self, m: Module, output: Value) -> Value:
        """The word of this cycle, or the one that waits."""
        if not self.facts.waits:
            return output
        if not self.holds:
            return named(m, "word", Mux(self.running, output, 0))
        word = self.held_word(m, output)
        self.session.clear_at_once(m, (self.hold,))
        return word
