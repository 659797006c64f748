# SPDX-License-Identifier: Apache-2.0
"""The rounds of the first block."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.word import Wire, Word
from headwater.kinds.block_stream.description import WORD_BITS, WORDS, BlockStreamCipher
from headwater.kinds.rounds import Rounds, words_of


def rounds_of(cipher: BlockStreamCipher) -> Rounds:
    """Those of block 0 or, where a key is derived first, of its derivation."""

    def begin(key: bytes, nonce: bytes) -> list[int]:
        strings = words_of(key, WORD_BITS), words_of(nonce, WORD_BITS)
        if cipher.derivation:
            return cipher.begin_key(*strings, int)
        return cipher.begin(*strings, [0] * (cipher.counter_bits // WORD_BITS), int)

    def step(wire: Wire, words: Sequence[Word], number: int) -> Sequence[Word]:
        return cipher.run_round(lambda _: wire, words, number)

    names = tuple(f"x{place}" for place in range(WORDS))
    return Rounds(names, WORD_BITS, cipher.rounds, begin, step)
