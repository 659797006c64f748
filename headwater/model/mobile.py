# SPDX-License-Identifier: Apache-2.0
"""The modes of mobile telephony on messages, with integers."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.cipher.mobile import (
    TAG_BITS,
    WORD_BITS,
    Confidentiality,
    Integrity,
    MobileMode,
    message_words,
    without_unused_bits,
)
from headwater.errors import InputError
from headwater.model.messages import Message, Sealed
from headwater.model.words import WordModel


def check_mobile_message(mode: MobileMode, message: Message) -> None:
    """Refuse what the mode cannot take.

    Raises
    ------
    InputError
        If key or IV have no legal length, or the text is not ``bits`` bits in whole bytes.
    """
    mode.input_bits(message.key, message.nonce)
    if without_unused_bits(message.text, message.bits) != message.text:
        raise InputError(
            f"text of {message.bits} bits must be {-(-message.bits // 8)} bytes with unused bits "
            f"zero, not {len(message.text)} bytes"
        )


def process_mobile(mode: MobileMode, message: Message) -> Sealed:
    """The other text of a message and no tag, or its tag and no text, as the mode is."""
    check_mobile_message(mode, message)
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
