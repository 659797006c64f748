# SPDX-License-Identifier: Apache-2.0
"""Cores and keystream of Salsa20 and ChaCha20, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.word import IntegerWord
from headwater.cipher.chacha20 import CHACHA20
from headwater.cipher.salsa20 import SALSA20
from headwater.core.architecture import Architecture
from headwater.kinds.block_stream.description import BlockStreamCipher
from headwater.kinds.reading import Keystream
from headwater.verify.segments import Segment

CIPHERS = {"salsa20": SALSA20, "chacha20": CHACHA20}
FOLDS, BUFFERS, RADICES = ("double", "round", "quarter"), ("block", "none"), (32, 64, 512)
KEY = bytes(range(32))
NONCES = {"salsa20": bytes(range(8)), "chacha20": bytes(range(12))}


def number(value: int) -> IntegerWord:
    return IntegerWord(value, 32)


def values(words: Sequence[IntegerWord]) -> list[int]:
    return [word.value for word in words]


def core(
    cipher: BlockStreamCipher, radix: int = 32, load_width: int | None = None, **options: str
) -> Architecture:
    return Architecture.choose(cipher, radix=radix, load_width=load_width, options=options)


def keystream(cipher: BlockStreamCipher, offset: int, bits: int, key: bytes = KEY) -> bytes:
    stream = Keystream(cipher, key=key, iv=NONCES[cipher.name])
    stream.skip(offset)
    return stream.read(bits)


def segment(cipher: BlockStreamCipher, offset: int, bits: int, key: bytes = KEY) -> Segment:
    return Segment(key, NONCES[cipher.name], offset, bits)
