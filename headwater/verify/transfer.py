# SPDX-License-Identifier: Apache-2.0
"""A message as words of a core's streams, and back, by the records of the streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.core.architecture import Architecture
from headwater.core.facts import Facts
from headwater.core.streams import Stream
from headwater.kinds.registry import facts_of

DataWord = tuple[int, int, int]
"""Payload, ``keep``, and the marks ``ad`` of a word that goes in or ``last`` of one that comes
out."""


def transfer_of(cipher: Cipher, architecture: Architecture, message: Message) -> Transfer:
    """A message as transfers through a core."""
    facts = facts_of(cipher, architecture)
    prefix = cipher.prefix(message.associated_data, message.associated_bits)
    spare = 8 * len(message.associated_data) - message.associated_bits
    return Transfer(cipher, facts, message, prefix, 8 * len(prefix) - spare)


def text_transfer(cipher: Cipher, architecture: Architecture, message: Message) -> Transfer:
    """The text of a message without associated data or header; text of zeros gives keystream."""
    return Transfer(cipher, facts_of(cipher, architecture), message, b"", 0)


@dataclass(frozen=True)
class Transfer:
    """One message through a core.

    Bit strings are integers whose bit 0 is the first bit. The string of the data words holds the
    prefix, then the text; each begins at a multiple of the stream's ``part_bits``.
    """

    cipher: Cipher
    facts: Facts
    message: Message
    prefix: bytes
    """What is authenticated before the text."""
    prefix_bits: int

    @property
    def streams(self) -> Mapping[str, Stream]:
        """The streams of the core, without shares."""
        return self.facts.streams_in_one

    @property
    def words(self) -> list[DataWord]:
        """Payload, ``keep`` and ``ad`` of each data word; at least one word."""
        stream, before = self.streams["data_in"], _ones(self.prefix_bits)
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

    @property
    def entering(self) -> list[DataWord]:
        """The same as they enter the core: payloads in shares, if it is a core in shares."""
        words = self.words
        payloads = self.facts.shared([payload for payload, *_ in words], stream="data_in")
        return [(payload, keep, ad) for payload, (_, keep, ad) in zip(payloads, words, strict=True)]

    def leaving(self, text: bytes) -> tuple[DataWord, ...]:
        """Payload, ``keep`` and ``last`` of each word of the output text, if there is one."""
        stream = self.streams.get("data_out")
        if stream is None:
            return ()
        string, last = self._string(text) << self._text_begins, self._word_count - 1
        return tuple(
            (stream.payload(string, number), keep, int(number == last))
            for number, keep in self._text_words(stream)
        )

    def tag_payloads(self, tag: bytes) -> tuple[int, ...]:
        """The words of a tag of the core's full length."""
        stream, string = self.streams["tag"], self._string(tag) << self._tag_begins
        return tuple(stream.payload(string, number) for number in range(self._tag_words))

    def commands(self) -> list[str]:
        """The simulator's commands for the message."""
        words = " ".join(f"{payload:x}:{keep:x}:{ad:x}" for payload, keep, ad in self.entering)
        tag = [f"tag {self._tag_words}"] if "tag" in self.streams else []
        return [f"message {int(self.message.decrypts)} {words}", *tag]

    def result(self, printed: Iterator[str]) -> Sealed:
        """The output text and the tag, from the lines that the simulator printed. Raises ValueError
        if the marks of a word do not match the place of the text, or a bit without mark is one."""
        text = self._text(printed) if "data_out" in self.streams else b""
        return Sealed(text, self._tag(printed) if "tag" in self.streams else b"")

    def _text(self, printed: Iterator[str]) -> bytes:
        stream, string = self.streams["data_out"], 0
        for number, expected in self._text_words(stream):
            payload, keep = (int(word, 16) for word in next(printed).split())
            bits = stream.turned(self.facts.joined(payload, stream="data_out"))
            if keep != expected or bits & ~stream.window(self._text_place, number):
                raise ValueError(f"word {number} must have the bits {expected:x}, not {keep:x}")
            string |= bits << number * stream.width
        bits = self.message.bits
        return bitstring.to_bytes(string >> self._text_begins, bits, self.cipher.bit_order)

    def _tag(self, printed: Iterator[str]) -> bytes:
        stream, string = self.streams["tag"], 0
        for number in range(self._tag_words):
            word = self.facts.joined(int(next(printed), 16), stream="tag")
            string |= stream.turned(word) << number * stream.width
        bits = tag_bits_of(self.cipher, self.message)
        return bitstring.to_bytes(string >> self._tag_begins, bits, self.cipher.bit_order)

    def _text_words(self, stream: Stream) -> Iterator[tuple[int, int]]:
        """Number and ``keep`` of each word of the output text."""
        for number in range(self._word_count):
            keep = stream.marked(self._text_place, number, stream.keep_bits)
            if keep or stream.gives_empty_words:
                yield number, keep

    def _string(self, data: bytes) -> int:
        return bitstring.from_bytes(data, self.cipher.bit_order)

    @property
    def _text_begins(self) -> int:
        """The place of the text's first bit in the string."""
        return _rounded_up(self.prefix_bits, self.streams["data_in"].part_bits)

    @property
    def _text_place(self) -> int:
        """A string with ones at the places of the text."""
        return _ones(self.message.bits) << self._text_begins

    @property
    def _word_count(self) -> int:
        bits = self._text_begins + self.message.bits
        return max(1, -(-bits // self.streams["data_in"].width))

    @property
    def _tag_begins(self) -> int:
        """The place of the tag's first bit in the first tag word."""
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
