# SPDX-License-Identifier: Apache-2.0
"""The 256-bit modes of 5G: ciphering, integrity, and both at once, of three ciphers.

Each mode has the same shape. A cipher makes keystream from a key of 256 bits and an IV of 128 bits;
ciphering adds it to the text; integrity is a hash over GF(2^128) whose three keys the cipher makes.
The modes themselves are in `headwater.cipher.telephony_256`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NoReturn, Protocol

from headwater.algebra.bitstring import BitOrder
from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.telephony.description import BEARER_BITS, COUNT_BITS

BLOCK_BYTES = 16
TAG_LENGTHS = tuple(range(32, 129, 8))
HASH_KEYS_BYTES = 3 * BLOCK_BYTES
EXTRA_BYTES = 6
"""Bytes of the IV whose use is not public."""


class Keystream(Protocol):
    """What the cipher of a mode makes under one key and IV."""

    def hash_keys(self) -> tuple[bytes, bytes, bytes]:
        """H, Q and P, the keys of the hash."""

    def text(self, count: int, *, authenticated: bool) -> bytes:
        """So many bytes of keystream for a text; where the mode ``authenticated`` as well, those
        that the keys of the hash leave."""


@dataclass(frozen=True, kw_only=True)
class Mode256(Cipher):
    """One of the modes. It has a model and no core yet."""

    kind: ClassVar[str] = "telephony"

    key_bits: int = 256
    iv_bits: tuple[int, ...] = (128,)
    bit_order: BitOrder = "msb_first"
    base: WordCipher | None = None
    """The cipher, where it makes words one after the other: the first ones are H, Q and P."""
    keystream: Callable[[bytes, bytes], Keystream] | None = None
    """``keystream(key, iv)`` of any other cipher."""
    blocks_from_zero: bool = False
    """Whether the last 32 bits of the IV must be zero, because the cipher counts blocks there."""
    iv_mark: int = 0
    """What byte 0 of a formed IV holds beside the length of the tag."""

    text_unit = 8
    formed_fields = (
        ("count", COUNT_BITS),
        ("bearer", BEARER_BITS),
        ("direction", 1),
        ("extra", 8 * EXTRA_BYTES),
    )
    no_core = "has a model and no core yet"

    @property
    def no_keystream(self) -> str:
        """Why the mode has no keystream of its own: it is that of the cipher."""
        other = f"that of {self.base.name}" if self.base else "encrypt of a text of zeros"
        return f"apart from its messages: use {other}"

    def formed_iv(self, tag_bits: int, *values: int) -> bytes:
        """The IV of a message, as the vectors of public code suggest it: a byte for the length of
        the tag, BEARER || DIRECTION, six bytes whose use is not public, COUNT, and zeros."""
        count, bearer, direction, extra = values
        first = bytes([tag_bits + self.iv_mark, bearer << 1 | direction])
        return first + extra.to_bytes(EXTRA_BYTES, "big") + count.to_bytes(4, "big") + bytes(4)

    def input_bits(
        self, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bits of key and IV; see `Cipher.input_bits`."""
        found = super().input_bits(key, iv, iv_bits)
        if self.blocks_from_zero and any(iv[12:]):
            raise InputError(f"the last 4 bytes of the IV of {self.name} must be zero")
        return found

    @property
    def state_bits(self) -> int:
        """Refused, as is all that asks for a core."""
        self._refuse()

    def legal_radices(self) -> tuple[int, ...]:
        """Refused, as is all that asks for a core."""
        self._refuse()

    def legal_load_widths(self, radix: int) -> tuple[int, ...]:  # noqa: ARG002
        """Refused, as is all that asks for a core."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise InputError(f"{self.name} {self.no_core}")


@dataclass(frozen=True, kw_only=True)
class Ciphering(Mode256):
    """Adds keystream to a text of whole bytes."""

    service = "3gpp-cipher"


@dataclass(frozen=True, kw_only=True)
class Integrity256(Mode256):
    """Makes a tag of 32 to 128 bits for a message of whole bytes."""

    service = "3gpp-mac"
    tag_lengths = TAG_LENGTHS


@dataclass(frozen=True, kw_only=True)
class CipheringWithIntegrity(Mode256):
    """Encrypts, and makes a tag for associated data and ciphertext."""

    iv_mark: int = 4
    takes_associated_data: bool = True

    service = "aead"
    tag_lengths = TAG_LENGTHS
