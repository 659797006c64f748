# SPDX-License-Identifier: Apache-2.0
"""What a vector is, kind by kind."""

from __future__ import annotations

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
        First keystream bit of the segment, and how many there are.
    keystream : bytes
        What must come out, packed in the cipher's bit order.
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
    """One message of a cipher that takes its text in, or authenticates it, in both directions.

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
class ConstraintVector:
    """One key of E0, shortened to an effective length.

    Members
    -------
    name : str
        Its id in the file.
    key : bytes
    length : int
        Effective length in bytes.
    constrained : bytes
        The key that must come out.
    """

    name: str
    key: bytes
    length: int
    constrained: bytes


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


Vector = KeystreamVector | MessageVector | ConstraintVector | TagVector
