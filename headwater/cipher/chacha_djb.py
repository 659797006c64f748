# SPDX-License-Identifier: Apache-2.0
"""ChaCha as its author published it, with 64 bits of nonce and of block number, and XChaCha20 with
its nonce of 192 bits.

D. J. Bernstein, "ChaCha, a variant of Salsa20" (2008); S. Arciszewski, "XChaCha: eXtended-nonce
ChaCha and AEAD_XChaCha20_Poly1305", draft-irtf-cfrg-xchacha-03 (2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.cases import PartVector
from headwater.cipher.chacha20 import CHACHA20, CONSTANTS
from headwater.cipher.salsa20 import TAU
from headwater.kinds.block_stream.description import (
    WORD_BITS,
    BlockStreamCipher,
    KeyDerivation,
    Word,
)


def matrix(
    constants: Sequence[Word], key: Sequence[Word], nonce: Sequence[Word], counter: Sequence[Word]
) -> list[Word]:
    """The matrix of the paper's section 3; a key of 128 bits appears twice."""
    first, second = key[:4], key[-4:]
    return [
        *constants,
        *first,
        *second,
        *counter,
        *nonce,
    ]


CHACHA_DJB = replace(
    CHACHA20,
    name="chacha_djb",
    title="ChaCha with 64-bit nonce and block number",
    source="D. J. Bernstein, ChaCha, a variant of Salsa20, 2008",
    security="no attack on 8, 12 or 20 rounds; the best attacks reach 7 rounds (J.-P. Aumasson, "
    "S. Fischer, S. Khazaei, W. Meier, C. Rechberger, FSE 2008, and later)",
    convention="key, nonce and keystream are byte strings, words are little-endian; the first bit "
    "of a byte is its least significant one",
    iv_bits=(64,),
    legal_keys=(256, 128),
    legal_rounds=(20, 12, 8),
    counter_bits=64,
    constants={256: CONSTANTS, 128: TAU},
    matrix=matrix,
)


def matrix_of_key(
    constants: Sequence[Word], key: Sequence[Word], nonce: Sequence[Word]
) -> list[Word]:
    """The matrix of HChaCha20: the first 128 bits of the nonce in the last row (section 2.2)."""
    return [*constants, *key, *nonce[:4]]


def extended_matrix(
    constants: Sequence[Word], key: Sequence[Word], nonce: Sequence[Word], counter: Sequence[Word]
) -> list[Word]:
    """The matrix of a block under the derived key, with the last 64 bits of the nonce (section
    2.3). The draft's 32 zero bits in front of them are the upper half of the block number."""
    return matrix(constants, key, nonce[4:], counter)


def words_of(data: bytes) -> list[IntegerWord]:
    """The words of a string of bytes."""
    size = WORD_BITS // 8
    return [
        IntegerWord(int.from_bytes(data[place : place + size], "little"), WORD_BITS)
        for place in range(0, len(data), size)
    ]


def hchacha20(cipher: BlockStreamCipher, key: bytes, nonce: bytes, constant: bytes) -> bytes:
    """HChaCha20 (section 2.2): 32 bytes of a key of 32 and a nonce of 16, with a ``constant`` of
    16."""
    derivation = cipher.derivation
    assert derivation is not None
    matrix = derivation.matrix(words_of(constant), words_of(key), words_of(nonce))
    words = cipher.derived(cipher.run_rounds(unnamed, matrix))
    return b"".join(word.value.to_bytes(WORD_BITS // 8, "little") for word in words)


def read_core(entry: Any, cipher: Any) -> list[PartVector]:
    """Read a vector of HChaCha20; a field ``constant`` stands for the constant of a key of 256
    bits."""
    key, nonce = entry.packed("key", 256), entry.packed("input", 128)
    constant = b"".join(word.to_bytes(WORD_BITS // 8, "little") for word in CONSTANTS)
    if "constant" in entry.fields:
        constant = entry.packed("constant", 128)
    expected = entry.packed("output", 256)
    return [
        PartVector(
            entry.name, lambda: hchacha20(cipher, key, nonce, constant), expected, "HChaCha20"
        )
    ]


XCHACHA20 = replace(
    CHACHA_DJB,
    name="xchacha20",
    title="XChaCha20",
    source="S. Arciszewski, XChaCha: eXtended-nonce ChaCha and AEAD_XChaCha20_Poly1305, "
    "draft-irtf-cfrg-xchacha-03, 2020",
    security="as secure as ChaCha20: no attack on 20 rounds; nonces may be drawn at random",
    iv_bits=(192,),
    legal_keys=(256,),
    legal_rounds=(20,),
    constants={256: CONSTANTS},
    matrix=extended_matrix,
    derivation=KeyDerivation(matrix_of_key, (0, 1, 2, 3, 12, 13, 14, 15)),
    vector_names=("hchacha20",),
    vector_readers={"core": read_core},
)
