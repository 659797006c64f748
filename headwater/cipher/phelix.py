# SPDX-License-Identifier: Apache-2.0
"""Phelix: a stream cipher of 32-bit words whose state takes the plaintext in, and gives a MAC.

The paper's parts, in its order. All functions work on words of any reading (see
`headwater.algebra.word`); ``wire`` gives a word a name in readings that need names. Words are
little-endian, + is modulo 2^32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from headwater.algebra.word import IntegerWord, Wire, Word, add, rotate_left, unnamed
from headwater.kinds.word_aead.description import WORD_BITS, PhelixAead

NONCE_BITS = 128
SETUP_BLOCKS = 8
"""Blocks of the nonce setup."""
MAC_BLOCKS = 12
"""Blocks behind a message; the last four give the MAC."""
MAC_BITS = 128
MIXINGS = 8
"""Steps of the key mixing, each of two half blocks."""
TAG_BITS = (64, 80, 96, 112, 128)

AD_MARK = 0xAADAADAA
"""Added to Z1 before the associated data, and again before the text."""
MAC_MARK = 0x912D94F1
"""Added to Z0 before the MAC."""

State = tuple[Word, Word, Word, Word, Word]
"""Z0 to Z4."""


def half_block(wire: Wire, z: State, p: Word, k: Word) -> State:
    """H: twenty operations in sequence, each on the results of the operations before it."""
    z0, z1, z2, z3, z4 = z

    z0 = wire(add(z0, z3 ^ p))
    z3 = rotate_left(z3, 15)
    z1 = wire(add(z1, z4))
    z4 = rotate_left(z4, 25)
    z2 = wire(z2 ^ z0)
    z0 = rotate_left(z0, 9)
    z3 = wire(z3 ^ z1)
    z1 = rotate_left(z1, 10)
    z4 = wire(add(z4, z2))
    z2 = rotate_left(z2, 17)

    z0 = wire(z0 ^ add(z3, k))
    z3 = rotate_left(z3, 30)
    z1 = wire(z1 ^ z4)
    z4 = rotate_left(z4, 13)
    z2 = wire(add(z2, z0))
    z0 = rotate_left(z0, 20)
    z3 = wire(add(z3, z1))
    z1 = rotate_left(z1, 11)
    z4 = wire(z4 ^ z2)
    z2 = rotate_left(z2, 5)
    return z0, z1, z2, z3, z4


def keystream_word(z: State, old: Word) -> Word:
    """S: made of the state in the middle of a block and of Z4 at the end of the fourth block
    before."""
    return add(z[4], old)


def mark_data(z: State, mark: Word) -> State:
    """The state where associated data begins or ends; ``mark`` is `AD_MARK`."""
    return z[0], z[1] ^ mark, z[2], z[3], z[4]


def begin_mac(z: State, data_low: Word, data_high: Word, mark: Word) -> State:
    """The state before the MAC; ``data_low`` and ``data_high`` are the length of the associated
    data in bytes, ``mark`` is `MAC_MARK`."""
    return z[0] ^ mark, z[1], z[2] ^ data_high, z[3], z[4] ^ data_low


def lengths_word(key_bytes: int, tag_bits: int) -> int:
    """The sum of the lengths of key and MAC that is added to X'_1 and X'_5."""
    return 4 * key_bytes + 256 * (tag_bits % 128)


# --- operations once per key, per nonce and per message, read with integers


def _word(value: int) -> IntegerWord:
    return IntegerWord(value & 0xFFFFFFFF, WORD_BITS)


ZERO = _word(0)


def words_of(data: bytes, count: int = 0) -> list[IntegerWord]:
    """Bytes as words, filled up with zeros to a whole word, or to ``count`` words."""
    padded = data.ljust(max(4 * count, -(-len(data) // 4) * 4), b"\0")
    return [_word(int.from_bytes(padded[at : at + 4], "little")) for at in range(0, len(padded), 4)]


def mix_key(key: bytes) -> list[IntegerWord]:
    """The working key: a Feistel ladder whose function is two half blocks."""
    first, second = words_of(key, 8)[:4], words_of(key, 8)[4:]
    for _ in range(MIXINGS):
        z: State = (*first, _word(len(key) + 64))  # type: ignore[assignment]
        for _ in range(2):
            z = half_block(unnamed, z, ZERO, ZERO)
        mixed = [word ^ part for word, part in zip(second, z, strict=False)]
        first, second = mixed, first
    return [*first, *second]


def _known(word: IntegerWord) -> Callable[[IntegerWord], IntegerWord]:
    """For a block with known plaintext: the function that gives it, whatever the keystream word
    is."""
    return lambda _: word


def _deciphered(word: IntegerWord, used: int) -> Callable[[IntegerWord], IntegerWord]:
    """For a block of ciphertext: the function that gives the plaintext from the keystream word, in
    the used bits."""
    return lambda s: word ^ s & used


class Running:
    """The cipher from its nonce setup on: one block after another."""

    def __init__(self, key: bytes, nonce: bytes, tag_bits: int) -> None:
        working, n = mix_key(key), words_of(nonce)
        self._x = working
        self._x_prime = _round_keys(working, n, lengths_word(len(key), tag_bits))
        z = [word ^ part for word, part in zip(working[3:7], n, strict=True)]
        self._z: State = (*z, working[7])  # type: ignore[assignment]
        self._old = [ZERO] * 4
        self._number = 0
        for _ in range(SETUP_BLOCKS):
            self.block(_known(ZERO))

    def block(self, plaintext: Callable[[IntegerWord], IntegerWord]) -> IntegerWord:
        """Run one block and return its keystream word; ``plaintext(keystream word)`` gives its
        plaintext."""
        place, at = self._number % 8, self._number % 4
        z = half_block(unnamed, self._z, ZERO, self._x[place])
        s: IntegerWord = keystream_word(z, self._old[at])
        key = add(self._x_prime[place], _word(self._number))
        self._z = half_block(unnamed, z, plaintext(s), key)
        self._old[at] = self._z[4]
        self._number += 1
        return s

    def associated_data(self, data: bytes) -> None:
        """Take in the associated data; to be called once, before the text."""
        self._z = mark_data(self._z, _word(AD_MARK))
        for word in words_of(data):
            self.block(_known(word))
        self._z = mark_data(self._z, _word(AD_MARK))

    def text(self, data: bytes, *, decrypts: bool) -> bytes:
        """Encrypt or decrypt a text; the result is the ciphertext or the plaintext."""
        output = bytearray()
        for at in range(0, len(data), 4):
            piece = data[at : at + 4]
            (word,), used = words_of(piece), (1 << 8 * len(piece)) - 1
            s = self.block(_deciphered(word, used) if decrypts else _known(word))
            output += (word ^ s & used).value.to_bytes(4, "little")[: len(piece)]
        return bytes(output)

    def mac(self, data_bytes: int, text_bytes: int) -> bytes:
        """All 128 bits of the MAC."""
        low, high = _word(data_bytes), _word(data_bytes >> WORD_BITS)
        self._z = begin_mac(self._z, low, high, _word(MAC_MARK))
        ending = _word(text_bytes % 4)
        words = [self.block(_known(ending)) for _ in range(MAC_BLOCKS)]
        return b"".join((word ^ ending).value.to_bytes(4, "little") for word in words[-4:])


def _round_keys(
    working: Sequence[IntegerWord], nonce: Sequence[IntegerWord], lengths: int
) -> list[IntegerWord]:
    """X': the second half blocks' keys, to which the block number is added."""
    keys = [add(word, part) for word, part in zip(working[4:], nonce, strict=True)]
    keys += [
        _word(word.value + place - part.value)
        for place, (word, part) in enumerate(zip(working[:4], nonce, strict=True))
    ]
    for place in (1, 5):
        keys[place] = add(keys[place], _word(lengths))
    return keys


# --- the cipher as the catalogue has it


PHELIX = PhelixAead(
    tag_lengths=TAG_BITS,
    described_in=__file__,
    name="phelix",
    title="Phelix",
    source=(
        'D. Whiting, B. Schneier, S. Lucks, F. Muller, "Phelix: Fast encryption and '
        'authentication in a single cryptographic primitive", eSTREAM, 2005'
    ),
    security=(
        "broken if a nonce is used twice: the key is recovered (H. Wu, B. Preneel, FSE 2007); "
        "not chosen by eSTREAM for that reason; for comparison"
    ),
    key_bits=256,
    shorter_keys=tuple(range(0, 256, 8)),
    iv_bits=(NONCE_BITS,),
    bit_order="lsb_first",
    convention=(
        "Strings are bytes, read as 32-bit words, the first byte in the lowest bits. A key of 0 to "
        "32 bytes and the ends of associated data and text are filled up with zeros to whole "
        "words; the length of the key enters the key mixing, that of the tag, which is chosen for "
        "each message, the nonce setup. The tag is the beginning of the 128-bit MAC. There is no "
        "keystream apart from a text."
    ),
)
