# SPDX-License-Identifier: Apache-2.0
"""What enters the rounds of a core of AES with a key of any length, and who uses its words."""

from __future__ import annotations

from typing import Any, ClassVar

from amaranth.hdl import Const, Module, Mux, Signal, Value

from headwater.cipher.description import Cipher
from headwater.kinds.aes.counter_words import OfferedWords
from headwater.kinds.aes.description import AesMode
from headwater.kinds.aes.facts import LineFacts
from headwater.kinds.aes.line import LineCore
from headwater.kinds.aes.line_widths import LINES
from headwater.kinds.aes.pipeline import CountedPipeline

SLICE = 16
"""Bits that are counted in a round: no longer carry chain is in the core."""


class CounterLine(LineCore):
    """Counter mode. The counter block turns in the last round, when its words enter the state. It
    counts in the rounds from the first one on, so many bits at the end of each, the lowest first. A
    word that was made waits in ``hold``."""

    def _make_control(self) -> None:
        super()._make_control()
        self.carry = Signal()
        self.control_registers += (self.carry,)

    def _make_registers(self) -> None:
        super()._make_registers()
        self.hold = self._register("hold", self.architecture.radix)

    comments: ClassVar = {
        "block": "the next counter block",
        "carry": "the bits that were counted last were all ones",
        "hold": "the keystream word that is next",
    }

    def block_word(self) -> Value:
        """The word of the next counter block."""
        return self._first_block_word

    def _move_block(self, m: Module) -> None:
        with m.If(self.moves & self.last_round):
            m.d.sync += self.block.eq(self._turned(self._first_block_word))
        counted = self.block[: self.cipher.counted_bits]
        for number, first in enumerate(range(0, len(counted), SLICE), start=1):
            part, carry = counted[first : first + SLICE], self.carry if first else Const(1, 1)
            with m.If(self.moves & self._round_over & self._in_rounds([number])):
                m.d.sync += [part.eq(part + carry), self.carry.eq(part.all() & carry)]
        with m.If(self.makes):
            m.d.sync += self.hold.eq(self.made)

    @property
    def keystream_word(self) -> Value:
        """The word that is next; zero while there is none."""
        return Mux(self.full, self.hold, 0)


class FeedbackLine(LineCore):
    """Output feedback. Behind the IV each block is the one that the rounds have made. Its words
    also enter the block that held the IV, from which they leave."""

    comments: ClassVar = {"block": "the IV; then the words that were made, the next one lowest"}

    def block_word(self) -> Value:
        """The word of the IV, or the one that is made."""
        return Mux(self.running, self.made, self._first_block_word)

    def _move_block(self, m: Module) -> None:
        with m.If(self.moves & self.last_round):
            m.d.sync += self.block.eq(self._turned(self.made))

    @property
    def keystream_word(self) -> Value:
        """The word that is next; zero while there is none."""
        return Mux(self.full, self.block[: self.architecture.radix], 0)


class KeystreamWords(OfferedWords):
    """The words are the keystream of the core. With ``stall=none`` each is offered for one
    cycle."""

    comments: ClassVar = {"keystream_valid": "there is a keystream word"}

    @property
    def word_taken(self) -> Value:
        """Whether the reader takes the word."""
        return self.full & (self.keystream.ready if self.facts.waits else Const(1, 1))

    def _offer_words(self, m: Module) -> None:
        m.d.comb += [
            self.keystream.valid.eq(self.full),
            self.keystream.payload.eq(self.keystream_word),
        ]


def line_class(facts: LineFacts, user: type[Any] = KeystreamWords, *more: type[Any]) -> type[Any]:
    """The class of the core of a mode; ``user`` and ``more`` use its words."""
    cipher: Cipher = facts.cipher
    if facts.is_pipelined:
        return type(user.__name__, (user, *more, CountedPipeline), {})
    fed = isinstance(cipher, AesMode) and not cipher.counts
    halves = (user, *more, FeedbackLine if fed else CounterLine, LINES[facts.architecture.radix])
    return type(user.__name__, halves, {})
