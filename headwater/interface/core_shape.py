# SPDX-License-Identifier: Apache-2.0
"""What a shell must know of the core in it, and words cut to 32 bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from headwater.core.streams import Stream

WORD_BITS = 32
"""Bits of a word of the processor."""


@dataclass(frozen=True)
class CoreShape:
    """What a shell must know of the core in it.

    Members
    -------
    module : str
        Name of its Verilog module.
    streams : mapping of str to Stream
    inputs : tuple of str
        Its other one-bit inputs, except ``clk`` and ``rst``.
    load_words : int
        Words of a whole load.
    takes_text : bool
        Whether 32-bit data words go in, and data and tag come out. A core that neither takes text
        nor has a stream ``keystream`` is given zeros to encrypt: the result is its keystream.
    """

    module: str
    streams: Mapping[str, Stream]
    inputs: tuple[str, ...]
    load_words: int
    takes_text: bool

    @property
    def load(self) -> Stream:
        """The stream of key and IV."""
        return self.streams["load"]

    @property
    def output(self) -> Stream:
        """The stream of the keystream, or of the output text."""
        return self.streams["keystream" if "keystream" in self.streams else "data_out"]

    @property
    def load_transfers(self) -> int:
        """32-bit words of a load."""
        width = self.load.width
        if width <= WORD_BITS:
            return -(-self.load_words // (WORD_BITS // width))
        return self.load_words * -(-width // WORD_BITS)

    def packed_load(self, words: list[int]) -> list[int]:
        """The load words of a core as the 32-bit words that a shell takes."""
        return packed(words, self.load)


def packed(words: list[int], stream: Stream) -> list[int]:
    """The words of a stream as 32-bit words: a wide word is split, narrow ones are joined."""
    width, top_first = stream.width, stream.top_first
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
    """A word split into 32-bit parts."""
    parts = [word >> place & 0xFFFFFFFF for place in range(0, width, WORD_BITS)]
    return parts[::-1] if top_first else parts
