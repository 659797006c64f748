# SPDX-License-Identifier: Apache-2.0
"""The message that testbenches of packages put through a core."""

from __future__ import annotations

from headwater.cipher.description import Cipher
from headwater.cipher.message import Message
from headwater.interface.public_secret import public_secret

_BYTE = 8
_FIRST_BYTE = 0x51
_DATA_BYTES = 7
"""Bytes of associated data: no whole words of 32 bits."""


def message_of(cipher: Cipher, key: bytes, length: int, spare: int) -> Message:
    """A message to encrypt or to authenticate, of ``length`` bytes, of the last of which ``spare``
    bits do not count, with associated data where the cipher takes it."""
    text = bytearray(range(_FIRST_BYTE, _FIRST_BYTE + length))
    if spare:
        high_first = cipher.bit_order == "msb_first"
        text[-1] &= 0xFF << spare & 0xFF if high_first else 0xFF >> spare
    _, iv = public_secret(cipher)
    data = bytes(range(_DATA_BYTES)) if cipher.takes_associated_data else b""
    return Message(key, iv, data, bytes(text), _BYTE * length - spare)
