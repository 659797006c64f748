# SPDX-License-Identifier: Apache-2.0
"""What follows from AES in CMAC and an architecture before any circuit is built."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.streams import Stream
from headwater.kinds.aes.description import BLOCK_BITS, AesMac
from headwater.kinds.aes.facts import LineFacts


@dataclass(frozen=True)
class MacFacts(LineFacts):
    """Timing and word order. What stands before a message is loaded behind the key."""

    cipher: AesMac

    @property
    def data_width(self) -> int:
        """Bits of a word of the message: the radix, or what is left of the first block."""
        return min(self.architecture.radix, BLOCK_BITS - self.chained_bits)

    @property
    def data_words(self) -> int:
        """Words of the message in a block."""
        return BLOCK_BITS // self.data_width

    @property
    def head_words(self) -> int:
        """Words that a block holds behind the load."""
        return self.chained_bits // self.data_width

    @property
    def tag_bits(self) -> int:
        """Length of the longest tag."""
        return self.cipher.tag_lengths[-1]

    @property
    def tag_width(self) -> int:
        """Bits of a word of the tag."""
        return min(self.architecture.radix, self.tag_bits)

    @property
    def tag_words(self) -> int:
        """Words of the longest tag."""
        return self.tag_bits // self.tag_width

    # --- cycles

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first in which data is taken."""
        return self.load_cycles

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return f"(key_bits + {self.chained_bits}) / load_width"

    @property
    def bits_per_cycle(self) -> float:
        """Message bits per clock cycle, in steady state."""
        return BLOCK_BITS / self.cycles_per_block

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first data word taken to the first word of the tag: one block for L, the
        blocks of the message, and one more where a single block waits for L."""
        blocks = max(1, -(-(self.chained_bits + bits) // BLOCK_BITS))
        return (max(2, blocks) + 1) * self.cycles_per_block + 1

    def words_in(self, cycles: int) -> int:
        """Words of a message that keep a power measurement busy for about so many cycles: whole
        blocks."""
        return -(-cycles // self.cycles_per_block) * self.data_words

    # --- streams

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        count, width = self.load_cycles, self.architecture.load_width
        behind = f", then {self.chained_bits} bits before the message" * bool(self.chained_bits)
        order = f"{count} words of {width} bits: the key{behind}, the first bit is the most "
        return order + "significant"

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message and the tag."""
        width, first = self.data_width, "the first bit is the most significant"
        order = (
            f"words of {width} bits, {first}; `last` marks the last word, whose `keep` has a one "
            "for each bit that counts, from the top, and is all ones in every other word; an empty "
            "message is one word with no ones"
        )
        data, _ = self.text_streams(width, order, "", top_first=True, keep_bits=1)
        words = f"{self.tag_words} words" if self.tag_words > 1 else "one word"
        more = "; a shorter tag is its first bits" * (len(self.cipher.tag_lengths) > 1)
        tag = Stream(
            name="tag",
            direction="output",
            width=self.tag_width,
            top_first=True,
            bits=self.tag_bits,
            order=f"{words} of {self.tag_width} bits, {first}{more}",
        )
        return data, tag
