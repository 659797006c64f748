# SPDX-License-Identifier: Apache-2.0
"""The modes of mobile telephony on messages, with integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from headwater.cipher.message import Message, Sealed
from headwater.kinds.aes.model import authenticated, keystream_of
from headwater.kinds.buffered import BufferedKeystream
from headwater.kinds.stepped.word_model import WordModel
from headwater.kinds.telephony.description import (
    TAG_BITS,
    WORD_BITS,
    BlockIntegrity128,
    BlockMode,
    Encrypting,
    Integrity,
    TelephonyMode,
    message_words,
)
from headwater.kinds.telephony.windows_behind import WindowsBehind


def process(mode: TelephonyMode | WindowsBehind, message: Message) -> Sealed:
    """The output text of a message in a confidentiality mode, its tag in an integrity mode."""
    key, iv = mode.base_inputs(message.key, message.nonce)
    if isinstance(mode, BlockIntegrity128):
        return authenticated(mode.base, replace(message, key=key, nonce=iv))
    make: Callable[..., Any] = keystream_of if isinstance(mode, BlockMode) else WordModel
    keystream = make(mode.base, key=key, iv=iv)
    match mode:
        case Encrypting():
            mask = int.from_bytes(keystream.read(message.bits), "big")
            other = int.from_bytes(message.text, "big") ^ mask
            return Sealed(other.to_bytes(len(message.text), "big"), b"")
        case WindowsBehind():
            words = message_words(message.text)
            tag = mode.make_tag(_words(keystream), words, message.bits, mode.mac_bits)
            return Sealed(b"", tag.to_bytes(mode.mac_bits // 8, "big"))
        case Integrity():
            tag = mode.make_tag(_words(keystream), message_words(message.text), message.bits)
            return Sealed(b"", tag.to_bytes(TAG_BITS // 8, "big"))
    raise TypeError(f"{type(mode).__name__} processes no messages")


def _words(keystream: BufferedKeystream) -> Iterator[int]:
    while True:
        yield int.from_bytes(keystream.read(WORD_BITS), "big")
