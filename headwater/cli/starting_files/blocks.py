# SPDX-License-Identifier: Apache-2.0
"""my_cipher: a starting point. It works, but it is no cipher: replace all that REPLACE marks.

REPLACE: the document, with author, title and year, and where its words stand in the matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headwater.algebra.word import add, rotate_left
from headwater.kinds.block_stream.description import BlockStreamCipher


# REPLACE: a quarter round of four words, with ^, add and rotate_left.
def quarter_round(wire: Any, a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any]:
    """The four words after it."""
    b = wire(b ^ rotate_left(add(a, d), 7))
    c = wire(c ^ rotate_left(add(b, a), 9))
    d = wire(d ^ rotate_left(add(c, b), 13))
    a = wire(a ^ rotate_left(add(d, c), 18))
    return a, b, c, d


# REPLACE: the sixteen words of a block before its rounds.
def matrix(
    constants: Sequence[Any], key: Sequence[Any], nonce: Sequence[Any], counter: Sequence[Any]
) -> list[Any]:
    """Four constants, eight words of key, one of the block number, three of the nonce."""
    return [*constants, *key, *counter, *nonce]


MY_CIPHER = BlockStreamCipher(
    name="my_cipher",
    # REPLACE: what it is called in prose, where it is from, and what is known of its security. A
    # line that begins with "broken" or "not for use" makes every verb say so.
    title="my_cipher",
    source="nobody: the starting file of headwater new-cipher",
    security="not for use: a starting point, not a cipher",
    # REPLACE: lengths in bits, multiples of 32, and which keys the core may be made for.
    key_bits=256,
    legal_keys=(256,),
    iv_bits=(96,),
    counter_bits=32,
    # Words are little-endian in every cipher of this kind.
    bit_order="lsb_first",
    convention="The first byte of a word is its lowest one; so is the first bit of a byte.",
    # REPLACE: rounds of a block, and the numbers of them that may be asked for.
    rounds=8,
    legal_rounds=(8, 12),
    # REPLACE: the four words that are always the same, by the length of the key.
    constants={256: (0x01234567, 0x89ABCDEF, 0xFEDCBA98, 0x76543210)},
    quarter_round=quarter_round,
    # REPLACE: the places in the matrix that the quarter rounds of odd and of even rounds work on.
    first_round=((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)),
    second_round=((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)),
    matrix=matrix,
)

CIPHERS = (MY_CIPHER,)
