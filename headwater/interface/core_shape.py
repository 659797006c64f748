# SPDX-License-Identifier: Apache-2.0
"""What stands behind a port: the shape of a core, and its words cut to those of 32 bits."""

from __future__ import annotations

from dataclasses import dataclass

WORD_BITS = 32
"""Bits of a word of the processor."""


@dataclass(frozen=True)
class CoreShape:
    """What a shell has to know of the core in it.

    Members
    -------
    module : str
        Name of its Verilog module.
    load_width, load_words : int
        Bits of a load word; words of a whole load.
    marks_last : bool
        Whether its load stream has a ``last`` mark.
    radix : int
        Bits of a keystream word, or of a word of data.
    top_first : bool
        Whether the first bit of a word is its most significant one.
    takes : str
        "nothing": it has a keystream. "text": data words of 32 bits go in, data and tag come out.
        "zeros": it encrypts bit strings, and its keystream is what zeros become.
    tag_keep, decrypts : bool
        Whether it marks the words of its tag, and whether it has an input for the direction.
    ad_marks : int
        Marks for associated data in a data word.
    """

    module: str
    load_width: int
    load_words: int
    marks_last: bool
    radix: int
    top_first: bool
    takes: str = "nothing"
    tag_keep: bool = False
    decrypts: bool = False
    ad_marks: int = 0

    @property
    def load_transfers(self) -> int:
        """Words of 32 bits in a load."""
        if self.load_width <= WORD_BITS:
            return -(-self.load_words // (WORD_BITS // self.load_width))
        return self.load_words * -(-self.load_width // WORD_BITS)

    def packed_load(self, words: list[int]) -> list[int]:
        """The load words of a core as the words of 32 bits that a shell takes."""
        return _packed(words, self.load_width, self.top_first)

    def packed_keystream(self, payloads: list[int]) -> list[int]:
        """The keystream words of a core as the words of 32 bits that a shell gives."""
        return _packed(payloads, self.radix, self.top_first)


def _packed(words: list[int], width: int, top_first: bool) -> list[int]:
    """Words of any width as words of 32 bits: wide ones are cut up, several narrow ones joined."""
    if width > WORD_BITS:
        return [part for word in words for part in _parts(word, width, top_first)]
    fitting = WORD_BITS // width
    return [
        sum(
            word << width * (fitting - 1 - place if top_first else place)
            for place, word in enumerate(words[first : first + fitting])
        )
        for first in range(0, len(words), fitting)
    ]


def _parts(word: int, width: int, top_first: bool) -> list[int]:
    """A word cut into 32 bits each."""
    parts = [word >> place & 0xFFFFFFFF for place in range(0, width, WORD_BITS)]
    return parts[::-1] if top_first else parts
