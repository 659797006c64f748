# SPDX-License-Identifier: Apache-2.0
"""AES-256, encryption only (FIPS 197): the key schedule of eight words, and fourteen rounds.

Rounds and names are those of `headwater.cipher.aes_ofb`.
"""

from __future__ import annotations

from headwater.algebra.word import IntegerWord
from headwater.cipher.aes_ofb import (
    FIRST_CONSTANT,
    Block,
    add_round_key,
    block_of,
    bytes_of_block,
    double,
    key_core,
    mix_column,
    shift_rows,
    substitute_word,
)

ROUNDS = 14
KEY_WORDS = 8


def round_keys(key: bytes) -> list[Block]:
    """KeyExpansion (section 5.2) of a key of 256 bits."""
    words = [*block_of(key[:16]), *block_of(key[16:])]
    constant = IntegerWord(FIRST_CONSTANT, 8)
    for number in range(KEY_WORDS, 4 * (ROUNDS + 1)):
        word = words[-1]
        if number % KEY_WORDS == 0:
            word = key_core(word, constant, substitute_word)
            constant = double(constant)
        elif number % KEY_WORDS == KEY_WORDS // 2:
            word = substitute_word(word)
        words.append(words[-KEY_WORDS] ^ word)
    return [tuple(words[first : first + 4]) for first in range(0, len(words), 4)]


def encrypt(keys: list[Block], block: bytes) -> bytes:
    """Cipher (section 5.1) of one block under the round keys."""
    state = add_round_key(block_of(block), keys[0])
    for number in range(1, ROUNDS + 1):
        state = shift_rows(tuple(map(substitute_word, state)))
        if number < ROUNDS:
            state = tuple(map(mix_column, state))
        state = add_round_key(state, keys[number])
    return bytes_of_block(state)
