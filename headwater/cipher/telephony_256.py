# SPDX-License-Identifier: Apache-2.0
"""The 256-bit modes of 5G: 256-NEA4 to 256-NCA6, with SNOW 5G, AES-256 and ZUC-256.

The specifications of 3GPP were not at hand. The modes were written from public code, its test
vectors, and the Internet draft of GCM-SST (draft-mattsson-cfrg-aes-gcm-sst), whose hash they use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from headwater.algebra.field import Field
from headwater.cipher.aes256 import encrypt, round_keys
from headwater.cipher.cases import PartVector
from headwater.cipher.snow5g import SNOW_5G
from headwater.cipher.zuc import ZUC_256
from headwater.kinds.telephony.mode_256 import (
    BLOCK_BYTES,
    BlockAead,
    BlockCiphering,
    BlockIntegrity,
    Ciphering,
    CipheringWithIntegrity,
    Integrity256,
    Mode256,
    WordAead,
    WordCiphering,
    WordIntegrity,
)

POLYVAL = Field(1 << 128 | 1 << 127 | 1 << 126 | 1 << 121 | 1)
"""The field of POLYVAL (RFC 8452): bit i of byte j is the coefficient of x^(8j + i)."""

_PER_BLOCK = POLYVAL.inverse(POLYVAL.power(2, 128))
"""x^-128, by which every product of the hash is multiplied."""


def hash_value(h: bytes, q: bytes, p: bytes, associated_data: bytes, ciphertext: bytes) -> bytes:
    """The hash of GCM-SST: both texts, each padded with zeros to whole blocks, as a polynomial at
    H; their lengths added; times Q; plus P. A tag is the first bytes of it."""
    point, last_point = (POLYVAL.multiply(_element(key), _PER_BLOCK) for key in (h, q))
    value = 0
    for text in (associated_data, ciphertext):
        for first in range(0, len(text), BLOCK_BYTES):
            block = _element(text[first : first + BLOCK_BYTES])
            value = POLYVAL.multiply(value ^ block, point)
    lengths = 8 * len(ciphertext) | 8 * len(associated_data) << 64
    return _bytes(POLYVAL.multiply(value ^ lengths, last_point) ^ _element(p))


def _element(block: bytes) -> int:
    return int.from_bytes(block, "little")


def _bytes(element: int) -> bytes:
    return element.to_bytes(BLOCK_BYTES, "little")


@dataclass(frozen=True)
class AesCounter:
    """AES-256 in counter mode. The last four bytes of the IV count blocks; bit 0 of its first byte
    is one in the blocks that are keys of the hash."""

    key: bytes = field(repr=False)
    iv: bytes

    def hash_keys(self) -> tuple[bytes, bytes, bytes]:
        """H, Q and P, the keys of the hash."""
        blocks = self._blocks(3, mark=1)
        return blocks[:16], blocks[16:32], blocks[32:]

    def text(self, count: int, *, authenticated: bool) -> bytes:  # noqa: ARG002
        """So many bytes of keystream for a text; the keys of the hash take none of them."""
        return self._blocks(-(-count // BLOCK_BYTES), mark=0)[:count]

    def _blocks(self, count: int, mark: int) -> bytes:
        keys, begin = round_keys(self.key), bytes([self.iv[0] & 0xFE | mark]) + self.iv[1:12]
        return b"".join(encrypt(keys, begin + number.to_bytes(4, "big")) for number in range(count))


def _hash_vector(entry: Any, cipher: Mode256) -> list[Any]:  # noqa: ARG001
    """An entry of a file about the hash alone."""
    parts = [entry.data(name) for name in ("h", "q", "p", "ad", "ciphertext")]
    return [PartVector(entry.name, lambda: hash_value(*parts), entry.data("tag"), "hash")]


_CONVENTION = (
    "Key, IV, texts and tags are bytes in the order in which they are sent, the first bit of a "
    "byte its most significant one; texts are whole bytes. The IV is the whole one of 16 bytes: "
    "that byte 0 tells the length of the tag, byte 1 BEARER and DIRECTION, and bytes 8 to 11 COUNT "
    "is read off public vectors, and must be compared with the specification of 3GPP first."
)
_FORGERY = "; a forgery of a tag of t bits succeeds by chance with probability 2^-t"
_OF_THE_HASH: Mapping[str, Any] = {
    "vector_names": ("mac5g",),
    "vector_readers": {"mac-core": _hash_vector},
}

_Classes = tuple[type[Ciphering], type[Integrity256], type[CipheringWithIntegrity]]
_OF_WORDS: _Classes = (WordCiphering, WordIntegrity, WordAead)
_OF_BLOCKS: _Classes = (BlockCiphering, BlockIntegrity, BlockAead)

_CIPHERS: tuple[tuple[int, str, _Classes, Mapping[str, Any]], ...] = (
    (4, "SNOW 5G", _OF_WORDS, {"base": replace(SNOW_5G, folds=())}),
    (5, "AES-256", _OF_BLOCKS, {"keystream": AesCounter}),
    (6, "ZUC-256", _OF_WORDS, {"base": ZUC_256}),
)


def _modes(
    number: int, title: str, classes: _Classes, cipher: Mapping[str, Any]
) -> tuple[Mode256, ...]:
    """Ciphering, integrity, and both, with one cipher."""
    fields: dict[str, Any] = {
        **cipher,
        "source": "3GPP, 256-bit algorithms for 5G, as public code and its vectors tell them; "
        "draft-mattsson-cfrg-aes-gcm-sst",
        "convention": _CONVENTION,
        "described_in": __file__,
    }
    security = f"that of {title}; no key and IV may be used for two messages"
    nea, nia, nca = (f"256-{family}{number}" for family in ("NEA", "NIA", "NCA"))
    ciphering, integrity, both = classes
    return (
        ciphering(
            name=f"nea{number}", title=f"{nea}: ciphering with {title}", security=security, **fields
        ),
        integrity(
            name=f"nia{number}",
            title=f"{nia}: integrity with {title}",
            security=security + _FORGERY,
            **_OF_THE_HASH,
            **fields,
        ),
        both(
            name=f"nca{number}",
            security=security + _FORGERY,
            title=f"{nca}: ciphering and integrity with {title}",
            **_OF_THE_HASH,
            **fields,
        ),
    )


MODES_256 = tuple(mode for cipher in _CIPHERS for mode in _modes(*cipher))
