# SPDX-License-Identifier: Apache-2.0
"""What follows from a mode of AES and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from headwater.core.streams import Stream
from headwater.kinds.aes.facts import CounterFacts, LineFacts, Pace
from headwater.kinds.aes.mac_facts import MacFacts
from headwater.kinds.telephony.description import BlockMode
from headwater.kinds.telephony.facts import message_and_text
from headwater.kinds.telephony.hash_facts import hash_streams
from headwater.kinds.telephony.mode_256 import BLOCK_BITS, BlockAead, BlockHashing, ModeOfBlocks


@dataclass(frozen=True)
class BlockModeFacts(CounterFacts):
    """Timing and word order of a mode's core."""

    cipher: ModeOfBlocks

    @property
    def mode(self) -> ModeOfBlocks:
        """The mode: its cipher is part of it."""
        return self.cipher

    @property
    def block_words(self) -> int:
        """Words of a block of the hash."""
        return self.words_per_block

    @property
    def hashes(self) -> bool:
        """Whether the mode has a hash."""
        return isinstance(self.mode, BlockHashing)

    @property
    def encrypts(self) -> bool:
        """Whether the mode encrypts a text."""
        return isinstance(self.mode, BlockAead) or not self.hashes

    @property
    def gathered_words(self) -> int:
        """Keystream words that are taken before the message: H, and where a text follows Q and P
        as well."""
        return self.hashes * (1 + 2 * self.encrypts) * self.words_per_block

    @property
    def word_cycles(self) -> int:
        """Cycles that a word of the message takes, other than for its keystream."""
        return self.architecture.radix // int(self.architecture["digit"]) if self.hashes else 1

    # --- cycles

    def _gathered(self) -> tuple[Pace, int]:
        """The pace of the keystream behind the words that are gathered, and the first cycle in
        which data is taken."""
        pace, ends = Pace(self), 0
        for _ in range(self.gathered_words):
            ends = pace.take(0) + 1
        return pace, ends

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first in which data is taken."""
        return super().setup_cycles + self._gathered()[1]

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        blocks = self.gathered_words // self.words_per_block
        more = " + 2 * cycles_per_block" * (blocks > 1) + " + 128 / radix" * (blocks > 0)
        return super().setup_formula + more

    @property
    def bits_per_cycle(self) -> float:
        """Message bits per clock cycle, in steady state."""
        radix = self.architecture.radix
        if not self.encrypts:
            return radix / self.word_cycles
        words, pace, ends = self.words_per_block, Pace(self), [0]
        for _ in range(3 * words):
            ends.append(pace.take(ends[-1] + self.word_cycles))
        return float(Fraction(words * radix, ends[-1] - ends[-1 - words]))

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first data word taken to the tag, or to the end where there is none. Each
        word of a text waits for its keystream, and for the hash. A hash needs whole blocks, one
        cycle to change to Q, and one block for the lengths; without a text it waits for the words
        of Q, then for those of P."""
        pace, start = self._gathered()
        words, cycles = -(-bits // self.architecture.radix), self.word_cycles
        first = now = pace.take(start) if self.encrypts and words else start
        for _ in range(1, words):
            now = pace.take(now + cycles) if self.encrypts else now + cycles
        if not self.hashes:
            return now + 1 - first
        now += cycles * (words > 0) or 1
        now += cycles * (-words % self.words_per_block) + 1
        if not self.encrypts:
            for _ in range(self.words_per_block):
                now = pace.take(now) + 1
        now += cycles * self.words_per_block
        return (now if self.encrypts else pace.take(now)) - first

    def words_in(self, cycles: int) -> int:
        """Words of a message that keep a power measurement busy for about so many cycles: whole
        blocks."""
        blocks = -(-cycles * self.bits_per_cycle // BLOCK_BITS)
        return int(blocks) * self.words_per_block

    @property
    def _cycles_to_zero(self) -> int:
        """Cycles until key and block, and the mode's words and digits, have been shifted out by
        zeros."""
        return max(super()._cycles_to_zero, self.gathered_words, self.word_cycles - 1)

    # --- streams

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message, the output text where there is one, and the tag where there is one."""
        if self.hashes:
            return hash_streams(self, encrypts=self.encrypts)
        return message_and_text(self, self.mode.text_unit)


@dataclass(frozen=True)
class CalledFacts(LineFacts):
    """What the cores of all modes share whose base is AES with a key of any length, which is
    ``cipher``, and whose IV is formed of what the network knows of a message."""

    mode: BlockMode

    @property
    def stated_iv_bits(self) -> int:
        """Length of the mode's IV; the base cipher has another one."""
        return self.mode.iv_bits[-1]

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        return ". ".join(filter(None, (super().load_order, self.mode.load_rule)))

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load: those of the base cipher, whose IV is formed from the mode's."""
        assert iv_bits in (None, *self.mode.iv_bits)
        return super().load_words(*self.mode.base_inputs(key, iv), block=block)


@dataclass(frozen=True)
class LineModeFacts(CalledFacts):
    """Timing and word order of the core of a mode that encrypts."""

    @property
    def _loaded(self) -> str:
        return f"key_bits + {BLOCK_BITS}"

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first data word taken to the end of the message: each word waits for its
        keystream."""
        pace = Pace(self)
        first = now = pace.take(0)
        for _ in range(1, -(-bits // self.architecture.radix)):
            now = pace.take(now + 1)
        return now + 1 - first

    def words_in(self, cycles: int) -> int:
        """Words of a message that keep a power measurement busy for about so many cycles: whole
        blocks."""
        return -(-cycles // self.cycles_per_block) * self.words_per_block

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message and the other text."""
        return message_and_text(self, self.mode.text_unit)


@dataclass(frozen=True)
class MacModeFacts(CalledFacts, MacFacts):
    """Timing and word order of the core of a mode that makes tags."""
