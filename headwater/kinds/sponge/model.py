# SPDX-License-Identifier: Apache-2.0
"""The model of Ascon: the description read with integers, block by block."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.algebra import bitstring
from headwater.algebra.word import IntegerWord, Word, unnamed
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS, SpongeAead, State


def process(cipher: SpongeAead, message: Message) -> Sealed:
    """The output text of a message, and its tag."""
    running = Running(cipher, *cipher.entering(message.key, message.nonce))
    running.associated_data(message.associated_data, message.associated_bits)
    other = running.text(message.text, message.bits, decrypts=message.decrypts)
    return Sealed(other, running.tag(tag_bits_of(cipher, message)))


def _words(block: int) -> tuple[IntegerWord, IntegerWord]:
    """The two words of a block."""
    return (
        IntegerWord(block & (1 << WORD_BITS) - 1, WORD_BITS),
        IntegerWord(block >> WORD_BITS, WORD_BITS),
    )


def _block(low: IntegerWord, high: IntegerWord) -> int:
    return low.value | high.value << WORD_BITS


def padded(data: bytes, bits: int) -> Iterator[tuple[int, int]]:
    """The blocks of data behind which a one stands, and zeros up to the end of a block; each with
    how many of its bits are of the data."""
    for first in range(0, bits + 1, RATE_BITS):
        block = int.from_bytes(data[first // 8 : (first + RATE_BITS) // 8], "little")
        used = min(RATE_BITS, bits - first)
        yield (block if used == RATE_BITS else block | 1 << used), used


class Running:
    """The cipher from its first state on: one block after another."""

    def __init__(self, cipher: SpongeAead, key: bytes, nonce: bytes) -> None:
        self._cipher, self._key = cipher, _words(int.from_bytes(key, "little"))
        first = IntegerWord(cipher.initial_word, WORD_BITS)
        self._s: State = (first, *self._key, *_words(int.from_bytes(nonce, "little")))
        self._permute(cipher.long_rounds)
        self._add((3, 4), self._key)

    def _permute(self, rounds: int) -> None:
        last = self._cipher.long_rounds
        for number in range(last - rounds, last):
            constant = self._cipher.round_constant(IntegerWord(number, 4))
            self._s = self._cipher.permutation_round(unnamed, self._s, constant)

    def _add(self, places: tuple[int, int], words: tuple[Word, Word]) -> None:
        s = list(self._s)
        for place, word in zip(places, words, strict=True):
            s[place] ^= word
        self._s = (s[0], s[1], s[2], s[3], s[4])

    def associated_data(self, data: bytes, bits: int) -> None:
        """Take in the associated data; to be called once, before the text."""
        for block, _ in padded(data, bits) if bits else ():
            self._add((0, 1), _words(block))
            self._permute(self._cipher.short_rounds)
        s0, s1, s2, s3, s4 = self._s
        self._s = s0, s1, s2, s3, s4 ^ (1 << self._cipher.separation_bit)

    def text(self, data: bytes, bits: int, *, decrypts: bool) -> bytes:
        """Encrypt or decrypt a text; the result is the ciphertext or the plaintext."""
        output = bytearray()
        for number, (block, used) in enumerate(padded(data, bits)):
            if number:
                self._permute(self._cipher.short_rounds)
            mixed, of_text = _block(*self._s[:2]) ^ block, (1 << used) - 1
            entered = block & of_text | mixed & ~of_text if decrypts else mixed
            self._s = (*_words(entered), *self._s[2:])
            output += bitstring.to_bytes(mixed, used, "lsb_first")
        return bytes(output)

    def tag(self, bits: int) -> bytes:
        """The first bits of the tag behind a whole message."""
        self._add((2, 3), self._key)
        self._permute(self._cipher.long_rounds)
        self._add((3, 4), self._key)
        return bitstring.to_bytes(_block(*self._s[3:]), bits, "lsb_first")
