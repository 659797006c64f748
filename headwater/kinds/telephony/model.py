# SPDX-License-Identifier: Apache-2.0
"""The modes of mobile telephony on messages, with integers."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.cipher.message import Message, Sealed
from headwater.kinds.stepped.word_model import WordModel
from headwater.kinds.telephony.description import (
    TAG_BITS,
    WORD_BITS,
    Confidentiality,
    Integrity,
    TelephonyMode,
    message_words,
)


def process(mode: TelephonyMode, message: Message) -> Sealed:
    """The output text of a message in a confidentiality mode, its tag in an integrity mode."""
    key, iv = mode.base_inputs(message.key, message.nonce)
    keystream = WordModel(mode.base, key=key, iv=iv)
    match mode:
        case Confidentiality():
            mask = int.from_bytes(keystream.read(message.bits), "big")
            other = int.from_bytes(message.text, "big") ^ mask
            return Sealed(other.to_bytes(len(message.text), "big"), b"")
        case Integrity():
            tag = mode.make_tag(_words(keystream), message_words(message.text), message.bits)
            return Sealed(b"", tag.to_bytes(TAG_BITS // 8, "big"))
    raise TypeError(f"{type(mode).__name__} processes no messages")


def _words(keystream: WordModel) -> Iterator[int]:
    while True:
        yield int.from_bytes(keystream.read(WORD_BITS), "big")
