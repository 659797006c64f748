# SPDX-License-Identifier: Apache-2.0
"""The base class of every core: a component that knows its cipher and its facts."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from amaranth.hdl import Const, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.stream import Signature as PlainSignature
from amaranth.lib.wiring import In, Member, Out

from headwater.core.facts import Facts
from headwater.core.session import Session
from headwater.core.streams import Stream


def signature_of(stream: Stream) -> wiring.Signature:
    """The signals of a stream, as its source sees them."""
    members = stream.members
    if members.keys() <= {"payload", "valid", "ready"} and stream.direction == "output":
        return PlainSignature(stream.width, always_ready=not stream.waits)
    return wiring.Signature(
        {name: (In if name == "ready" else Out)(width) for name, width in members.items()}
    )


class Core(wiring.Component, ABC):
    """One cipher at one architecture, as a circuit. The ports are those of ``facts.streams`` and
    ``facts.inputs``. `headwater.core.session` describes load, abort and `clear`. From the first
    load word taken to ``facts.setup_ends`` it is ``facts.setup_cycles``."""

    facts: Facts
    session_class: ClassVar[type[Session]] = Session
    has_setup: ClassVar[bool] = True
    """Whether blank cycles follow the last load word."""
    step: Signal
    hold: Signal
    resets_at_once: bool = False
    """Whether `rst` acts at once, and not at the next clock edge."""
    comments: ClassVar[Mapping[str, str]] = {}
    """What a class adds to ``notes``."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.cipher = facts.cipher
        self.architecture = facts.architecture
        self.control_registers: tuple[Signal, ...] = ()
        """Registers that an abort resets, besides those of the session."""
        self.secrets: tuple[Signal, ...] = ()
        """The registers that hold bits of key, state, text or keystream, in order."""
        self.finished: Value = Const(0, 1)
        """Whether the session ends by itself, after a complete message."""
        self.constants: Mapping[str, Signal] = {}
        """Signals that nothing drives: they become named constants in the Verilog."""
        flows = {"input": In, "output": Out}
        streams = {
            name: flows[stream.direction](signature_of(stream))
            for name, stream in facts.streams.items()
        }
        inputs = {name: In(1) for name in facts.inputs}
        super().__init__({**streams, **inputs, **self._ports_beside()})
        for path, _, port in self.signature.flatten(self):
            # Amaranth joins with two underscores, which VHDL does not allow in a name.
            port.name = "_".join(map(str, path))
        clear = Const(0, 1) if self.architecture.clear == "none" else self.clear
        self.session = self.session_class(
            self.load,
            clear,
            self.architecture,
            has_setup=self.has_setup,
            knows_idle=self.knows_idle,
            knows_past_load=self.knows_past_load,
        )
        self.loading = self.session.loading
        self.running: Value = self.session.running
        self.idle = self.session.idle
        self.load_fire, self.load_word = self.session.load_fire, self.session.load_word
        self.abort = self.session.abort

    @property
    def driving(self) -> Mapping[str, str]:
        """The signals by which the control of the core drives its state, where a datapath can be a
        module of its own, by the names of its ports for them."""
        return {}

    @property
    def assigned_last(self) -> tuple[str, ...]:
        """Signals that are assigned behind the registers in the Verilog."""
        return ()

    def _ports_beside(self) -> Mapping[str, Member]:
        """Ports that are neither of a stream nor inputs of one bit."""
        return {}

    @property
    def knows_idle(self) -> bool:
        """Whether the core has a register for the idle state. It needs one if it shifts zeros in
        while idle but could also stand still."""
        return self.architecture.stall == "stream" and self.architecture.clear == "shift"

    @property
    def knows_past_load(self) -> bool:
        """Whether the core has a register for the end of the load."""
        return False

    @property
    def decrypts(self) -> Value:
        """Whether the text that enters is ciphertext."""
        direction = self.architecture["direction"]
        return self.decrypt if direction == "both" else Const(direction == "decrypt", 1)

    @property
    def notes(self) -> dict[str, str]:
        """Comments for the Verilog, by signal name: those of the session, then ``comments`` of all
        classes of the core."""
        notes = self.session.notes
        for part in reversed(type(self).__mro__):
            notes |= vars(part).get("comments", {})
        return notes

    def held_word(self, m: Module, output: Value) -> Value:
        """The word of this cycle: a new one if the state moves, else the held one. The state moves
        on the register `step`, so it has already moved when a reader does not take a word. That
        word waits in `hold`. The word is zero before the setup is over: no bit of the setup leaves
        the core. A free-running core does not mask it: its reader must use `valid`."""
        if not self.facts.waits:
            return output
        word = Signal(len(output), name="word")
        m.d.comb += word.eq(Mux(self.running, Mux(self.step, output, self.hold), 0))
        m.d.sync += self.hold.eq(word)
        return word
