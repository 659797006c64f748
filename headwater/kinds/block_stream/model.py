# SPDX-License-Identifier: Apache-2.0
"""The model of ciphers whose keystream is blocks: the description computes many blocks at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headwater.algebra import bitstring
from headwater.algebra.lanes import LaneWord
from headwater.algebra.word import IntegerWord, unnamed
from headwater.kinds.block_stream.description import BLOCK_BITS, WORD_BITS, WORDS, BlockStreamCipher

_MOST_AT_ONCE = 512


class BlockStreamModel:
    """The keystream of one cipher under one key and nonce, from the first bit of block 0; see
    `headwater.kinds.reading.Keystream`."""

    def __init__(
        self, cipher: BlockStreamCipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        self._cipher = cipher
        self._key, self._nonce = (
            _words(sum(bit << place for place, bit in enumerate(bits)), len(bits))
            for bits in cipher.input_bits(key, iv, iv_bits)
        )
        self._position = 0
        if cipher.derivation:
            words = cipher.begin_key(_numbers(self._key), _numbers(self._nonce), _number)
            self._key = [word.value for word in cipher.derived(cipher.run_rounds(unnamed, words))]

    def skip(self, bits: int) -> None:
        """Pass over keystream bits, at no cost."""
        self._position += bits

    def read(self, bits: int) -> bytes:
        """The next ``bits`` keystream bits, packed in the cipher's order, zeros to the byte."""
        number, passed = divmod(self._position, BLOCK_BITS)
        blocks = -(-(passed + bits) // BLOCK_BITS)
        data = b"".join(self._blocks(number, blocks))
        self._position += bits
        if not passed and bits % 8 == 0:
            return data[: bits // 8]
        return bitstring.to_bytes(
            int.from_bytes(data, "little") >> passed, bits, self._cipher.bit_order
        )

    def _blocks(self, first: int, count: int) -> Iterator[bytes]:
        """The keystream of blocks as bytes. The block number wraps to zero after its last value."""
        for start in range(first, first + count, _MOST_AT_ONCE):
            numbers = range(start, min(start + _MOST_AT_ONCE, first + count))
            words = [word.words() for word in self._made(numbers)]
            yield b"".join(
                word[lane].to_bytes(WORD_BITS // 8, "little")
                for lane in range(len(numbers))
                for word in words
            )

    def _made(self, numbers: range) -> list[LaneWord]:
        """The sixteen keystream words of several blocks, one block in each lane."""
        cipher = self._cipher
        mask = (1 << cipher.counter_bits) - 1

        def same(value: int) -> LaneWord:
            return LaneWord.of([value] * len(numbers), WORD_BITS)

        counters = [_words(number & mask, cipher.counter_bits) for number in numbers]
        matrix = cipher.begin(
            [same(word) for word in self._key],
            [same(word) for word in self._nonce],
            [LaneWord.of(words, WORD_BITS) for words in zip(*counters, strict=True)],
            same,
        )
        assert len(matrix) == WORDS
        return cipher.block(unnamed, matrix)


def _number(value: int) -> IntegerWord:
    return IntegerWord(value, WORD_BITS)


def _numbers(values: Sequence[int]) -> list[IntegerWord]:
    return [_number(value) for value in values]


def _words(value: int, bits: int) -> list[int]:
    return [value >> place & (1 << WORD_BITS) - 1 for place in range(0, bits, WORD_BITS)]
