# SPDX-License-Identifier: Apache-2.0
"""AES-256, encryption only (FIPS 197): the key schedule of eight words, and fourteen rounds.

Rounds and names are those of `headwater.cipher.aes_ofb`.
"""

from __future__ import annotations

from collections.abc import Callable

from headwater.algebra.word import IntegerWord, Word, choose
from headwater.cipher.aes_ofb import (
    FIRST_CONSTANT,
    Block,
    Substitute,
    add_round_key,
    block_of,
    bytes_of_block,
    column,
    double,
    expanded,
    key_core,
    mix_column,
    rows,
    shift_rows,
    substitute_word,
)

ROUNDS = 14


def key_part(word: Word, rotates: Word, constant: Word, substitute: Substitute) -> Word:
    """What KeyExpansion (section 5.2) adds to the first of four words: SubWord of the word before
    it, with RotWord where ``rotates`` is one, plus the round constant."""
    a0, a1, a2, a3 = rows(word)
    return key_core(choose(rotates, word, column(a3, a0, a1, a2)), constant, substitute)


def next_half(
    older: Block,
    newest: Word,
    rotates: Word,
    constant: Word,
    substitute: Substitute,
    wire: Callable[[Word], Word],
) -> Block:
    """Four words of KeyExpansion from the ``older`` four of the last eight words and the ``newest``
    of them. Every other four have RotWord and a round constant; for the others it is zero."""
    return expanded(older, key_part(newest, rotates, constant, substitute), wire)


def round_keys(key: bytes) -> list[Block]:
    """KeyExpansion (section 5.2) of a key of 256 bits."""
    keys, constant = [block_of(key[:16]), block_of(key[16:])], IntegerWord(FIRST_CONSTANT, 8)
    while len(keys) <= ROUNDS:
        even = len(keys) % 2 == 0
        keys.append(
            next_half(
                keys[-2],
                keys[-1][-1],
                IntegerWord(int(even), 1),
                constant if even else IntegerWord(0, 8),
                substitute_word,
                lambda word: word,
            )
        )
        constant = double(constant) if even else constant
    return keys


def encrypt(keys: list[Block], block: bytes) -> bytes:
    """Cipher (section 5.1) of one block under the round keys."""
    state = add_round_key(block_of(block), keys[0])
    for number in range(1, ROUNDS + 1):
        state = shift_rows(tuple(map(substitute_word, state)))
        if number < ROUNDS:
            state = tuple(map(mix_column, state))
        state = add_round_key(state, keys[number])
    return bytes_of_block(state)
