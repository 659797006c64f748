# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128: a permutation of five words whose first two take the message in, 128 bits at once.

The standard's parts, in its order. All functions work on words of any reading (see
`headwater.algebra.word`); ``wire`` gives a word a name in readings that need names. Words have 64
bits and are little-endian, unlike those of the Ascon that the competition chose.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.algebra.word import (
    IntegerWord,
    Wire,
    Word,
    concatenate,
    rotate_left,
    unnamed,
)
from headwater.kinds.sponge.description import RATE_BITS, WORD_BITS, SpongeAead

KEY_BITS = NONCE_BITS = TAG_BITS = 128
LONG_ROUNDS = 12
"""Rounds of the permutation before and after a message."""
SHORT_ROUNDS = 8
"""Rounds between two blocks: the last eight of the twelve."""
INITIAL_WORD = 0x00001000808C0001
"""S0 of the first state: rate, tag length and numbers of rounds."""
SEPARATION_BIT = WORD_BITS - 1
"""The bit of S4 that is inverted between associated data and text."""
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
"""By how many bits each word is rotated to the right in the linear layer."""

State = tuple[Word, Word, Word, Word, Word]
"""S0 to S4."""


def permutation_round(wire: Wire, s: State, constant: Word) -> State:
    """A round: its constant of eight bits is added, then come the S-boxes and the linear layer."""
    s0, s1, s2, s3, s4 = s
    low = s2[:8] ^ constant
    return linear_layer(wire, substitution(wire, (s0, s1, concatenate(low, s2[8:]), s3, s4)))


def round_constant(number: Word) -> Word:
    """The constant of a round: its number from 0 to 11 in four bits, and their complement."""
    return concatenate(number, ~number)


def substitution(wire: Wire, s: State) -> State:
    """64 S-boxes of five bits side by side, one bit of each word in every one."""
    s0, s1, s2, s3, s4 = s
    a0 = wire(s0 ^ s4)
    a2 = wire(s2 ^ s1)
    a4 = wire(s4 ^ s3)
    b0 = wire(a0 ^ (~s1 & a2))
    b1 = wire(s1 ^ (~a2 & s3))
    b2 = wire(a2 ^ (~s3 & a4))
    b3 = wire(s3 ^ (~a4 & a0))
    b4 = wire(a4 ^ (~a0 & s1))
    return b0 ^ b4, b1 ^ b0, ~b2, b3 ^ b2, b4


def linear_layer(wire: Wire, s: State) -> State:
    """Each word is added to two rotations of itself."""
    words = [wire(word, f"c{place}") for place, word in enumerate(s)]
    d0, d1, d2, d3, d4 = (
        word ^ rotate_left(word, -first) ^ rotate_left(word, -second)
        for word, (first, second) in zip(words, ROTATIONS, strict=True)
    )
    return d0, d1, d2, d3, d4


# --- the mode, read with integers


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

    def __init__(self, key: bytes, nonce: bytes) -> None:
        self._key = _words(key)
        self._s: State = (IntegerWord(INITIAL_WORD, WORD_BITS), *self._key, *_words(nonce))
        self._permute(LONG_ROUNDS)
        self._add((3, 4), self._key)

    def _permute(self, rounds: int) -> None:
        for number in range(LONG_ROUNDS - rounds, LONG_ROUNDS):
            constant = round_constant(IntegerWord(number, 4))
            self._s = permutation_round(unnamed, self._s, constant)

    def _add(self, places: tuple[int, int], words: tuple[Word, Word]) -> None:
        s = list(self._s)
        for place, word in zip(places, words, strict=True):
            s[place] ^= word
        self._s = (s[0], s[1], s[2], s[3], s[4])

    def associated_data(self, data: bytes) -> None:
        """Take in the associated data; to be called once, before the text."""
        for block in padded(data) if data else ():
            self._add((0, 1), _words(block))
            self._permute(SHORT_ROUNDS)
        s0, s1, s2, s3, s4 = self._s
        self._s = s0, s1, s2, s3, s4 ^ (1 << SEPARATION_BIT)

    def text(self, data: bytes, *, decrypts: bool) -> bytes:
        """Encrypt or decrypt a text; the result is the ciphertext or the plaintext."""
        made = bytearray()
        for number, block in enumerate(padded(data)):
            if number:
                self._permute(SHORT_ROUNDS)
            rate, used = _bytes(*self._s[:2]), min(len(block), len(data) - len(made))
            mixed = bytes(ours ^ given for ours, given in zip(rate, block, strict=True))
            ciphertext = block[:used] if decrypts else mixed[:used]
            self._s = (*_words(ciphertext + mixed[used:]), *self._s[2:])
            made += mixed[:used]
        return bytes(made)

    def tag(self) -> bytes:
        """The tag behind a whole message."""
        self._add((2, 3), self._key)
        self._permute(LONG_ROUNDS)
        self._add((3, 4), self._key)
        return _bytes(*self._s[3:])


# --- the cipher as the catalogue has it


ASCON_AEAD128 = SpongeAead(
    described_in=__file__,
    name="ascon_aead128",
    title="Ascon-AEAD128",
    source=(
        'National Institute of Standards and Technology, "Ascon-based lightweight cryptography '
        'standards for constrained devices", Special Publication 800-232, 2025'
    ),
    security="no attack known on the full cipher; a nonce must not be used twice under a key",
    key_bits=KEY_BITS,
    iv_bits=(NONCE_BITS,),
    tag_lengths=(TAG_BITS,),
    bit_order="lsb_first",
    convention=(
        "Strings are bytes, read as 64-bit words, the first byte in the lowest bits. Behind "
        "associated data, if there is any, and behind the text stands a byte 1, then zeros up to "
        "a multiple of 16 bytes. There is no keystream apart from a text."
    ),
)
