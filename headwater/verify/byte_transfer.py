# SPDX-License-Identifier: Apache-2.0
"""A message as the words of a core that encrypts and authenticates byte by byte, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.message import Message, Sealed


@dataclass(frozen=True)
class ByteTransfer:
    """One message through a core whose tag leaves in words of some size.

    Members
    -------
    message : Message
    tag_bits : int
        Length of the tag.
    size : int
        Bits of a tag word.
    """

    message: Message
    tag_bits: int
    size: int

    @property
    def words(self) -> list[tuple[int, int, int]]:
        """Payload, ``keep`` and ``ad`` of each data word; there is one at least."""
        message = self.message
        words = [(byte, 1, 1) for byte in message.associated_data]
        words += [(byte, 1, 0) for byte in message.text]
        return words or [(0, 0, 0)]

    def commands(self) -> list[str]:
        """What the simulator is told."""
        words = " ".join(f"{payload:x}:{keep:x}:{ad:x}" for payload, keep, ad in self.words)
        return [f"message {int(self.message.decrypts)} {words}", f"tag {self._tag_words}"]

    @property
    def _tag_words(self) -> int:
        return -(-self.tag_bits // self.size)

    def result(self, printed: Iterator[str]) -> Sealed:
        """The other text and the tag, from the lines that the simulator printed."""
        text = bytes(int(next(printed).split()[0], 16) for _ in self.message.text)
        tag = sum(int(next(printed), 16) << number * self.size for number in range(self._tag_words))
        return Sealed(
            text, bitstring.to_bytes(tag & (1 << self.tag_bits) - 1, self.tag_bits, "lsb_first")
        )

    def tag_payloads(self, tag: bytes) -> tuple[int, ...]:
        """The words of a tag, whose length must be a multiple of theirs."""
        string = int.from_bytes(tag, "little")
        return tuple(
            string >> place & (1 << self.size) - 1 for place in range(0, 8 * len(tag), self.size)
        )

    def leaving(self, text: bytes) -> tuple[tuple[int, int, int], ...]:
        """Payload, ``keep`` and ``last`` of each word of the other text."""
        last = len(text) - 1
        return tuple((byte, 1, int(number == last)) for number, byte in enumerate(text))
