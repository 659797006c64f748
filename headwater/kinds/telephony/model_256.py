# SPDX-License-Identifier: Apache-2.0
"""The 256-bit modes of 5G on messages, with integers."""

from __future__ import annotations

from functools import partial

from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.cipher.telephony_256 import hash_value
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.stepped.word_model import WordModel
from headwater.kinds.telephony.description import WordMode
from headwater.kinds.telephony.mode_256 import (
    BLOCK_BYTES,
    HASH_KEYS_BYTES,
    Ciphering,
    Integrity256,
    Keystream,
    Mode256,
    ModeOfBlocks,
)


class WordKeystream:
    """The keystream of a cipher of words. Its first three blocks are the keys of the hash, where
    there is one; a text follows them."""

    def __init__(self, cipher: WordCipher, key: bytes, iv: bytes) -> None:
        self._make = partial(WordModel, cipher, key=key, iv=iv)

    def hash_keys(self) -> tuple[bytes, bytes, bytes]:
        """H, Q and P, the keys of the hash."""
        model = self._make()
        h, q, p = (model.read(8 * BLOCK_BYTES) for _ in range(3))
        return h, q, p

    def text(self, count: int, *, authenticated: bool) -> bytes:
        """So many bytes of keystream for a text."""
        model = self._make()
        model.skip(8 * HASH_KEYS_BYTES if authenticated else 0)
        return model.read(8 * count)


def process_256(mode: Mode256, message: Message) -> Sealed:
    """The output text of a message, and its tag where the mode makes one."""
    keystream = _keystream(mode, message)
    text, hashed = message.text, (message.associated_data, message.text)
    if isinstance(mode, Integrity256):
        text, hashed = b"", (message.text, b"")
    other = _added(text, keystream.text(len(text), authenticated=bool(mode.tag_lengths)))
    if isinstance(mode, Ciphering):
        return Sealed(other, b"")
    if text and not message.decrypts:
        hashed = (message.associated_data, other)
    tag = hash_value(*keystream.hash_keys(), *hashed)
    return Sealed(other, tag[: tag_bits_of(mode, message) // 8])


def _keystream(mode: Mode256, message: Message) -> Keystream:
    if isinstance(mode, ModeOfBlocks):
        return mode.keystream(message.key, message.nonce)
    assert isinstance(mode, WordMode)
    return WordKeystream(mode.base, message.key, message.nonce)


def _added(text: bytes, keystream: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(text, keystream, strict=True))
