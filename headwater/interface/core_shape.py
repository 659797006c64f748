# SPDX-License-Identifier: Apache-2.0
"""What a shell must know of the core in it, and words cut to 32 bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.heading import digest, origin
from headwater.core.streams import Stream
from headwater.errors import InputError
from headwater.interface.identity import identity_of
from headwater.interface.public_secret import public_secret
from headwater.interface.registers import WORD_BITS
from headwater.kinds.registry import facts_of

_BYTE = 8


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
    tag_bits : int
        Length of a tag; 0 where there is none, or where it may have several lengths.
    identity : mapping of str to int
        What software can read of the core: names of registers, and their values.
    told : mapping of str to str
        What the comment on top of a file says of the core.
    """

    module: str
    streams: Mapping[str, Stream]
    inputs: tuple[str, ...]
    load_words: int
    tag_bits: int
    identity: Mapping[str, int]
    told: Mapping[str, str]

    @property
    def features(self) -> frozenset[str]:
        """What the core has of ``needs`` in `headwater.interface.registers`."""
        there = {
            "text": "data_in" in self.streams,
            "tag": "tag" in self.streams,
            "decrypt": "decrypt" in self.inputs,
        }
        return frozenset(name for name, has in there.items() if has)

    @property
    def tag_words(self) -> int:
        """32-bit words of a tag; 0 as for `tag_bits`."""
        return self.tag_bits // WORD_BITS

    @property
    def takes_text(self) -> bool:
        """Whether a text goes in; otherwise the core gives keystream."""
        return "data_in" in self.streams

    @property
    def load(self) -> Stream:
        """The stream of key and IV."""
        return self.streams["load"]

    @property
    def outputs(self) -> tuple[Stream, ...]:
        """The streams that software reads, one after the other: keystream, or text and tag."""
        return tuple(each for each in self.streams.values() if each.direction == "output")

    @property
    def output_width(self) -> int:
        """Bits of the widest word that comes out."""
        return max(stream.width for stream in self.outputs)

    @property
    def text_unit(self) -> int:
        """Bits of a word of text that enter the core's word at once: a text may begin there."""
        data = self.streams["data_in"]
        aligned = not data.ad_bits or data.part_bits % WORD_BITS == 0
        return gcd(data.width, WORD_BITS if aligned else _BYTE)

    @property
    def output_unit(self) -> int:
        """Bits of the core's words that software's words are made of, one after the other."""
        unit = gcd(WORD_BITS, *(stream.width for stream in self.outputs))
        return gcd(unit, self.text_unit) if self.takes_text else unit

    @property
    def words_ahead(self) -> int:
        """Words of text that must go in before the first word that they become can be read. Then a
        further word can go in before each word is read."""
        data, unit = self.streams["data_in"], self.text_unit
        leftover = unit < data.width and (bool(data.ad_bits) or WORD_BITS % data.width > 0)
        if unit == WORD_BITS or not leftover:
            return max(1, data.width // WORD_BITS)
        return 1 + -(-(data.width - unit) // WORD_BITS)

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


def check_output_ends(cipher: Cipher) -> None:
    """Refuse a function whose output goes on without end: nothing around a core ends its session
    yet."""
    if cipher.service == "xof":
        raise InputError(
            f"interface of {cipher.name} must be stream: its output has no end, and "
            "only a load or clear ends its session"
        )


def shape_of(cipher: Cipher, architecture: Architecture, module: str) -> CoreShape:
    """The shape of the core in a Verilog module. Its load has a key and an IV of full length."""
    check_output_ends(cipher)
    facts = facts_of(cipher, architecture)
    return CoreShape(
        module=module,
        streams=facts.streams,
        inputs=tuple(facts.inputs),
        load_words=len(facts.load_words(*public_secret(cipher))),
        tag_bits=_tag_bits(cipher),
        identity=identity_of(cipher, architecture),
        told={**origin(cipher, architecture), **digest(cipher), "Core": module},
    )


def _tag_bits(cipher: Cipher) -> int:
    """The length of a tag where it is fixed, otherwise 0.

    Raises
    ------
    InputError
        If it is not whole words.
    """
    if len(cipher.tag_lengths) != 1:
        return 0
    (bits,) = cipher.tag_lengths
    if bits % WORD_BITS:
        raise InputError(
            f"tag of {cipher.name} in a coprocessor must be a multiple of {WORD_BITS} bits, "
            f"not {bits}"
        )
    return bits


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
