# SPDX-License-Identifier: Apache-2.0
"""Which bits of key and IV make up the words of a load, for software that is given bytes.

The map is affine: each bit of a load is a constant XOR some bits of the inputs. ``LoadTable.words``
applies it, `headwater.interface.load_probing` finds it, and `headwater.interface.load_code` prints
it as C.

The bits of all load words, one word after the other, are the *load string*. Its bit ``w * width +
p`` is bit ``p`` of word ``w``, counted from the bit that is first in the stream's order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.core.streams import Stream

ONE, KEY, IV, BLOCK, TAG_BITS, KEY_BYTES = "one", "key", "iv", "block", "tag_bits", "key_bytes"
"""The inputs of the map: a constant bit, key and IV, the number of the first block, the length of
the tag in bits and that of the key in bytes. Bit 0 of each is its first or its lowest bit."""


@dataclass(frozen=True)
class Line:
    """A number that grows with the length of the IV: ``base + slope * iv_bits``."""

    base: int
    slope: int = 0

    def at(self, iv_bits: int) -> int:
        """Its value for an IV of this length."""
        return self.base + self.slope * iv_bits


@dataclass(frozen=True)
class Run:
    """Consecutive bits of the load string that are consecutive bits of an input.

    Members
    -------
    target : Line
        The first of them in the load string. A bit there is the XOR of all runs that reach it.
    source : str
        One of the inputs named above.
    first : Line
        The first of them in the input.
    count : Line
    step : int
        1, or -1 where the bits of the input are taken in the opposite order; 0 for `ONE`.
    """

    target: Line
    source: str
    first: Line
    count: Line
    step: int


@dataclass(frozen=True)
class Part:
    """The map for some lengths of the IV.

    Members
    -------
    iv_bits : range
        These lengths.
    bits : Line
        Length of the load string: whole words.
    runs : tuple of Run
    """

    iv_bits: range
    bits: Line
    runs: tuple[Run, ...]

    def string(self, iv_bits: int, inputs: Mapping[str, int]) -> int:
        """The load string, its first bit as bit 0."""
        string = 0
        for run in self.runs:
            value, first = {ONE: 1, **inputs}[run.source], run.first.at(iv_bits)
            for place in range(run.count.at(iv_bits)):
                bit = value >> first + run.step * place & 1
                string ^= bit << run.target.at(iv_bits) + place
        return string


@dataclass(frozen=True)
class LoadTable:
    """The whole map of a core.

    Members
    -------
    stream : Stream
        The load: its width, and whether the first bit of a word is its most significant one.
    order : str
        How bytes of key and IV hold their bits: "lsb_first" or "msb_first".
    key_bits : tuple of int
        Legal lengths of the key, ascending. The map takes zeros for what a shorter one lacks.
    first_iv_bit : int or None
        The value that the first bit of the IV must have, if it must have one.
    zero_iv_bits : tuple of int
        The bits of the IV that must be zero.
    block_bits : int
        Length of the number of the first block; 0 where the keystream always begins with block 0.
    tag_lengths : tuple of int
        Legal lengths of the tag, if the load depends on it; else empty.
    parts : tuple of Part
        Together they have every length of the IV that the core takes.
    """

    stream: Stream
    order: BitOrder
    key_bits: tuple[int, ...]
    first_iv_bit: int | None
    zero_iv_bits: tuple[int, ...]
    block_bits: int
    tag_lengths: tuple[int, ...]
    parts: tuple[Part, ...]

    @property
    def iv_bits(self) -> tuple[int, ...]:
        """Every length of the IV that the core takes, ascending."""
        return tuple(bits for part in self.parts for bits in part.iv_bits)

    @property
    def longest(self) -> int:
        """Bits of the longest load string."""
        return max(part.bits.at(bits) for part in self.parts for bits in part.iv_bits)

    def words(
        self,
        key: bytes,
        iv: bytes,
        iv_bits: int | None = None,
        *,
        block: int = 0,
        tag_bits: int = 0,
    ) -> list[int]:
        """The payloads of the load words."""
        length = 8 * len(iv) if iv_bits is None else iv_bits
        inputs = {
            KEY: bitstring.from_bytes(key, self.order),
            IV: bitstring.from_bytes(iv, self.order),
            BLOCK: block,
            TAG_BITS: tag_bits,
            KEY_BYTES: len(key),
        }
        part = next(part for part in self.parts if length in part.iv_bits)
        string, count = part.string(length, inputs), part.bits.at(length) // self.stream.width
        return [self.stream.payload(string, number) for number in range(count)]
