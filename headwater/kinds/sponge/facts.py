# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of the Ascon core."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.core.facts import Facts, counted
from headwater.core.streams import Stream
from headwater.kinds.sponge.description import (
    KEY_BITS,
    NARROWEST_WORD,
    NONCE_BITS,
    RATE_BITS,
    TAG_BITS,
    SpongeAead,
)


@dataclass(frozen=True)
class SpongeFacts(Facts):
    """Timing and word order of an Ascon core, which follow from word width and unrolling."""

    cipher: SpongeAead

    @property
    def unrolled(self) -> int:
        """Rounds per cycle."""
        return int(self.architecture["unroll"])

    @property
    def word_bits(self) -> int:
        """Bits of a word of the message, and of the tag."""
        return max(self.architecture.radix, NARROWEST_WORD)

    @property
    def words(self) -> int:
        """Words of a block."""
        return RATE_BITS // self.word_bits

    @property
    def moves(self) -> int:
        """Cycles in which a block enters: in each one ``radix`` bits."""
        return RATE_BITS // self.architecture.radix

    @property
    def load_words_count(self) -> int:
        """Words of key and nonce."""
        return (KEY_BITS + NONCE_BITS) // self.architecture.load_width

    @property
    def parts(self) -> int:
        """Cycles in which a word of the message enters, or one of the tag leaves."""
        return 1

    @property
    def round_cycles(self) -> int:
        """Cycles of a round, where it takes several."""
        return 1

    @property
    def long_cycles(self) -> int:
        """Cycles of the permutation before and after a message."""
        return self.cipher.long_rounds // self.unrolled

    @property
    def short_cycles(self) -> int:
        """Cycles of the permutation between two blocks."""
        return -(-self.cipher.short_rounds // self.unrolled)

    @property
    def first_short_number(self) -> int:
        """The number that the rounds between two blocks are counted from: that of the first, or of
        one before it that is left out."""
        return self.cipher.long_rounds - self.unrolled * self.short_cycles

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first data word that can be taken."""
        return self.load_words_count + self.long_cycles

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        return f"{KEY_BITS + NONCE_BITS} / load_width + {self.cipher.long_rounds} / unroll"

    @property
    def bits_per_cycle(self) -> float:
        """Message bits per clock cycle, in steady state: words are taken between permutations."""
        return RATE_BITS / (self.moves + self.short_cycles)

    @property
    def _cycles_to_zero(self) -> int:
        """Zeros are shifted through four words of the state."""
        return self.load_words_count

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        order = (
            f"{self.load_words_count} words of {counted(self.architecture.load_width, 'bit')}: "
            f"{KEY_BITS} bits of the key, then {NONCE_BITS} of the nonce, the first byte in the "
            "lowest bits"
        )
        if self.cipher.shorter_keys:
            order += (
                "; where a second key masks the nonce, their sum modulo 2 is loaded in its place"
            )
        return order if self.waits else f"{order}; the words follow each other without a gap"

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load: key and nonce as they enter the state."""
        self.cipher.input_bits(key, iv, iv_bits)
        return super().load_words(*self.cipher.entering(key, iv), block=block)

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message, the output text and the tag."""
        width, hurry = self.word_bits, "a word is there for one cycle"
        unit = {1: "bit", 8: "byte"}[self.cipher.text_unit]
        message = (
            f"words of {width} bits, the first byte in the lowest bits: the associated data, "
            "marked by `ad`, then the text; each of the two begins with a word of its own, and "
            f"`keep` has a one for each {unit} that counts; no word is left out but behind the "
            "last one of the message, marked by `last`"
        )
        text = (
            f"words of {width} bits: the other text in the places where it was in data_in, marked "
            "by `keep`; words without any are left out; `last` marks the last of data_in"
        )
        data, other = self.text_streams(
            width,
            self._always(message, "one is taken in each cycle in which data_in is ready"),
            self._always(text, hurry),
            keep_bits=self.cipher.text_unit,
            ad_bits=width,
            part_bits=width,
        )
        tag = f"{self.words} words of {width} bits, the first byte of the tag in the lowest bits"
        if len(self.cipher.tag_lengths) > 1:
            tag += "; a shorter tag is its first bits"
        tag_words = Stream(
            name="tag",
            direction="output",
            width=width,
            order=self._always(tag, hurry),
            waits=self.waits,
            bits=TAG_BITS,
        )
        return data, other, tag_words

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first word of a text of ``bits`` bits to the tag."""
        blocks = bits // RATE_BITS + 1
        return blocks * self.moves + (blocks - 1) * self.short_cycles + self.long_cycles
