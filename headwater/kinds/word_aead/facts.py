# SPDX-License-Identifier: Apache-2.0
"""Timing and word order of the Phelix core."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.cipher.phelix import MAC_BITS, MAC_BLOCKS, MIXINGS, NONCE_BITS, SETUP_BLOCKS
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.kinds.word_aead.description import WORD_BITS, PhelixAead

KEY_WORDS = 8
NONCE_WORDS = NONCE_BITS // WORD_BITS
LOAD_WORDS = 1 + KEY_WORDS + NONCE_WORDS
"""The lengths, the key, the nonce."""


@dataclass(frozen=True)
class WordAeadFacts(Facts):
    """Timing and word order of a Phelix core, which follow from the radix."""

    cipher: PhelixAead

    @property
    def halves(self) -> bool:
        """Whether a cycle makes half a block."""
        return self.architecture.radix < WORD_BITS

    @property
    def words(self) -> int:
        """Blocks unrolled; 32-bit words of the data streams."""
        return max(1, self.architecture.radix // WORD_BITS)

    @property
    def mixing_cycles(self) -> int:
        """Cycles of the key mixing."""
        return MIXINGS * (1 + self.halves)

    @property
    def block_cycles(self) -> int:
        """Cycles of the nonce setup's blocks."""
        return SETUP_BLOCKS * (1 + self.halves) // self.words

    @property
    def setup_cycles(self) -> int:
        """Cycles from the first load word taken to the first data word that can be taken. The nonce
        is loaded while the key is mixed. With half blocks, the first half of a data word's block is
        made in the cycle before the word is taken."""
        return 1 + KEY_WORDS + self.mixing_cycles + 1 + self.block_cycles + self.halves

    @property
    def setup_formula(self) -> str:
        """How `setup_cycles` follows from other entries of the data sheet."""
        first_half = " + 1 (first half of a word's block)" if self.halves else ""
        return (
            f"1 + 256 / load_width + {self.mixing_cycles} (key mixing) + 1 + "
            f"{self.block_cycles} (nonce setup){first_half}"
        )

    @property
    def bits_per_cycle(self) -> float:
        """Message bits per clock cycle, in steady state."""
        return self.architecture.radix

    _cycles_to_zero = KEY_WORDS + 1
    """Zeros are shifted through the eight words of the key, and from its end into the state."""

    @property
    def load_order(self) -> str:
        """What the load words hold and in which order, as prose."""
        order = (
            f"{LOAD_WORDS} words of {WORD_BITS} bits: the lengths (bits 0 to 5: bytes of the key, "
            "bits 8 to 14: bits of the tag modulo 128, others ignored), 8 words of the key, filled "
            "up with zeros, 4 words of the nonce; the first byte of each in its lowest bits"
        )
        return order if self.waits else f"{order}; the words follow each other without a gap"

    def _streams_beside(self) -> tuple[Stream, ...]:
        """The message, the output text and the MAC."""
        width, hurry = WORD_BITS * self.words, "a transfer is there for one cycle"
        text = (
            f"transfers of {width} bits: the other text in the places where it was in data_in, "
            "marked by `keep`; those without any are left out; `last` marks the last of data_in"
        )
        data, other = self.text_streams(
            width,
            self._always(self._data_order, "one is taken in each cycle in which data_in is ready"),
            self._always(text, hurry),
            keep_bits=8,
            ad_bits=WORD_BITS,
            part_bits=WORD_BITS,
        )
        places = ", each in the place of its block, marked by `keep`" if self.words > 1 else ""
        mac = (
            f"transfers of {width} bits: 4 words of {WORD_BITS} bits{places}: the {MAC_BITS}-bit "
            "MAC, of which the first `tag_bits` are the tag"
        )
        tag = Stream(
            name="tag",
            direction="output",
            width=width,
            order=self._always(mac, hurry),
            keep_bits=WORD_BITS if self.words > 1 else 0,
            waits=self.waits,
            bits=MAC_BITS,
            behind_bits=MAC_BLOCKS * WORD_BITS - MAC_BITS,
        )
        return data, other, tag

    @property
    def _data_order(self) -> str:
        twice = "" if not self.halves else "; a word stands for two cycles, and is taken in the 2nd"
        return (
            f"transfers of {WORD_BITS * self.words} bits, the first byte in the lowest bits: the "
            "words of the associated data, marked by `ad`, then those of the text; each of the two "
            "begins with a word of its own, and `keep` has a one for each byte that counts; no "
            f"word is left out but behind the last one of the message, marked by `last`{twice}"
        )

    def message_cycles(self, bits: int) -> int:
        """Cycles from the first word of a text of ``bits`` bits to the tag."""
        blocks = -(-bits // WORD_BITS) + MAC_BLOCKS - MAC_BITS // WORD_BITS
        return (blocks * (1 + self.halves)) // self.words

    def load_words(
        self, key: bytes, iv: bytes, iv_bits: int | None = None, *, block: int = 0
    ) -> list[int]:
        """The words of a load, for the longest tag."""
        assert block == 0
        self.cipher.input_bits(key, iv, iv_bits)
        return self.message_load(key, iv, self.cipher.tag_lengths[-1])

    def message_load(self, key: bytes, nonce: bytes, tag_bits: int) -> list[int]:
        """The load words for a message whose tag has ``tag_bits`` bits."""
        string = key.ljust(4 * KEY_WORDS, b"\0") + nonce
        words = [int.from_bytes(string[at : at + 4], "little") for at in range(0, len(string), 4)]
        return [len(key) | tag_bits << 8, *words]
