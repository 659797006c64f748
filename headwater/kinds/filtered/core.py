# SPDX-License-Identifier: Apache-2.0
"""The core of a filtered LFSR: the LFSR, its inverters, and delayed bits."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value

from headwater.core.naming import named
from headwater.kinds.filtered.datapath import Datapath, delayed
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.filtered.facts import FilteredFacts
from headwater.kinds.stepped.core import SteppedCore
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.kinds.stepped.placing import placed_state
from headwater.kinds.stepped.unrolled import Unrolled


class FilteredSteps(SteppedCore):
    """The LFSR and its inverters; subclasses define the use of the output."""

    cipher: FilteredLfsr
    facts: FilteredFacts

    def _make_registers(self) -> None:
        super()._make_registers()
        pace = self.facts.pace
        kept = self.session.keeps_secrets
        self.state = {
            register.name: self.state[register.name]
            for register in self.cipher.registers
            if not register.setup_only
        }
        self.waiting = {
            bit: Signal(len(pace.waiting(bit)), name=f"waiting_{bit}")
            for bit in range(self.cipher.bits)
            if pace.waiting(bit)
        }
        """By bit of an inverse: delayed bits that have still to be injected into the LFSR."""
        self.lag = Signal(pace.lag, name="lag", reset_less=kept) if pace.lag else None
        self.control_registers += tuple(self.waiting.values())
        self.secrets = (*self.state.values(), *((self.hold,) if self.facts.waits else ()))

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return super().notes | {
            self.lfsr.name: "the LFSR: bit i is cell i",
            f"{self.lfsr.name}_in": "what enters the LFSR, step by step",
            "narrow": "a cycle makes the steps of the setup only",
            "filtered": "output bits, before they wait for their words",
            "lag": "output bits of earlier cycles",
            "keystream_word": "output bits of the word that is due",
            **{
                f"waiting_{bit}": f"bits {bit} of inverses that have still to enter"
                for bit in self.waiting
            },
        }

    @property
    def lfsr(self) -> Signal:
        """The LFSR."""
        return self.state[self.cipher.lfsr.name]

    @property
    def narrow(self) -> Value:
        """Whether a cycle makes steps of the setup."""
        return self.controls("narrow", 0)

    def _unrolled(self, m: Module) -> Unrolled:
        """The circuit of a cycle is ``path``; ``due`` are the output bits of the present state."""
        pace = self.facts.pace
        injecting = Cat(*(self.controls("injecting", place) for place in range(pace.rate)))
        self.path = Datapath(
            m,
            pace,
            self.lfsr,
            self.waiting,
            injecting,
            kept=self.session.keeps_secrets,
        )
        moved = self.path.moved
        if pace.changes:
            # A signal, because parts of an expression would be hard to read.
            moved = named(m, f"{self.lfsr.name}_moved", Mux(self.narrow, moved, self.path.run))
        self.due = self._keystream_word(m)
        return Unrolled((self.due,), lambda _steps: {self.lfsr.name: moved})

    def _keystream_word(self, m: Module) -> Value:
        """This cycle's bits that encrypt."""
        pace, (word, *_) = self.facts.pace, self.path.words
        if self.lag is None:
            return word
        stream, after = delayed(self.lag, word, pace=pace, running=self.running)
        self.path.updates.append((self.lag, after))
        return named(m, "keystream_word", stream[: pace.radix])

    def _move_state(self, m: Module, unrolled: Unrolled) -> None:
        super()._move_state(m, unrolled)
        with m.If(self.enable):
            m.d.sync += [signal.eq(self.path.waits(bit)) for bit, signal in self.waiting.items()]
            m.d.sync += [register.eq(value) for register, value in self.path.updates]
        moved = tuple(register for register, _ in self.path.updates)
        self.session.clear_at_once(m, moved)
        self.secrets += (*self.waiting.values(), *moved)

    def _placed_state(self, unrolled: Unrolled) -> dict[str, Value]:
        """The load. A register that moves equally far in load and setup shares those wires."""
        architecture, pace = self.architecture, self.facts.pace
        placed: dict[str, Value] = {}
        for name, sources in self.facts.load_plan.items():
            slow = name == self.lfsr.name and architecture.load_width == pace.rate
            placed |= placed_state(
                {name: sources},
                self.state,
                unrolled.after(architecture.radix),
                loading=self.loading,
                copies={},
                word=self.load_word,
                one=self._loaded_one,
                emptying=None,
                radix=pace.rate if slow else pace.radix,
            )
        return placed


class FilteredCore(FilteredSteps, KeystreamCore):
    """A filtered LFSR whose output is keystream."""

    holds = True
