# SPDX-License-Identifier: Apache-2.0
"""A text as the words of a self-synchronising core's data streams, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.algebra import bitstring
from headwater.cipher.message import Message, Sealed
from headwater.kinds.self_synchronising.description import SelfSynchronisingCipher
from headwater.verify.printed_words import printed_words


@dataclass(frozen=True)
class BitTransfer:
    """One text through a core of some radix.

    Members
    -------
    cipher : SelfSynchronisingCipher
    radix : int
    message : Message
    """

    cipher: SelfSynchronisingCipher
    radix: int
    message: Message

    @property
    def words(self) -> list[tuple[int, int, int]]:
        """Payload and ``keep`` of each data word, and a mark that there is not; one word at least,
        in which no bit counts if the text is empty."""
        string = bitstring.from_bytes(self.message.text, self.cipher.bit_order)
        bits, radix = self.message.bits, self.radix
        mask = (1 << radix) - 1
        return [
            (string >> first & mask, mask >> max(0, first + radix - bits), 0)
            for first in range(0, max(bits, 1), radix)
        ]

    def commands(self) -> list[str]:
        """What the simulator is told."""
        words = " ".join(f"{payload:x}:{keep:x}:0" for payload, keep, _ in self.words)
        return [f"message {int(self.message.decrypts)} {words}"]

    def result(self, printed: Iterator[str]) -> Sealed:
        """The other text, from the lines that the simulator printed.

        Raises
        ------
        ValueError
            As `printed_words`.
        """
        words = printed_words(printed, (keep for _, keep, _ in self.words))
        string = int("".join(f"{word:0{self.radix}b}"[::-1] for word in words)[::-1], 2)
        return Sealed(bitstring.to_bytes(string, self.message.bits, self.cipher.bit_order), b"")

    def leaving(self, text: bytes) -> tuple[tuple[int, int, int], ...]:
        """Payload, ``keep`` and ``last`` of each word of the other text."""
        message = self.message
        other = Message(message.key, message.nonce, b"", text, message.bits)
        words = BitTransfer(self.cipher, self.radix, other).words
        return tuple(
            (payload, keep, int(number == len(words) - 1))
            for number, (payload, keep, _) in enumerate(words)
        )
