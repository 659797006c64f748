# SPDX-License-Identifier: Apache-2.0
"""A message as the words of a core's data stream in a mode of mobile telephony, and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from headwater.cipher.message import Message, Sealed
from headwater.kinds.telephony.description import (
    TAG_BITS,
    WORD_BITS,
    Integrity,
    TelephonyMode,
    message_words,
)
from headwater.verify.printed_words import printed_words


@dataclass(frozen=True)
class TelephonyTransfer:
    """One message through a core of a mode.

    Members
    -------
    mode : TelephonyMode
    message : Message
    """

    mode: TelephonyMode
    message: Message

    @property
    def words(self) -> list[tuple[int, int, int]]:
        """Payload and ``keep`` of each data word, and a mark that there is not."""
        return [
            (word, ones_on_top(self.message.bits - WORD_BITS * number), 0)
            for number, word in enumerate(message_words(self.message.text or bytes(1)))
        ]

    def commands(self) -> list[str]:
        """What the simulator is told."""
        words = " ".join(f"{payload:x}:{keep:x}:0" for payload, keep, _ in self.words)
        command = f"message {int(self.message.decrypts)} {words}"
        return [command, "tag 1"] if isinstance(self.mode, Integrity) else [command]

    def result(self, printed: Iterator[str]) -> Sealed:
        """The other text or the tag, from the lines that the simulator printed.

        Raises
        ------
        ValueError
            As `printed_words`.
        """
        if isinstance(self.mode, Integrity):
            return Sealed(b"", int(next(printed), 16).to_bytes(TAG_BITS // 8, "big"))
        words = printed_words(printed, (keep for _, keep, _ in self.words))
        text = b"".join(word.to_bytes(WORD_BITS // 8, "big") for word in words)
        return Sealed(text[: len(self.message.text)], b"")


def ones_on_top(bits: int) -> int:
    """The ``keep`` of a word with so many bits of a message, or with all if there are more."""
    return (1 << WORD_BITS) - (1 << WORD_BITS - min(bits, WORD_BITS))
