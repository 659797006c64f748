# SPDX-License-Identifier: Apache-2.0
"""AES-128 in output feedback mode: a block cipher that encrypts its own output again and again.

The cipher is FIPS 197, "Advanced Encryption Standard (AES)", section 5, the mode is section 6.4
of NIST SP 800-38A. The names are those of FIPS 197. A block is four columns, each a word of four
bytes with the byte of row 0 on top, as FIPS 197 writes words; ``substitute`` is SubBytes of a word
of any number of bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headwater.algebra.sbox import SR
from headwater.algebra.word import IntegerWord, Wire, Word, concatenate, through, times_x, unnamed
from headwater.kinds.aes.description import AesOfb

Block = tuple[Word, ...]
"""The four columns of a state, or the four words of a round key."""

Substitute = Callable[[Word], Word]

SBOX = SR
"""The S-box of FIPS 197, section 5.1.1."""

ROUNDS = 10
FIRST_CONSTANT = 0x01
"""The round constant of the first computed round key."""


def rows(word: Word) -> tuple[Word, Word, Word, Word]:
    """The bytes of a word, the byte of row 0 first."""
    return word[24:32], word[16:24], word[8:16], word[0:8]


def column(a0: Word, a1: Word, a2: Word, a3: Word) -> Word:
    """The word of four bytes, the byte of row 0 first."""
    return concatenate(a3, a2, a1, a0)


def double(byte: Word) -> Word:
    """xtime (section 4.2.1): a byte times x, where x^8 is x^4 + x^3 + x + 1."""
    return times_x(byte, 0x1B)


def shift_rows(state: Block) -> Block:
    """ShiftRows (section 5.1.2): row r moves r columns to the left."""
    bytes_of = [rows(word) for word in state]
    return tuple(
        column(*(bytes_of[(number + row) % 4][row] for row in range(4))) for number in range(4)
    )


def mixed(wire: Wire, column: Sequence[Word], name: str = "pair") -> Word:
    """One byte of MixColumns (section 5.1.3) from the four bytes of its column, beginning with the
    byte at its place."""
    a, b, c, d = column
    return double(wire(a ^ b, name)) ^ b ^ c ^ d


def mix_column(word: Word, wire: Wire = unnamed) -> Word:
    """MixColumns of one column."""
    return through(wire, "mix_column", 32, _mix_column, word)


def _mix_column(wire: Wire, word: Word) -> Word:
    a = rows(word)
    return column(*(mixed(wire, a[row:] + a[:row], f"pair_{row}") for row in range(4)))


def key_core(word: Word, constant: Word, substitute: Substitute) -> Word:
    """SubWord(RotWord(word)) xor Rcon (section 5.2)."""
    a0, a1, a2, a3 = rows(word)
    s0, s1, s2, s3 = rows(substitute(column(a1, a2, a3, a0)))
    return column(s0 ^ constant, s1, s2, s3)


def next_round_key(
    key: Block, constant: Word, substitute: Substitute, wire: Callable[[Word], Word]
) -> Block:
    """Four words of KeyExpansion (section 5.2) from the four preceding words."""
    return expanded(key, key_core(key[3], constant, substitute), wire)


def expanded(before: Block, added: Word, wire: Callable[[Word], Word]) -> Block:
    """Four words of KeyExpansion (section 5.2): each is the one ``before`` at its place plus the
    word that precedes it, of the first the word that is ``added``."""
    w0 = wire(before[0] ^ added)
    w1 = wire(before[1] ^ w0)
    w2 = wire(before[2] ^ w1)
    w3 = wire(before[3] ^ w2)
    return w0, w1, w2, w3


def add_round_key(state: Block, key: Block) -> Block:
    """AddRoundKey (section 5.1.4)."""
    return tuple(word ^ part for word, part in zip(state, key, strict=True))


def cipher(state: Block, key: Block) -> Block:
    """Cipher (section 5.1), read with integers: one block under one key."""
    constant = IntegerWord(FIRST_CONSTANT, 8)
    state = add_round_key(state, key)
    for number in range(1, ROUNDS + 1):
        key = next_round_key(key, constant, substitute_word, lambda word: word)
        constant = double(constant)
        state = shift_rows(tuple(map(substitute_word, state)))
        if number < ROUNDS:
            state = tuple(map(mix_column, state))
        state = add_round_key(state, key)
    return state


def substitute_word(word: IntegerWord) -> IntegerWord:
    """SubBytes of an integer word, by the table."""
    places = range(0, len(word), 8)
    return concatenate(*(IntegerWord(SBOX.entries[word[low : low + 8].value], 8) for low in places))


AES_OFB = AesOfb(
    described_in=__file__,
    name="aes_ofb",
    title="AES-128 in OFB mode",
    source="FIPS 197 (AES); NIST SP 800-38A, section 6.4 (OFB)",
    security="unbroken; no IV may serve twice under one key, and nothing tells a changed message",
    key_bits=128,
    iv_bits=(128,),
    bit_order="msb_first",
    convention=(
        "bytes of key, IV and keystream as in FIPS 197 and SP 800-38A, the first bit of a byte "
        "is its most significant one"
    ),
    first_bit_on_top=True,
)


def block_of(data: bytes) -> Block:
    """Sixteen bytes as four integer words."""
    return tuple(
        IntegerWord(int.from_bytes(data[place : place + 4], "big"), 32) for place in (0, 4, 8, 12)
    )


def bytes_of_block(block: tuple[Any, ...]) -> bytes:
    """Four integer words as sixteen bytes."""
    return b"".join(word.value.to_bytes(4, "big") for word in block)
