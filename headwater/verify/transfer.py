# SPDX-License-Identifier: Apache-2.0
"""A message as the words of an authenticated core's data streams, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.core.architecture import Architecture
from headwater.kinds.bit_aead.message_words import Authenticating, data_width, marks, tag_width
from headwater.kinds.registry import facts_of
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher
from headwater.kinds.vest.description import VestAead
from headwater.kinds.word_aead.facts import WordAeadFacts
from headwater.verify.bit_transfer import BitTransfer
from headwater.verify.byte_transfer import ByteTransfer
from headwater.verify.word_transfer import WordTransfer


def transfer_of(
    cipher: Cipher, architecture: Architecture, message: Message
) -> Transfer | WordTransfer | BitTransfer | ByteTransfer:
    """A message on its way through a core."""
    facts = facts_of(cipher, architecture)
    if isinstance(cipher, SelfSynchronisingCipher):
        return BitTransfer(cipher, architecture.radix, message)
    if isinstance(facts, WordAeadFacts):
        return WordTransfer(message, tag_bits_of(cipher, message), facts.words)
    if isinstance(cipher, VestAead):
        return ByteTransfer(message, tag_bits_of(cipher, message), cipher.size)
    assert isinstance(cipher, Authenticating)
    return Transfer(cipher, architecture.radix, cipher.prefix(message.associated_data), message)


def keystream_transfer(
    cipher: Cipher, architecture: Architecture, zeros: Message
) -> Transfer | WordTransfer | BitTransfer | ByteTransfer:
    """Zeros on their way, without what goes before a text: they become the keystream."""
    if isinstance(cipher, Authenticating):
        return Transfer(cipher, architecture.radix, b"", zeros)
    return transfer_of(cipher, architecture, zeros)


@dataclass(frozen=True)
class Transfer:
    """One message through a core of some radix.

    Members
    -------
    cipher : BitAead or Sfinks
    radix : int
    prefix : bytes
        What is authenticated before the text.
    message : Message
    """

    cipher: Authenticating
    radix: int
    prefix: bytes
    message: Message

    @property
    def words(self) -> list[tuple[int, int, int]]:
        """Payload, ``keep`` and ``ad`` of each data word."""
        width, order = data_width(self.cipher, self.radix), self.cipher.bit_order
        before = 8 * len(self.prefix)
        total = before + self.message.bits
        string = bitstring.from_bytes(self.prefix, order)
        string |= bitstring.from_bytes(self.message.text, order) << before
        return [
            (string >> first & (1 << width) - 1, _ones(min(width, total - first)),
             self._associated(first, before))
            for first in range(0, max(total, 1), width)
        ]  # fmt: skip

    def _associated(self, first: int, before: int) -> int:
        """The ``ad`` marks of the word that begins at a bit."""
        count = marks(self.cipher, self.radix)
        step = data_width(self.cipher, self.radix) // count
        return sum((first + mark * step < before) << mark for mark in range(count))

    def commands(self) -> list[str]:
        """What the simulator is told."""
        words = " ".join(f"{payload:x}:{keep:x}:{ad:x}" for payload, keep, ad in self.words)
        return [f"message {int(self.message.decrypts)} {words}", f"tag {self._tag_words}"]

    @property
    def _tag_words(self) -> int:
        return self.cipher.tag_bits // tag_width(self.cipher, self.radix)

    def result(self, printed: Iterator[str]) -> Sealed:
        """The other text and the tag, from the lines that the simulator printed."""
        text = filled = 0
        while filled < self.message.bits:
            payload, keep = (int(word, 16) for word in next(printed).split())
            skipped = (keep & -keep).bit_length() - 1
            text |= payload >> skipped << filled
            filled += keep.bit_count()
        tag, width = 0, tag_width(self.cipher, self.radix)
        for number in range(self._tag_words):
            tag |= int(next(printed), 16) << number * width
        order = self.cipher.bit_order
        return Sealed(
            bitstring.to_bytes(text, self.message.bits, order),
            bitstring.to_bytes(tag, self.cipher.tag_bits, order),
        )


def _ones(count: int) -> int:
    return (1 << count) - 1
