# SPDX-License-Identifier: Apache-2.0
"""A message as the transfers of a core that encrypts and authenticates whole words, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from headwater.cipher.message import Message, Sealed
from headwater.cipher.phelix import MAC_BITS, MAC_BLOCKS
from headwater.kinds.word_aead.description import WORD_BITS

_BYTES = WORD_BITS // 8
_TAG_WORDS = MAC_BITS // WORD_BITS


@dataclass(frozen=True)
class _Word:
    """Bytes of a word, fewer than four at the end of associated data or text only."""

    data: bytes
    is_associated: bool


@dataclass(frozen=True)
class WordTransfer:
    """One message through a core that takes so many words of 32 bits at a time.

    Members
    -------
    message : Message
    tag_bits : int
        Length of the tag.
    width : int
        Words of a transfer.
    """

    message: Message
    tag_bits: int
    width: int

    @property
    def words(self) -> list[tuple[int, int, int]]:
        """Payload, ``keep`` and ``ad`` of each transfer; there is one at least."""
        words = list(self._words())
        return [
            (
                _side_by_side([word.data for word in some], 8),
                _side_by_side([bytes([_ones(word.data)]) for word in some], 1),
                sum(word.is_associated << place for place, word in enumerate(some)),
            )
            for some in (words[at : at + self.width]
                         for at in range(0, max(1, len(words)), self.width))
        ]  # fmt: skip

    def _words(self) -> Iterator[_Word]:
        for data, is_associated in ((self.message.associated_data, True),
                                    (self.message.text, False)):  # fmt: skip
            for at in range(0, len(data), _BYTES):
                yield _Word(data[at : at + _BYTES], is_associated)

    def commands(self) -> list[str]:
        """What the simulator is told."""
        words = " ".join(f"{payload:x}:{keep:x}:{ad:x}" for payload, keep, ad in self.words)
        transfers = len(self._tag_places)
        return [f"message {int(self.message.decrypts)} {words}", f"tag {transfers}"]

    @property
    def _tag_places(self) -> list[list[int]]:
        """The places of the tag's words in each transfer of them."""
        first = len(list(self._words())) + MAC_BLOCKS - _TAG_WORDS
        blocks = range(first, first + _TAG_WORDS)
        grouped = groupby(blocks, key=lambda block: block // self.width)
        return [[block % self.width for block in some] for _, some in grouped]

    def result(self, printed: Iterator[str]) -> Sealed:
        """The other text and the tag, from the lines that the simulator printed."""
        text = b""
        while len(text) < len(self.message.text):
            payload, keep = (int(word, 16) for word in next(printed).split())
            data = payload.to_bytes(_BYTES * self.width, "little")
            text += bytes(byte for place, byte in enumerate(data) if keep >> place & 1)
        tag = b""
        for places in self._tag_places:
            data = int(next(printed), 16).to_bytes(_BYTES * self.width, "little")
            tag += b"".join(data[_BYTES * place : _BYTES * (place + 1)] for place in places)
        return Sealed(text, tag[: self.tag_bits // 8])

    def tag_payloads(self, tag: bytes) -> tuple[int, ...]:
        """The transfers of a tag of full length."""
        words = iter(range(0, len(tag), _BYTES))
        return tuple(
            sum(
                int.from_bytes(tag[at : at + _BYTES], "little") << WORD_BITS * place
                for place, at in zip(places, words, strict=False)
            )
            for places in self._tag_places
        )

    def leaving(self, text: bytes) -> tuple[tuple[int, int, int], ...]:
        """Payload, ``keep`` and ``last`` of each transfer of the other text."""
        message = self.message
        other = Message(message.key, message.nonce, message.associated_data, text, message.bits)
        transfers = WordTransfer(other, self.tag_bits, self.width).words
        leaving = []
        for number, (payload, keep, ad) in enumerate(transfers):
            kept = sum(
                keep & 0xF << _BYTES * place for place in range(self.width) if not ad >> place & 1
            )
            shown = sum(0xFF << 8 * byte for byte in range(_BYTES * self.width) if kept >> byte & 1)
            leaving.append((payload & shown, kept, int(number == len(transfers) - 1)))
        return tuple(word for word in leaving if word[1])


def _ones(data: bytes) -> int:
    return (1 << len(data)) - 1


def _side_by_side(words: list[bytes], bits_per_byte: int) -> int:
    """Numbers of four bytes each, or of one bit for each of them, the first one lowest."""
    return sum(
        int.from_bytes(word, "little") << _BYTES * bits_per_byte * place
        for place, word in enumerate(words)
    )
