# SPDX-License-Identifier: Apache-2.0
"""A round of AES (FIPS 197, section 5.1) on a word of 128 bits, for ciphers made of such rounds."""

from __future__ import annotations

from headwater.algebra.sbox import SR
from headwater.algebra.word import (
    IntegerWord,
    Wire,
    Word,
    concatenate,
    lookup,
    through,
    times_x,
)
from headwater.algebra.written import WrittenWord


def aes_round(wire: Wire, block: Word, key: Word) -> Word:
    """SubBytes, ShiftRows, MixColumns, and the sum with ``key``. Byte i of a block, its bits 8i to
    8i + 7, is that of row i mod 4 and column i // 4, as FIPS 197 loads its input."""
    octets = [_substituted(wire, block[8 * place : 8 * place + 8]) for place in range(16)]
    moved = (
        concatenate(*(octets[4 * ((column + row) % 4) + row] for row in range(4)))
        for column in range(4)
    )
    return (
        concatenate(*(through(wire, "mixed_column", 32, mix_column, word) for word in moved)) ^ key
    )


def _substituted(wire: Wire, octet: Word) -> Word:
    """SubBytes of a byte: looked up where that is fast, and a circuit elsewhere."""
    if isinstance(octet, IntegerWord | WrittenWord):
        return lookup(octet, SR.table)
    return through(wire, "sr_box", 8, SR.programs["algebraic"].word, octet)


def mix_column(wire: Wire, word: Word) -> Word:
    """MixColumns of a column, the byte of row 0 lowest."""
    a = [word[8 * row : 8 * row + 8] for row in range(4)]
    pairs = [wire(a[row] ^ a[(row + 1) % 4], f"pair_{row}") for row in range(4)]
    return concatenate(
        *(times_x(pairs[row], 0x1B) ^ a[(row + 1) % 4] ^ pairs[(row + 2) % 4] for row in range(4))
    )
