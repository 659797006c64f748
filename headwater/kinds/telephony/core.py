# SPDX-License-Identifier: Apache-2.0
"""What the cores of all telephony modes share: key and IV in, then one message.

The core of a mode has two halves: the cipher, which makes words of keystream, and what the mode
does with them. The halves meet here; a pair of them is a core (`headwater.kinds.telephony.record`).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from amaranth.hdl import Cat, Const, Module, Signal, Value

from headwater.core.component import Core
from headwater.core.naming import named
from headwater.kinds.aes.counter_words import OfferedWords
from headwater.kinds.stepped.word_steps import WordSteps
from headwater.kinds.telephony.block_facts import BlockModeFacts, LineModeFacts
from headwater.kinds.telephony.description import BlockMode
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.mode_256 import BlockHashing, BlockIntegrity, ModeOfBlocks


class TelephonyCore(Core):
    """A mode around the registers and the control of its cipher. Registers of the mode are zero, or
    become zero, while the cipher is not running. So every message starts from the same state, and
    `clear` needs no logic for them."""

    facts: TelephonyFacts | BlockModeFacts | LineModeFacts

    def __init__(self, facts: TelephonyFacts | BlockModeFacts | LineModeFacts) -> None:
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
    @abstractmethod
    def word_taken(self) -> Value:
        """Whether the keystream word is used."""

    @abstractmethod
    def _offer_message(self, m: Module) -> None:
        """Use ``word``, that of the keystream."""

    def _count_message(self, m: Module) -> None:
        """Advance the mode's own control registers."""

    def with_word(self, condition: Value) -> Value:
        """Whether a keystream word is there and the condition holds, which implies that the core is
        running."""
        return condition

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


class OverWords(TelephonyCore, WordSteps):
    """The half of a cipher of words: while it runs, a word is there in every cycle."""

    facts: TelephonyFacts

    @property
    def turns_bytes(self) -> bool:
        """Whether the first byte of a keystream word is its lowest one. In the words of a message
        the first byte is the highest."""
        return not self.cipher.first_bit_on_top

    def _count(self, m: Module) -> None:
        super()._count(m)
        self._count_message(m)

    def _offer(self, m: Module, output: Value) -> None:
        word = self._word(m, output)
        self.word = turned(word) if self.turns_bytes else word
        self._offer_message(m)


class OverBlocks(TelephonyCore, OfferedWords):
    """The half of AES: a word is there while it waits in its register."""

    facts: BlockModeFacts | LineModeFacts

    @property
    def marks(self) -> tuple[bool, bool]:
        """Those of the mode."""
        return marks_of(self.facts.mode)

    def with_word(self, condition: Value) -> Value:
        """Whether a keystream word is there and the condition holds."""
        return condition & self.full

    def _offer_words(self, m: Module) -> None:
        self.word = named(m, "word", self.keystream_word)
        self._count_message(m)
        self._offer_message(m)


def marks_of(mode: ModeOfBlocks | BlockMode) -> tuple[bool, bool]:
    """Whether the first three blocks are marked, and whether those that follow are: keys of the
    hash are, blocks of a text are not."""
    return isinstance(mode, BlockHashing), isinstance(mode, BlockIntegrity)


def turned(word: Value) -> Value:
    """A word with its bytes in the other order."""
    return Cat(word.word_select(place, 8) for place in reversed(range(len(word) // 8)))
