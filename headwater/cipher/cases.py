# SPDX-License-Identifier: Apache-2.0
"""What a vector is, kind by kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from headwater.cipher.message import Message


@dataclass(frozen=True)
class KeystreamVector:
    """One segment of keystream.

    Members
    -------
    name : str
        Its id in the file.
    key, iv : bytes
    iv_bits : int
        Length of the IV, which need not be whole bytes.
    offset, bits : int
        Number of the first keystream bit of the segment, and length of the segment in bits.
    keystream : bytes
        The expected keystream, packed in the cipher's bit order.
    """

    name: str
    key: bytes
    iv: bytes
    iv_bits: int
    offset: int
    bits: int
    keystream: bytes


@dataclass(frozen=True)
class MessageVector:
    """One message of a cipher that authenticates its text or takes the text into its state, in both
    directions.

    Members
    -------
    name : str
        Its id in the file.
    encrypting, decrypting : Message
        The message with its plaintext, and with its ciphertext.
    tag : bytes
    """

    name: str
    encrypting: Message
    decrypting: Message
    tag: bytes

    @property
    def iv_bits(self) -> int:
        """Length of the nonce."""
        return 8 * len(self.encrypting.nonce)


@dataclass(frozen=True)
class KeyVector:
    """One key that is derived from another key before it is loaded.

    Members
    -------
    name : str
        Its id in the file.
    made : function
        ``made()`` gives the derived key.
    expected : bytes
        The expected key.
    what : str
        How the key is derived, as part of a message.
    """

    name: str
    made: Callable[[], bytes]
    expected: bytes
    what: str


@dataclass(frozen=True)
class TagVector:
    """One message that is authenticated, not encrypted.

    Members
    -------
    name : str
        Its id in the file.
    message : Message
    tag : bytes
    """

    name: str
    message: Message
    tag: bytes

    @property
    def iv_bits(self) -> int:
        """Length of the IV, in whole bytes."""
        return 8 * len(self.message.nonce)


Vector = KeystreamVector | MessageVector | KeyVector | TagVector
