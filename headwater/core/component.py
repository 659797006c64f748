# SPDX-License-Identifier: Apache-2.0
"""What every core is, whatever it does: a component that knows its cipher and its facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from amaranth.hdl import Const, Module, Signal, Value
from amaranth.lib import wiring

from headwater.core.facts import Facts


class Core(wiring.Component):
    """One cipher at one architecture, as a circuit.

    Members
    -------
    facts : Facts
    constants : mapping of str to Signal
        Signals that nothing drives: they become named constants in the Verilog.
    """

    facts: Facts

    def __init__(self, facts: Facts, members: dict[str, Any]) -> None:
        self.facts = facts
        self.cipher = facts.cipher
        self.architecture = facts.architecture
        self.constants: Mapping[str, Signal] = {}
        super().__init__(members)

    @property
    def notes(self) -> dict[str, str]:
        """What the signals of the core are, by name, for comments in the Verilog."""
        return {}

    @property
    def secrets(self) -> Sequence[Signal]:
        """The registers that hold bits of key, state, text or keystream, in their own order."""
        return ()

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
