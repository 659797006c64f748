# SPDX-License-Identifier: Apache-2.0
"""The model of Ascon: the description read with integers, block by block."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.algebra.word import IntegerWord, Word, unnamed
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS, SpongeAead, State


def process(cipher: SpongeAead, message: Message) -> Sealed:
    """The output text of a message, and its tag."""
    bits = tag_bits_of(cipher, message)
    running = Running(cipher, message.key, message.nonce)
    running.associated_data(message.associated_data)
    other = running.text(message.text, decrypts=message.decrypts)
    return Sealed(other, running.tag()[: bits // 8])


def _words(data: bytes) -> tuple[IntegerWord, IntegerWord]:
    """The two words of sixteen bytes."""
    first, second = (int.from_bytes(data[at : at + 8], "little") for at in (0, 8))
    return IntegerWord(first, WORD_BITS), IntegerWord(second, WORD_BITS)


def _bytes(*words: IntegerWord) -> bytes:
    return b"".join(word.value.to_bytes(8, "little") for word in words)


def padded(data: bytes) -> Iterator[bytes]:
    """The blocks of data behind which a byte 1 stands, and zeros up to the end of a block."""
    size = RATE_BITS // 8
    string = data + b"\1" + bytes(-(len(data) + 1) % size)
    return (string[at : at + size] for at in range(0, len(string), size))


class Running:
    """The cipher from its first state on: one block after another."""

    def __init__(self, cipher: SpongeAead, key: bytes, nonce: bytes) -> None:
        self._cipher, self._key = cipher, _words(key)
        first = IntegerWord(cipher.initial_word, WORD_BITS)
        self._s: State = (first, *self._key, *_words(nonce))
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

    def associated_data(self, data: bytes) -> None:
        """Take in the associated data; to be called once, before the text."""
        for block in padded(data) if data else ():
            self._add((0, 1), _words(block))
            self._permute(self._cipher.short_rounds)
        s0, s1, s2, s3, s4 = self._s
        self._s = s0, s1, s2, s3, s4 ^ (1 << self._cipher.separation_bit)

    def text(self, data: bytes, *, decrypts: bool) -> bytes:
        """Encrypt or decrypt a text; the result is the ciphertext or the plaintext."""
        made = bytearray()
        for number, block in enumerate(padded(data)):
            if number:
                self._permute(self._cipher.short_rounds)
            rate, used = _bytes(*self._s[:2]), min(len(block), len(data) - len(made))
            mixed = bytes(ours ^ given for ours, given in zip(rate, block, strict=True))
            ciphertext = block[:used] if decrypts else mixed[:used]
            self._s = (*_words(ciphertext + mixed[used:]), *self._s[2:])
            made += mixed[:used]
        return bytes(made)

    def tag(self) -> bytes:
        """The tag behind a whole message."""
        self._add((2, 3), self._key)
        self._permute(self._cipher.long_rounds)
        self._add((3, 4), self._key)
        return _bytes(*self._s[3:])
