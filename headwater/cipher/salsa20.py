# SPDX-License-Identifier: Apache-2.0
"""Salsa20: a hash function of key, nonce and block number, used as a stream cipher.

D. J. Bernstein, "Salsa20 specification" (2005). Names and the order of words are those of the
specification.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.word import Wire, add, rotate_left
from headwater.kinds.block_stream.description import BlockStreamCipher, Word

SIGMA = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
"""ASCII "expand 32-byte k", section 8."""

TAU = (0x61707865, 0x3120646E, 0x79622D36, 0x6B206574)
"""ASCII "expand 16-byte k"."""

COLUMNS = ((0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11))
"""Columnround, section 5."""

ROWS = ((0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14))
"""Rowround, section 4."""


def quarter_round(
    wire: Wire, y0: Word, y1: Word, y2: Word, y3: Word
) -> tuple[Word, Word, Word, Word]:
    """The quarter round (section 3)."""
    z1 = wire(y1 ^ rotate_left(wire(add(y0, y3), "sum1"), 7), "z1")
    z2 = wire(y2 ^ rotate_left(wire(add(z1, y0), "sum2"), 9), "z2")
    z3 = wire(y3 ^ rotate_left(wire(add(z2, z1), "sum3"), 13), "z3")
    z0 = wire(y0 ^ rotate_left(wire(add(z3, z2), "sum0"), 18), "z0")
    return z0, z1, z2, z3


def matrix(
    c: Sequence[Word], k: Sequence[Word], n: Sequence[Word], i: Sequence[Word]
) -> list[Word]:
    """The first matrix (section 8); a short key appears twice."""
    first, second = k[:4], k[-4:]
    return [
        c[0],
        *first,
        c[1],
        *n,
        *i,
        c[2],
        *second,
        c[3],
    ]


SALSA20 = BlockStreamCipher(
    name="salsa20",
    title="Salsa20",
    source="D. J. Bernstein, Salsa20 specification, 2005",
    security="20 rounds unbroken; the best key recovery reaches 8 rounds (about 2^245 for 256-bit "
    "keys: A. R. Choudhuri, S. Maitra, FSE 2017), 12 rounds have a margin",
    key_bits=256,
    legal_keys=(256, 128),
    iv_bits=(64,),
    bit_order="lsb_first",
    convention="key, nonce and keystream are byte strings as in the specification, words are "
    "little-endian; the first bit of a byte is its least significant one",
    rounds=20,
    legal_rounds=(20, 12, 8),
    counter_bits=64,
    constants={256: SIGMA, 128: TAU},
    quarter_round=quarter_round,
    first_round=COLUMNS,
    second_round=ROWS,
    matrix=matrix,
)
