# SPDX-License-Identifier: Apache-2.0
"""What the cores of all telephony modes share: key and IV in, then one message."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Const, Module, Signal, Value

from headwater.kinds.stepped.word_steps import WordSteps
from headwater.kinds.telephony.description import WORD_BITS
from headwater.kinds.telephony.facts import TelephonyFacts


class TelephonyCore(WordSteps):
    """A mode around the registers and the control of its cipher. Registers of the mode are zero, or
    become zero, while the cipher is not running. So every message starts from the same state, and
    `clear` needs no logic for them."""

    facts: TelephonyFacts

    def __init__(self, facts: TelephonyFacts) -> None:
        super().__init__(facts)
        self.data_fire = Signal()
        self.word: Value = Const(0, WORD_BITS)
        self.progress: tuple[Signal, ...] = ()
        """The mode's own control registers, zero in idle."""
        self.contents: tuple[Signal, ...] = ()
        """The mode's own registers that hold bits of the keystream or of the message."""

    comments: ClassVar = {
        "data_fire": "a data word is taken",
    }

    def _content(self, bits: int, name: str) -> Signal:
        return Signal(bits, name=name, reset_less=self.session.keeps_secrets)

    def _add(self, *, contents: tuple[Signal, ...], progress: tuple[Signal, ...]) -> None:
        """Add the mode's registers to those of the base cipher."""
        self.contents, self.progress = contents, progress
        self.control_registers += progress
        self.secrets += (*contents, *progress)

    def elaborate(self, platform: object) -> Module:
        """The circuit of the core."""
        m = super().elaborate(platform)
        self.session.clear_at_once(m, self.contents)
        return m
