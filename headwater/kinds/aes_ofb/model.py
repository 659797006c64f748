# SPDX-License-Identifier: Apache-2.0
"""The model of AES-128-OFB: columns are looked up in tables made from the description."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from headwater.algebra.word import IntegerWord
from headwater.cipher import aes_ofb
from headwater.cipher.aes_ofb import Block
from headwater.kinds.aes_ofb.description import BLOCK_BITS, AesOfb
from headwater.kinds.buffered import BufferedKeystream


class FeedbackModel(BufferedKeystream):
    """The keystream under one key and IV, from its first bit, as a `KeystreamModel`.

    A round is linear in the outputs of the S-box, so a column is the sum of four words, each looked
    up by one byte. The description gives the tables, and the round keys, once. This is about 100
    times as fast as reading the description step by step; the tests compare both.
    """

    def __init__(
        self, cipher: AesOfb, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        super().__init__(cipher, BLOCK_BITS)
        cipher.input_bits(key, iv, iv_bits)
        first, *inner, last = _round_keys(aes_ofb.block_of(key))
        self._first, self._inner, self._last = first, inner, last
        self._block = _values(aes_ofb.block_of(iv))

    def _next_word(self) -> int:
        t0, t1, t2, t3 = _tables()
        s0, s1, s2, s3 = _last_tables()
        k0, k1, k2, k3 = self._first
        a, b, c, d = self._block
        a, b, c, d = a ^ k0, b ^ k1, c ^ k2, d ^ k3
        for k0, k1, k2, k3 in self._inner:
            a, b, c, d = (
                t0[a >> 24] ^ t1[b >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[d & 255] ^ k0,
                t0[b >> 24] ^ t1[c >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[a & 255] ^ k1,
                t0[c >> 24] ^ t1[d >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[b & 255] ^ k2,
                t0[d >> 24] ^ t1[a >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[c & 255] ^ k3,
            )
        k0, k1, k2, k3 = self._last
        self._block = (
            s0[a >> 24] ^ s1[b >> 16 & 255] ^ s2[c >> 8 & 255] ^ s3[d & 255] ^ k0,
            s0[b >> 24] ^ s1[c >> 16 & 255] ^ s2[d >> 8 & 255] ^ s3[a & 255] ^ k1,
            s0[c >> 24] ^ s1[d >> 16 & 255] ^ s2[a >> 8 & 255] ^ s3[b & 255] ^ k2,
            s0[d >> 24] ^ s1[a >> 16 & 255] ^ s2[b >> 8 & 255] ^ s3[c & 255] ^ k3,
        )
        a, b, c, d = self._block
        return a << 96 | b << 64 | c << 32 | d


def _round_keys(key: Block) -> list[tuple[int, ...]]:
    """Round keys 0 to 10 as numbers."""
    keys, constant = [key], IntegerWord(aes_ofb.FIRST_CONSTANT, 8)
    for _ in range(aes_ofb.ROUNDS):
        keys.append(
            aes_ofb.next_round_key(keys[-1], constant, aes_ofb.substitute_word, lambda word: word)
        )
        constant = aes_ofb.double(constant)
    return [_values(words) for words in keys]


def _values(block: Sequence[IntegerWord]) -> tuple[int, ...]:
    return tuple(word.value for word in block)


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
