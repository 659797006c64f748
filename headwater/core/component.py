# SPDX-License-Identifier: Apache-2.0
"""What every core is, whatever it does: a component that knows its cipher and its facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from amaranth.hdl import Const, Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.stream import Signature as PlainSignature
from amaranth.lib.wiring import In, Out

from headwater.core.facts import Facts
from headwater.core.streams import Stream


def signature_of(stream: Stream) -> wiring.Signature:
    """The signals of a stream, as its source sees them."""
    members = stream.members
    if members.keys() <= {"payload", "valid", "ready"} and stream.direction == "output":
        return PlainSignature(stream.width, always_ready=not stream.waits)
    return wiring.Signature(
        {name: (In if name == "ready" else Out)(width) for name, width in members.items()}
    )


class Core(wiring.Component):
    """One cipher at one architecture, as a circuit. Its ports are what ``facts.streams`` and
    ``facts.inputs`` say.

    Members
    -------
    facts : Facts
    constants : mapping of str to Signal
        Signals that nothing drives: they become named constants in the Verilog.
    """

    facts: Facts

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.cipher = facts.cipher
        self.architecture = facts.architecture
        self.constants: Mapping[str, Signal] = {}
        flows = {"input": In, "output": Out}
        streams = {
            name: flows[stream.direction](signature_of(stream))
            for name, stream in facts.streams.items()
        }
        super().__init__({**streams, **{name: In(1) for name in facts.inputs}})

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return {}

    @property
    def cleared(self) -> Value:
        """The wish to clear, where the core offers it."""
        return Const(0, 1) if self.architecture.clear == "none" else self.clear

    def forget_at_once(self, m: Module, registers: Iterable[Signal]) -> None:
        """Let `clear` zero the registers in its cycle if the architecture asks for that.

        To be called after their other assignments, which it overrides.
        """
        if self.architecture.clear == "instant":
            with m.If(self.cleared):
                m.d.sync += [register.eq(0) for register in registers]
