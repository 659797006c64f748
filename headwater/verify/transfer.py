# SPDX-License-Identifier: Apache-2.0
"""A message as the words of a core's streams, and back: as the records of the streams say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.core.architecture import Architecture
from headwater.core.streams import Stream
from headwater.kinds.registry import facts_of

DataWord = tuple[int, int, int]
"""Payload, ``keep``, and the marks ``ad`` of a word that goes in or ``last`` of one that comes
out."""


def transfer_of(cipher: Cipher, architecture: Architecture, message: Message) -> Transfer:
    """A message on its way through a core."""
    streams = facts_of(cipher, architecture).streams
    return Transfer(cipher, streams, message, cipher.prefix(message.associated_data))


def text_transfer(cipher: Cipher, architecture: Architecture, message: Message) -> Transfer:
    """The text of a message on its way, without what goes before it: zeros become keystream."""
    return Transfer(cipher, facts_of(cipher, architecture).streams, message, b"")


@dataclass(frozen=True)
class Transfer:
    """One message through a core.

    Bit strings are numbers whose bit 0 is the first bit. That of the data words has the prefix,
    then the text, each from a place on that the stream says.

    Members
    -------
    cipher : Cipher
    streams : mapping of str to Stream
        Those of the core.
    message : Message
    prefix : bytes
        What is authenticated before the text.
    """

    cipher: Cipher
    streams: Mapping[str, Stream]
    message: Message
    prefix: bytes

    @property
    def words(self) -> list[DataWord]:
        """Payload, ``keep`` and ``ad`` of each data word; there is one at least."""
        stream, before = self.streams["data_in"], _ones(8 * len(self.prefix))
        string = self._string(self.prefix) | self._string(self.message.text) << self._text_begins
        counts = before | self._text_place
        return [
            (
                stream.payload(string, number),
                stream.marked(counts, number, stream.keep_bits),
                stream.marked(before, number, stream.ad_bits) if stream.ad_bits else 0,
            )
            for number in range(self._word_count)
        ]

    def leaving(self, text: bytes) -> tuple[DataWord, ...]:
        """Payload, ``keep`` and ``last`` of each word of the other text; none where the core gives
        none."""
        stream = self.streams.get("data_out")
        if stream is None:
            return ()
        string, last = self._string(text) << self._text_begins, self._word_count - 1
        return tuple(
            (stream.payload(string, number), keep, int(number == last))
            for number, keep in self._text_words(stream)
        )

    def tag_payloads(self, tag: bytes) -> tuple[int, ...]:
        """The words of a tag that is as long as the core makes it."""
        stream, string = self.streams["tag"], self._string(tag) << self._tag_begins
        return tuple(stream.payload(string, number) for number in range(self._tag_words))

    def commands(self) -> list[str]:
        """What the simulator is told."""
        words = " ".join(f"{payload:x}:{keep:x}:{ad:x}" for payload, keep, ad in self.words)
        tag = [f"tag {self._tag_words}"] if "tag" in self.streams else []
        return [f"message {int(self.message.decrypts)} {words}", *tag]

    def result(self, printed: Iterator[str]) -> Sealed:
        """The other text and the tag, from the lines that the simulator printed.

        Raises
        ------
        ValueError
            If a word is marked otherwise than the text lies in it, or a bit is set that is not
            marked.
        """
        text = self._text(printed) if "data_out" in self.streams else b""
        return Sealed(text, self._tag(printed) if "tag" in self.streams else b"")

    def _text(self, printed: Iterator[str]) -> bytes:
        stream, string = self.streams["data_out"], 0
        for number, expected in self._text_words(stream):
            payload, keep = (int(word, 16) for word in next(printed).split())
            bits = stream.turned(payload)
            if keep != expected or bits & ~stream.window(self._text_place, number):
                raise ValueError(f"word {number} must have the bits {expected:x}, not {keep:x}")
            string |= bits << number * stream.width
        bits = self.message.bits
        return bitstring.to_bytes(string >> self._text_begins, bits, self.cipher.bit_order)

    def _tag(self, printed: Iterator[str]) -> bytes:
        stream, string = self.streams["tag"], 0
        for number in range(self._tag_words):
            string |= stream.turned(int(next(printed), 16)) << number * stream.width
        bits = tag_bits_of(self.cipher, self.message)
        return bitstring.to_bytes(string >> self._tag_begins, bits, self.cipher.bit_order)

    def _text_words(self, stream: Stream) -> Iterator[tuple[int, int]]:
        """Number and ``keep`` of each word of the other text."""
        for number in range(self._word_count):
            keep = stream.marked(self._text_place, number, stream.keep_bits)
            if keep or stream.gives_empty_words:
                yield number, keep

    def _string(self, data: bytes) -> int:
        return bitstring.from_bytes(data, self.cipher.bit_order)

    @property
    def _text_begins(self) -> int:
        """The bit of the string that the text begins at."""
        return _rounded_up(8 * len(self.prefix), self.streams["data_in"].part_bits)

    @property
    def _text_place(self) -> int:
        """Ones where the text is."""
        return _ones(self.message.bits) << self._text_begins

    @property
    def _word_count(self) -> int:
        bits = self._text_begins + self.message.bits
        return max(1, -(-bits // self.streams["data_in"].width))

    @property
    def _tag_begins(self) -> int:
        """The bit of the first tag word that the tag begins at."""
        tag, data = self.streams["tag"], self.streams["data_in"]
        if tag.behind_bits is None:
            return 0
        ends = _rounded_up(self._text_begins + self.message.bits, data.part_bits)
        return (ends + tag.behind_bits) % tag.width

    @property
    def _tag_words(self) -> int:
        tag = self.streams["tag"]
        bits = tag.bits or tag_bits_of(self.cipher, self.message)
        return -(-(self._tag_begins + bits) // tag.width)


def _ones(count: int) -> int:
    return (1 << count) - 1


def _rounded_up(bits: int, unit: int) -> int:
    return -(-bits // unit) * unit
