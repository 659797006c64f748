# SPDX-License-Identifier: Apache-2.0
"""What a vector is, kind by kind. The name of each is its id in the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from headwater.cipher.message import Message

RESULTS = ("valid", "invalid", "acceptable")
"""What a file may expect of a vector: that it is right, that it is rejected, or either."""


@dataclass(frozen=True)
class KeystreamVector:
    """One segment of keystream."""

    name: str
    key: bytes
    iv: bytes
    iv_bits: int
    """Length of the IV, which need not be whole bytes."""
    offset: int
    """Number of the first keystream bit of the segment."""
    bits: int
    keystream: bytes
    """The expected keystream, packed in the cipher's bit order."""


@dataclass(frozen=True)
class MessageVector:
    """One message of a cipher that authenticates its text or takes the text into its state, in both
    directions."""

    name: str
    encrypting: Message
    """The message with its plaintext."""
    decrypting: Message
    """The message with its ciphertext."""
    tag: bytes

    @property
    def iv_bits(self) -> int:
        """Length of the nonce."""
        return 8 * len(self.encrypting.nonce)


@dataclass(frozen=True)
class DigestVector:
    """The sum modulo 2 of the blocks of a keystream, each as long as the digest."""

    name: str
    key: bytes
    iv: bytes
    iv_bits: int
    """Length of the IV, which need not be whole bytes."""
    count: int
    """Bytes of the keystream, from its first one on: whole blocks."""
    digest: bytes


@dataclass(frozen=True)
class ForgedVector:
    """One message that must be rejected: its tag is another, or it has a part of no legal
    length."""

    name: str
    message: Message
    """To decrypt, or to authenticate."""
    tag: bytes
    text: bytes | None = None
    """The plaintext that the file has with it; empty where none is made."""

    @property
    def iv_bits(self) -> int:
        """Length of the nonce."""
        return 8 * len(self.message.nonce)


@dataclass(frozen=True)
class KeyVector:
    """One key that is derived from another key before it is loaded."""

    name: str
    made: Callable[[], bytes]
    """``made()`` gives the derived key."""
    expected: bytes
    what: str
    """How the key is derived, as part of a message."""


@dataclass(frozen=True)
class TagVector:
    """One message that is authenticated, not encrypted."""

    name: str
    message: Message
    tag: bytes

    @property
    def iv_bits(self) -> int:
        """Length of the IV, in whole bytes."""
        return 8 * len(self.message.nonce)


@dataclass(frozen=True)
class PartVector:
    """The value of one part of a cipher by itself."""

    name: str
    made: Callable[[], bytes]
    """``made()`` gives the value."""
    expected: bytes
    what: str
    """The part, as part of a message."""


Vector = (
    KeystreamVector
    | DigestVector
    | MessageVector
    | ForgedVector
    | KeyVector
    | TagVector
    | PartVector
)
