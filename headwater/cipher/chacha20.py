# SPDX-License-Identifier: Apache-2.0
"""ChaCha20 as the IETF uses it: Salsa20's successor with a longer nonce and a shorter counter.

Y. Nir, A. Langley, "ChaCha20 and Poly1305 for IETF protocols", RFC 8439 (2018).
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.word import Wire, add, rotate_left
from headwater.kinds.block_stream.description import BlockStreamCipher, Word

CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
"""The constants (section 2.3)."""

COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
"""The two kinds of round, section 2.3."""


def quarter_round(wire: Wire, a: Word, b: Word, c: Word, d: Word) -> tuple[Word, Word, Word, Word]:
    """The quarter round (section 2.1)."""
    a = wire(add(a, b), "a1")
    d = rotate_left(wire(d ^ a, "d1"), 16)
    c = wire(add(c, d), "c1")
    b = rotate_left(wire(b ^ c, "b1"), 12)
    a = wire(add(a, b), "a2")
    d = rotate_left(wire(d ^ a, "d2"), 8)
    c = wire(add(c, d), "c2")
    b = rotate_left(wire(b ^ c, "b2"), 7)
    return a, b, c, d


def matrix(
    constants: Sequence[Word], key: Sequence[Word], nonce: Sequence[Word], counter: Sequence[Word]
) -> list[Word]:
    """Section 2.3."""
    return [
        *constants,
        *key,
        *counter,
        *nonce,
    ]


CHACHA20 = BlockStreamCipher(
    name="chacha20",
    title="ChaCha20 (RFC 8439)",
    source="Y. Nir, A. Langley, ChaCha20 and Poly1305 for IETF protocols, RFC 8439, 2018",
    security="no attack on 20 rounds; the best attacks reach 7 rounds (J.-P. Aumasson, "
    "S. Fischer, S. Khazaei, W. Meier, C. Rechberger, FSE 2008, and later)",
    key_bits=256,
    legal_keys=(256,),
    iv_bits=(96,),
    bit_order="lsb_first",
    convention="key, nonce and keystream are byte strings as in the RFC, words are little-endian; "
    "the first bit of a byte is its least significant one",
    rounds=20,
    legal_rounds=(20,),
    counter_bits=32,
    constants={256: CONSTANTS},
    quarter_round=quarter_round,
    first_round=COLUMNS,
    second_round=DIAGONALS,
    matrix=matrix,
)
