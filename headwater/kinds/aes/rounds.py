# SPDX-License-Identifier: Apache-2.0
"""The rounds of the first block under a key of 128 bits (FIPS 197, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.word import Wire, Word
from headwater.cipher import aes_ofb
from headwater.cipher.aes import COLUMNS, round_constant
from headwater.cipher.aes_ofb import ROUNDS, SBOX, block_of
from headwater.cipher.description import Cipher
from headwater.kinds.rounds import Rounds


def rounds_of(cipher: Cipher) -> Rounds | None:
    """The block after its first AddRoundKey, and the key that was added; a round makes both anew.
    None of a longer key, of which a round key is half or three quarters, and of no block."""
    if cipher.key_bits != 128 or cipher.iv_bits != (128,):
        return None
    names = tuple(f"{what}{place}" for what in ("block", "key") for place in range(COLUMNS))
    return Rounds(names, 32, ROUNDS, _begin, _step)


def _begin(key: bytes, block: bytes) -> list[int]:
    first = block_of(key)
    added = aes_ofb.add_round_key(block_of(block), first)
    return [word.value for word in (*added, *first)]


def _step(wire: Wire, words: Sequence[Word], number: int) -> Sequence[Word]:
    def substitute(word: Word) -> Word:
        return SBOX.apply(word, wire, "table")

    # A number is a constant in any reading that it is added to.
    constant = (words[0] & 0)[:8] ^ round_constant(COLUMNS * (number + 1), COLUMNS)
    key = aes_ofb.next_round_key(tuple(words[COLUMNS:]), constant, substitute, lambda w: wire(w))
    block = aes_ofb.shift_rows(tuple(map(substitute, words[:COLUMNS])))
    if number < ROUNDS - 1:
        block = tuple(aes_ofb.mix_column(wire(word, "shifted"), wire) for word in block)
    return *aes_ofb.add_round_key(block, key), *key
