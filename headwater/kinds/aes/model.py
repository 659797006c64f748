# SPDX-License-Identifier: Apache-2.0
"""The models of AES: columns are looked up in tables made from the description."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from headwater.algebra.word import IntegerWord
from headwater.cipher import aes_ofb
from headwater.cipher.aes import round_keys
from headwater.cipher.description import Cipher
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.kinds.aes.description import BLOCK_BITS, AesMac, AesMode, AesOfb
from headwater.kinds.buffered import BufferedKeystream

Values = tuple[int, int, int, int]
"""The four words of a block as numbers."""

_WORD = (1 << 32) - 1


class BlockCipher:
    """AES encryption of blocks, each four words, under one key of 16, 24 or 32 bytes.

    A round is linear in the outputs of the S-box, so a column is the sum of four words, each looked
    up by one byte. The description gives the tables, and the round keys, once. This is about 100
    times as fast as reading the description step by step; the tests compare both.
    """

    def __init__(self, key: bytes) -> None:
        first, *inner, last = map(_values, round_keys(key))
        self._first, self._inner, self._last = first, inner, last

    def encrypt(self, block: Values) -> Values:
        """The block of ciphertext."""
        t0, t1, t2, t3 = _tables()
        s0, s1, s2, s3 = _last_tables()
        k0, k1, k2, k3 = self._first
        a, b, c, d = block
        a, b, c, d = a ^ k0, b ^ k1, c ^ k2, d ^ k3
        for k0, k1, k2, k3 in self._inner:
            a, b, c, d = (
                t0[a >> 24] ^ t1[b >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[d & 255] ^ k0,
                t0[b >> 24] ^ t1[c >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[a & 255] ^ k1,
                t0[c >> 24] ^ t1[d >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[b & 255] ^ k2,
                t0[d >> 24] ^ t1[a >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[c & 255] ^ k3,
            )
        k0, k1, k2, k3 = self._last
        return (
            s0[a >> 24] ^ s1[b >> 16 & 255] ^ s2[c >> 8 & 255] ^ s3[d & 255] ^ k0,
            s0[b >> 24] ^ s1[c >> 16 & 255] ^ s2[d >> 8 & 255] ^ s3[a & 255] ^ k1,
            s0[c >> 24] ^ s1[d >> 16 & 255] ^ s2[a >> 8 & 255] ^ s3[b & 255] ^ k2,
            s0[d >> 24] ^ s1[a >> 16 & 255] ^ s2[b >> 8 & 255] ^ s3[c & 255] ^ k3,
        )

    def encrypt_number(self, block: int) -> int:
        """The same of a block as a number, its first byte the highest."""
        a, b, c, d = self.encrypt(
            (block >> 96, block >> 64 & _WORD, block >> 32 & _WORD, block & _WORD)
        )
        return a << 96 | b << 64 | c << 32 | d


class FeedbackModel(BufferedKeystream):
    """The keystream under one key and IV, from its first bit, as a `KeystreamModel`."""

    def __init__(
        self, cipher: AesOfb | AesMode, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        super().__init__(cipher, BLOCK_BITS)
        cipher.input_bits(key, iv, iv_bits)
        self._cipher, self._block = BlockCipher(key), _values(aes_ofb.block_of(iv))

    def _next_word(self) -> int:
        self._block = a, b, c, d = self._cipher.encrypt(self._block)
        return a << 96 | b << 64 | c << 32 | d


class CounterModel(BufferedKeystream):
    """The same of counter mode, of whose counter block the last ``counted_bits`` bits count."""

    def __init__(self, cipher: Cipher, *, key: bytes, iv: bytes, counted_bits: int) -> None:
        super().__init__(cipher, BLOCK_BITS)
        self._cipher, self._block = BlockCipher(key), int.from_bytes(iv, "big")
        self._counted = (1 << counted_bits) - 1

    def _next_word(self) -> int:
        block = self._block
        self._block = block & ~self._counted | block + 1 & self._counted
        return self._cipher.encrypt_number(block)

    def skip(self, bits: int) -> None:
        """Pass over keystream bits; whole blocks are counted, not made."""
        passed = min(bits, len(self._left))
        super().skip(passed)
        blocks, rest = divmod(bits - passed, BLOCK_BITS)
        count = self._block + blocks & self._counted
        self._block = self._block & ~self._counted | count
        super().skip(rest)


def keystream_of(
    cipher: AesOfb | AesMode, *, key: bytes, iv: bytes, iv_bits: int | None = None
) -> BufferedKeystream:
    """The keystream of a mode under one key and IV, from its first bit."""
    if isinstance(cipher, AesOfb) or not cipher.counts:
        return FeedbackModel(cipher, key=key, iv=iv, iv_bits=iv_bits)
    cipher.input_bits(key, iv, iv_bits)
    return CounterModel(cipher, key=key, iv=iv, counted_bits=cipher.counted_bits)


def _values(block: Sequence[IntegerWord]) -> Values:
    a, b, c, d = (word.value for word in block)
    return a, b, c, d


@cache
def _last_tables() -> tuple[tuple[int, ...], ...]:
    """For each row, what each value of its byte adds to a column after SubBytes."""
    return tuple(tuple(entry << 24 - 8 * row for entry in aes_ofb.SBOX.entries) for row in range(4))


@cache
def _tables() -> tuple[tuple[int, ...], ...]:
    """For each row, what each value of its byte adds to a column after SubBytes and MixColumns."""
    return tuple(
        tuple(aes_ofb.mix_column(IntegerWord(entry, 32)).value for entry in table)
        for table in _last_tables()
    )


def authenticated(cipher: AesMac, message: Message) -> Sealed:
    """The tag of a message, with what stands before it (SP 800-38B, section 6.2)."""
    block = BlockCipher(message.key).encrypt_number
    bits = 8 * len(message.nonce) + message.bits
    string = int.from_bytes(message.nonce, "big") << message.bits | (
        int.from_bytes(message.text, "big") >> -message.bits % 8
    )
    subkey, count = _doubled(block(0)), max(1, -(-bits // BLOCK_BITS))
    if bits != count * BLOCK_BITS:
        missing = count * BLOCK_BITS - bits
        string, subkey = (string << 1 | 1) << missing - 1, _doubled(subkey)
    chained, string = 0, string ^ subkey
    for place in reversed(range(count)):
        chained = block(chained ^ string >> BLOCK_BITS * place & (1 << BLOCK_BITS) - 1)
    length = tag_bits_of(cipher, message)
    tag = chained >> BLOCK_BITS - length << -length % 8
    return Sealed(b"", tag.to_bytes(-(-length // 8), "big"))


def _doubled(block: int) -> int:
    """A block times two in the field of 2^128 elements (SP 800-38B, section 6.1)."""
    doubled = block << 1
    return doubled ^ (1 << BLOCK_BITS | 0x87) if doubled >> BLOCK_BITS else doubled
