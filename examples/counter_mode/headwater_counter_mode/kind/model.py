# SPDX-License-Identifier: Apache-2.0
"""The model: the description read with integers."""

from __future__ import annotations

from headwater.algebra.word import IntegerWord, unnamed
from headwater.algebra.written import written
from headwater.kinds.buffered import BufferedKeystream
from headwater_counter_mode.kind.description import CounterModeCipher


class CounterModeModel(BufferedKeystream):
    """The keystream under one key and IV, from its first bit."""

    def __init__(
        self, cipher: CounterModeCipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        super().__init__(cipher, cipher.block_bits)
        self._rounds = cipher.rounds
        self._key, self._counter = (
            sum(bit << place for place, bit in enumerate(bits))
            for bits in cipher.input_bits(key, iv, iv_bits)
        )
        self._most = (1 << cipher.block_bits) - 1
        widths = {"block": cipher.block_bits, "key": cipher.key_bits, "number": 8}
        self._round = written(lambda *words: cipher.block_round(unnamed, *words), widths, {}, {})

    def _next_word(self) -> int:
        block, key = self._counter, self._key
        for number in range(self._rounds):
            block, key = self._round(block, key, number)
        self._counter = self._counter + 1 & self._most
        return block


def block(cipher: CounterModeCipher, key: int, word: int) -> int:
    """One block of the cipher, without the mode."""
    state, left = IntegerWord(word, cipher.block_bits), IntegerWord(key, cipher.key_bits)
    for number in range(cipher.rounds):
        state, left = cipher.block_round(unnamed, state, left, IntegerWord(number, 8))
    return int(state.value)
