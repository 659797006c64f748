# SPDX-License-Identifier: Apache-2.0
"""The rounds that stand before a message."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.word import IntegerWord, Wire, Word
from headwater.kinds.rounds import Rounds, words_of
from headwater.kinds.sponge.description import STATE_WORDS, WORD_BITS, SpongeAead


def rounds_of(cipher: SpongeAead) -> Rounds:
    """Those of the first long permutation."""

    def begin(key: bytes, nonce: bytes) -> list[int]:
        entering = b"".join(cipher.entering(key, nonce))
        return [cipher.initial_word, *words_of(entering, WORD_BITS)]

    def step(wire: Wire, words: Sequence[Word], number: int) -> Sequence[Word]:
        s0, s1, s2, s3, s4 = words
        constant = cipher.round_constant(IntegerWord(number, 4)).value
        return cipher.permutation_round(wire, (s0, s1, s2, s3, s4), (s2 & 0)[:8] ^ constant)

    names = tuple(f"S{place}" for place in range(STATE_WORDS))
    return Rounds(names, WORD_BITS, cipher.long_rounds, begin, step)
