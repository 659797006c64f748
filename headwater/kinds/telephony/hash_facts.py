# SPDX-License-Identifier: Apache-2.0
"""What follows from a 256-bit mode with a hash and an architecture."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.kinds.telephony.facts import TelephonyFacts
from headwater.kinds.telephony.mode_256 import BLOCK_BITS, WordAead, WordHashing


@dataclass(frozen=True)
class HashFacts(TelephonyFacts):
    """Timing and word order of a mode's core: those of the base cipher, and what the hash adds."""

    mode: WordHashing

    @property
    def word_cycles(self) -> int:
        """Cycles that a word of the message takes."""
        return self.architecture.radix // int(self.architecture["digit"])

    @property
    def block_words(self) -> int:
        """Words of a block of the hash."""
        return self.mode.block_words

    @property
    def block_cycles(self) -> int:
        """Cycles that a block of the hash takes."""
        return self.block_words * self.word_cycles

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message, the output text where there is one, and the tag."""
        return hash_streams(self, encrypts=isinstance(self.mode, WordAead))

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first word of a text of ``bits`` bits to the tag: those of its blocks, of
        the change to Q, and of the block that holds the lengths. The words of Q are gathered then,
        unless the core already has them."""
        blocks = -(-bits // BLOCK_BITS)
        gathered = 0 if isinstance(self.mode, WordAead) else self.mode.block_words
        return max(1, blocks * self.block_cycles) + 1 + gathered + self.block_cycles


def hash_streams(facts: Facts, *, encrypts: bool) -> tuple[Stream, ...]:
    """The streams of a 256-bit mode with a hash beside the load: the message, the output text where
    the mode ``encrypts``, and the tag."""
    width = facts.architecture.radix
    first = "the first bit is the most significant"
    parts = (
        "the associated data, marked by `ad`, then the text; each of the two begins with a "
        "word of its own, `keep` has a one for each byte that counts, from the top, and all "
        "but the last word of each are full"
        if encrypts
        else "`keep` has a one for each byte that counts, from the top, and all but the last word "
        "are full"
    )
    message = (
        f"words of {width} bits, {first}: {parts}; `last` marks the last word; an empty "
        "message is one word with no ones in `keep`; less than 2^32 bits in each part"
    )
    text = (
        f"words of {width} bits: the other text in the places where it was in data_in, marked "
        "by `keep`; words without any are left out; `last` marks the last of data_in"
    )
    marks = {"ad_bits": width, "part_bits": width} if encrypts else {}
    data, other = facts.text_streams(width, message, text, top_first=True, keep_bits=8, **marks)
    words = "one word" if width == BLOCK_BITS else f"{BLOCK_BITS // width} words"
    tag = Stream(
        name="tag",
        direction="output",
        width=width,
        top_first=True,
        bits=BLOCK_BITS,
        order=f"{words} of {width} bits, {first}: the longest tag; a shorter one is its "
        "first bits, and its length must be in the IV",
    )
    return (data, other, tag) if encrypts else (data, tag)
