# SPDX-License-Identifier: Apache-2.0
"""What the cores of all telephony modes share: key and IV in, then one message."""

from __future__ import annotations

from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.kinds.stepped.word_steps import WordSteps
from headwater.kinds.telephony.facts import TelephonyFacts


class TelephonyCore(WordSteps):
    """A mode around the registers and the control of its cipher. Registers of the mode are zero, or
    become zero, while the cipher is not running. So every message starts from the same state, and
    `clear` needs no logic for them."""

    facts: TelephonyFacts

    def __init__(self, facts: TelephonyFacts) -> None:
        super().__init__(facts)
        self.data_fire = Signal()
        self.word: Value = Const(0, self.architecture.radix)
        self.progress: tuple[Signal, ...] = ()
        """The mode's own control registers, zero in idle."""
        self.contents: tuple[Signal, ...] = ()
        """The mode's own registers that hold bits of the keystream or of the message."""

    comments: ClassVar = {
        "data_fire": "a data word is taken",
    }

    @property
    def turns_bytes(self) -> bool:
        """Whether the first byte of a keystream word is its lowest one. In the words of a message
        the first byte is the highest."""
        return not self.cipher.first_bit_on_top

    @property
    def kept_bits(self) -> Value:
        """The bits of the data word that count."""
        return Cat(bit.replicate(self.facts.mode.text_unit) for bit in self.data_in.keep)

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


def turned(word: Value) -> Value:
    """A word with its bytes in the other order."""
    return Cat(word.word_select(place, 8) for place in reversed(range(len(word) // 8)))
