# SPDX-License-Identifier: Apache-2.0
"""The registers of a stepped core: state, count and flags of the setup, and what decides a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TypeVar

from amaranth.hdl import Const, Module, Signal, Value

from headwater.core.component import Core
from headwater.core.memory import StoredMemory
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.controller import (
    CountingController,
    SetupController,
    ShiftingController,
)
from headwater.kinds.stepped.controls import ControlSignals, Phases
from headwater.kinds.stepped.description import Injected, SteppedCipher
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.sums import AS_DESCRIBED, Sums, names_of_sums, shorter_sums
from headwater.kinds.stepped.timeline import retiming_of
from headwater.kinds.stepped.transformations.ahead import AHEAD
from headwater.kinds.stepped.transformations.delayed import Delayed
from headwater.kinds.stepped.transformations.early import Early
from headwater.kinds.stepped.transformations.loading_copy import LoadingCopy
from headwater.kinds.stepped.transformations.retimed import Retimed
from headwater.kinds.stepped.transformations.sums_ahead import SumsAhead
from headwater.kinds.stepped.transformations.surplus import Surplus
from headwater.kinds.stepped.transformations.transformation import Transformation
from headwater.kinds.stepped.transformations.zeroed_load import ZeroedLoad
from headwater.kinds.stepped.unrolling import constants_of
from headwater.kinds.stepped.word_cipher import Entered

Kind = TypeVar("Kind", bound=Transformation)


class SteppedRegisters(Core):
    """The registers of a stepped core; `headwater.kinds.stepped.core` has the circuit."""

    cipher: SteppedCipher
    facts: SteppedFacts
    message_phases: Value = Const(1, 1)
    """An invariant, in every reachable state, of the registers that follow a message."""
    tag_words: int = 0
    """Words of the tag after a message; zero where the output is keystream."""
    memories_empty: Value | None = None
    """Of a core with memories: whether they are zero, so that a load is taken, or a session has
    begun."""
    holds: bool = True
    """Whether a core that waits decides a cycle ahead that the state moves, and holds the word that
    is not taken. If not, the state itself waits until its word is taken."""

    def __init__(self, facts: SteppedFacts) -> None:
        load = facts.cipher.load
        self.injected = isinstance(load, Injected)
        self.emptied = self.injected and not isinstance(load, Entered)
        super().__init__(facts)
        self._make_registers()

    @property
    def held_bits(self) -> int:
        """Bits of the output word that is held."""
        return self.architecture.radix

    def _make_registers(self) -> None:
        self._make_state()
        self._make_control()
        self._make_steps()
        hold = (self.hold,) if self.facts.waits and self.holds else ()
        added = self.transformations
        whole = (one for one in self.state.values() if isinstance(one, Signal))
        self.secrets = (*whole, *hold, *chain(*(one.secrets for one in added)))
        counts = (*self.controller.registers, *self.controls.flags.values())
        self.control_registers = (*counts, self.step, *chain(*(one.flags for one in added)))

    def _make_state(self) -> None:
        """The registers of the cipher, and of output bits that wait."""
        timeline, kept = self.facts.timeline, self.session.keeps_secrets
        self._lasting = {
            register.name
            for register in self.cipher.registers
            if register.setup_only and not register.from_zero and self.architecture.clear == "none"
        }
        """Registers that keep their content from one setup to the next."""
        self.state: dict[str, Value] = {
            register.name: Signal(
                register.length,
                name=register.name,
                reset_less=timeline.decides_early or (kept and not self._resets(register.name)),
            )
            for register in self.cipher.registers
        }
        plan, registers = self.facts.delays, self.cipher.registers
        self.delayed = Delayed(plan, registers, kept=kept) if plan else None
        if self.delayed:
            self.state |= self.delayed.seen
        self.hold = Signal(self.held_bits, reset_less=kept)

    def _make_control(self) -> None:
        """The count of load words and cycles, and what it leads to."""
        timeline = self.facts.timeline
        last_mark = self.load.last if self.cipher.any_length else None
        self.controller = self._controller_class(timeline, last_mark, self.tag_words)
        self.count = self.controller.count
        self.last_word, self.last_blank = self.controller.last_word, self.controller.last_blank
        # An idle core moves zeros in, or empties registers that no reset does.
        resets = self.emptied and not self.facts.zeroing
        shifts = self.session.shifts_zeros and not resets
        self.step = Signal(init=self.facts.waits if timeline.decides_early else shifts)
        self.controls = self._make_controls()
        self.enable = Signal()
        self.emptying = Signal(name="emptying") if self._empties else None
        self.count_enable = Signal()
        self.controls.connect(self._phases)

    def _make_steps(self) -> None:
        """What makes the steps of a cycle, and what transforms it."""
        self.constants = constants_of(self.cipher)
        self.transformations = tuple(self._transformed())

    def _transformed(self) -> Iterator[Transformation]:
        """The transformations of the plain core, in order."""
        facts, kept = self.facts, self.session.keeps_secrets
        timeline = facts.timeline
        if self.delayed:
            yield self.delayed
        if timeline.surplus_bits:
            yield Surplus(timeline.surplus_bits, kept=kept)
        if retiming := retiming_of(self.cipher, self.architecture):
            assert isinstance(self.cipher, ShiftRegisterCipher)
            yield Retimed(self.cipher, retiming, kept=kept)
        if timeline.decides_early:
            assert isinstance(self.cipher, ClockedCipher)
            yield Early(self.cipher, kept=kept)
        if self.architecture["form"] == AHEAD:
            widths = self.architecture.radix, self.architecture.load_width
            assert isinstance(self.cipher, ShiftRegisterCipher)
            yield SumsAhead(self.cipher, *widths, kept=kept)
        if facts.zeroing:
            yield ZeroedLoad(facts.zeroing)
        if self.knows_past_load and facts.far_loaded:
            yield LoadingCopy(facts.far_loaded)

    def memories(self, m: Module) -> Mapping[str, StoredMemory]:  # noqa: ARG002
        """Each memory, for a checker: none, if a subclass has none."""
        return {}

    def transformed(self, by: type[Kind]) -> Kind | None:
        """The transformation of this class, if the core has it."""
        return next((one for one in self.transformations if isinstance(one, by)), None)

    def _resets(self, name: str) -> bool:
        """Whether a register of the state becomes zero with an abort."""
        return self.emptied and not self.facts.zeroing and name not in self._lasting

    def _make_controls(self) -> ControlSignals:
        return ControlSignals(self.facts.timeline)

    @property
    def _controller_class(self) -> type[CountingController]:
        if self.architecture["controller"] != "counter":
            return ShiftingController
        return SetupController if self.facts.waits else CountingController

    @property
    def driving(self) -> Mapping[str, str]:
        """The registers of the control, and the wires that lead from it to the state."""
        registers = (*self.session.registers, *self.control_registers)
        emptying = (self.emptying,) if self.emptying is not None else ()
        early = self.transformed(Early)
        masked = early.masked.values() if early else ()
        wires = (self.load_word, self.enable, *emptying, *masked)
        names = [one.name for one in (*registers, *wires)]
        # A port must not be named as a function of C, in which tools simulate Verilog.
        return {name: name for name in names} | {"session_ends": self.abort.name}

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
        return (
            super().notes
            | self._notes_of_sums
            | {register.name: top.format(register.oldest) for register in self.cipher.registers}
            | {
                "load_last": "this load word is the last",
                "step": "the state moves, whether a load word is taken or not",
                "hold": "the output word of the cycle before",
                **self.controller.notes,
                "count_enable": "the count of load words and blank cycles goes on",
                "enable": "the state moves",
                "session_ends": "the session ends, and the state becomes zero",
                "emptying": "zeros enter, as the core is idle",
                **dict(chain(*(one.notes.items() for one in self.transformations))),
            }
        )

    @property
    def sums(self) -> Sums:
        """How the sums that a step names are written."""
        if not isinstance(self.cipher, ShiftRegisterCipher):
            return AS_DESCRIBED
        ahead = self.transformed(SumsAhead)
        return ahead.sums if ahead else Sums(shorter_sums(self.cipher))

    @property
    def _notes_of_sums(self) -> dict[str, str]:
        if not isinstance(self.cipher, ShiftRegisterCipher):
            return {}
        names, shorter = names_of_sums(self.cipher), self.sums.written.keys() - self.sums.started
        return {names[place]: "the description's sum, written shorter" for place in shorter}

    @property
    def _empties(self) -> bool:
        """Whether an idle core resets the state bits that take load words: then no load word is
        masked, which would be a further input of their logic."""
        placed = not self.injected and not self.holds
        return placed and self.facts.waits and self.session.shifts_zeros

    @property
    def _phases(self) -> Phases:
        waits = self.facts.waits and not self.holds
        goes_on = self.running & self.enable if waits else self.running
        return Phases(self.loading, self.running, self._ends_cycle, goes_on, waits)

    def _ends_cycle(self, cycle: int) -> Value:
        """Whether this is cycle ``cycle`` of the timeline; see `Timeline.wave`."""
        return self.controller.ends(cycle, self.loading)
