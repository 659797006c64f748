# SPDX-License-Identifier: Apache-2.0
"""The session of a core: idle, load, setup, running, and back to idle.

A session begins with the first load word. An abort ends it. It is caused by `clear`, by a load word
that is offered after the last one (and taken in the next cycle), by the end of a message, and in a
core that cannot wait by a gap in the load, which then begins again. In the cycle after an abort the
core is idle, and its control registers have their initial values, as after a reset.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from amaranth.hdl import Const, Module, Mux, Signal, Value

from headwater.core.architecture import Architecture

_NEVER = Const(0, 1)


class Session:
    """The handshake of load, abort and clear, and the phases of every core.

    ``clear`` is the input, constant zero where the core has none. With ``has_setup`` blank cycles
    follow the last load word; else the core runs from then on. With ``knows_idle`` it has a
    register for the idle state, with ``knows_past_load`` one for the end of the load.
    """

    def __init__(
        self,
        load: Any,
        clear: Value,
        architecture: Architecture,
        *,
        has_setup: bool,
        knows_idle: bool,
        knows_past_load: bool,
    ) -> None:
        self._load, self._clear = load, clear
        self._has_setup, self.knows_idle = has_setup, knows_idle
        self.waits = architecture.stall == "stream"
        self.shifts_zeros = architecture.clear == "shift"
        self.clears_at_once = architecture.clear == "instant"
        self.loading = Signal(init=1, name="loading")
        """Load words are still to come. One in idle."""
        self.idle = Signal(init=1, name="idle")
        """No load word has been taken. Nothing drives it unless ``knows_idle``."""
        self.past_load: Value = Signal(name="past_load") if knows_past_load else ~self.loading
        """The last load word was taken. `loading` leads to every register that takes load words; a
        register of its own keeps what ends a session, and the count, from waiting for it."""
        self.running: Value = Signal(name="running") if has_setup else ~self.loading
        """The setup is over."""
        # Nothing in a core that knows the end of its load reads it, but what watches the core does.
        self.load_fire: Value = (
            load.ready & load.valid if knows_past_load else Signal(name="load_fire")
        )
        self.load_word = Signal(len(load.payload), name="load_word")
        """The load word; zeros while there is none, if shifting in zeros is how the state is
        cleared."""
        self.abort = Signal(name="abort")

    @property
    def registers(self) -> tuple[Signal, ...]:
        """The registers of the session."""
        idle = (self.idle,) if self.knows_idle else ()
        flags = (one for one in (self.past_load, self.running) if isinstance(one, Signal))
        return (self.loading, *idle, *flags)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name."""
        return {
            "load_ready": "until the last load word is taken",
            "loading": "load words are still to come",
            "past_load": "the last load word was taken",
            "idle": "no load word has been taken",
            "running": "the setup is over",
            "load_fire": "a load word is taken",
            "load_word": "the load word, or zeros while there is none",
            "abort": "the session ends, and the core is idle in the next cycle",
        }

    @property
    def keeps_secrets(self) -> bool:
        """Whether a reset leaves key and state as they are. They then become zero as zeros are
        shifted in, as after a clear."""
        return not self.clears_at_once

    @property
    def emptying(self) -> Value:
        """Whether the core is idle and therefore shifts in zeros. Constant zero without an idle
        register: such a core always shifts."""
        return self.idle if self.knows_idle and self.shifts_zeros else _NEVER

    @property
    def reload(self) -> Value:
        """A load word offered while none is expected, or a gap in the load of a core that cannot
        wait."""
        if self.waits:
            return self.past_load & self._load.valid
        return self.loading != self._load.valid

    @property
    def cleared(self) -> Value:
        """The input `clear`; zero where the core has none."""
        return self._clear

    def clear_at_once(self, m: Module, registers: Iterable[Signal]) -> None:
        """Let `clear` zero the registers in its cycle if the architecture asks for that. Must be
        called after all other assignments to the registers, which it overrides."""
        if self.clears_at_once:
            with m.If(self.cleared):
                m.d.sync += [register.eq(0) for register in registers]

    def connect(
        self,
        m: Module,
        *,
        last_word: Value,
        registers: Iterable[Signal] = (),
        setup_over: Value = _NEVER,
        running_over: Value = _NEVER,
        finished: Value = _NEVER,
        ready: Value | None = None,
        skipped: Value = _NEVER,
        word_counts: Value | None = None,
        counts: Value | None = None,
    ) -> None:
        """Add the logic. Must be called after all other assignments to control registers, which an
        abort overrides.

        ``last_word`` tells that the load word of this cycle is the last; ``setup_over`` and
        ``running_over`` that the core starts, or stops, running with the next cycle; ``finished``
        that the session ends by itself; ``skipped`` that the load starts after its first words. An
        abort resets ``registers`` besides the session's own.

        ``ready`` tells when load words are taken, by default in every cycle of the load.
        ``word_counts`` tells when the load word is not masked with zeros: by default while it is
        valid if the state is cleared by shifting in zeros, else always. ``counts`` is the enable of
        the core's count of load words and blank cycles, one of which every change of phase
        coincides with: the phases then share it. By default they have none.
        """
        load, accepted = self._load, self.load_fire
        if counts is not None or (not self.waits and ready is None):
            accepted = Const(1, 1)
        if word_counts is None:
            word_counts = load.valid if self.shifts_zeros else Const(1, 1)
        m.d.comb += load.ready.eq(self.loading if ready is None else ready)
        if isinstance(self.load_fire, Signal):
            m.d.comb += self.load_fire.eq(load.ready & load.valid)
        m.d.comb += [
            self.load_word.eq(Mux(word_counts, load.payload, 0)),
            self.abort.eq(self.reload | self.cleared | finished),
        ]
        if self.knows_idle:
            m.d.sync += self.idle.eq(self.idle & ~(self.load_fire | skipped))
        with m.If(Const(1, 1) if counts is None else counts):
            m.d.sync += self.loading.eq(self.loading & ~(accepted & last_word))
            if isinstance(self.past_load, Signal):
                m.d.sync += self.past_load.eq(self.past_load | (accepted & last_word))
            if self._has_setup:
                m.d.sync += self.running.eq((self.running | setup_over) & ~running_over)
        with m.If(self.abort):
            m.d.sync += [register.eq(register.init) for register in (*self.registers, *registers)]
