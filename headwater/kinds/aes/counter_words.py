# SPDX-License-Identifier: Apache-2.0
"""What a mode sees of AES: words of keystream, each there until it is used."""

from __future__ import annotations

from abc import abstractmethod

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.kinds.aes.core import AesCircuit
from headwater.kinds.aes.description import BLOCK_BITS
from headwater.kinds.aes.facts import CounterFacts

CONSTANTS = 7
"""Round constants: 01, 02 ... 40."""
MARK = BLOCK_BITS - 8
"""The bit of a counter block that marks keys of a hash: bit 0 of its first byte."""
COUNT_BITS = 32
"""The last bits of a counter block, which count."""


class OfferedWords(AesCircuit):
    """AES as a source of words that something else uses."""

    full: Signal
    """There is a keystream word."""

    @property
    @abstractmethod
    def word_taken(self) -> Value:
        """Whether the keystream word is used."""

    @property
    @abstractmethod
    def keystream_word(self) -> Value:
        """The word that is next; zero while there is none."""

    @abstractmethod
    def _offer_words(self, m: Module) -> None:
        """Use the words of the keystream."""


class CounterWords(OfferedWords):
    """AES-256 in counter mode, whose words a mode uses; subclasses arrange the rounds."""

    facts: CounterFacts
    counter: Signal
    """The next counter block."""

    @property
    @abstractmethod
    def marks(self) -> tuple[bool, bool]:
        """Whether the first three blocks are marked as keys of a hash, and whether those that
        follow are. Counting begins anew where the marks end."""

    def _marked(self, mark: Value) -> Value:
        """The word of the IV that is loaded, marked where it is the first one and its block one of
        the hash's keys."""
        if not self.marks[0]:
            return self.load_word
        top = self.architecture.radix - 8
        return self.load_word | Cat(Const(0, top), mark, Const(0, 7))

    def _count_block(self, m: Module) -> None:
        """Make the next counter block of this one."""
        anew, count = self._counts_anew, self.counter[:COUNT_BITS]
        m.d.sync += count.eq(Mux(anew, 0, count + 1))
        if not isinstance(anew, Const):
            m.d.sync += self.counter[MARK].eq(self.counter[MARK] & ~anew)

    @property
    def _counts_anew(self) -> Value:
        """Whether the counter block is the last marked one, number 2."""
        if self.marks != (True, False):
            return Const(0, 1)
        return self.counter[MARK] & self.counter[1]
