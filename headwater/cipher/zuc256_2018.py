# SPDX-License-Identifier: Apache-2.0
"""ZUC-256 as its designers published it in 2018, with an IV of 184 bits.

ZUC design team, "The ZUC-256 Stream Cipher", 2018. The step is that of ZUC-128, the setup as long;
the load is another one, and its constants tell keystream and tags of three lengths apart. The draft
itself was not at hand: public code and the published vectors tell it. What 5G has under the same
name is `headwater.cipher.zuc.ZUC_256`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headwater.algebra.word import Word, concatenate
from headwater.cipher.zuc import CONVENTION, PATENTS, constant, entered, zuc
from headwater.kinds.stepped.description import Lanes
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.kinds.telephony.description import WORD_BITS
from headwater.kinds.telephony.windows_behind import WindowsBehind

CONSTANTS = (
    0x22,
    0x2F,
    0x24,
    0x2A,
    0x6D,
    0x40,
    0x40,
    0x40,
    0x40,
    0x40,
    0x40,
    0x40,
    0x40,
    0x52,
    0x10,
    0x30,
)
"""The 7 bits d_i below the uppermost byte in cell i, where the keystream encrypts."""

_FIELD_BITS = 6
_SHORT_BYTES = range(17, 25)
"""Bytes of the IV with 6 bits each."""

Bits = Sequence[Any]


def lanes(key: Bits, iv: Bits) -> Lanes:
    """The four parts of a cell in every step, as the draft lists them: the uppermost byte, the six
    bits that are added to d_i, and two bytes. The last bit is in the lowest lane."""
    k, v = _bytes(key), _bytes(iv)
    x = {byte: v[byte][2:] for byte in _SHORT_BYTES}
    zeros = [0] * _FIELD_BITS
    upper, lower = [0, 0, *k[31][:4]], [0, 0, *k[31][4:]]
    cells = (
        (k[0], zeros, k[21], k[16]),
        (k[1], zeros, k[22], k[17]),
        (k[2], zeros, k[23], k[18]),
        (k[3], zeros, k[24], k[19]),
        (k[4], zeros, k[25], k[20]),
        (v[0], x[17], k[5], k[26]),
        (v[1], x[18], k[6], k[27]),
        (v[10], x[19], k[7], v[2]),
        (k[8], x[20], v[3], v[11]),
        (k[9], x[21], v[12], v[4]),
        (v[5], x[22], k[10], k[28]),
        (k[11], x[23], v[6], v[13]),
        (k[12], x[24], v[7], v[14]),
        (k[13], zeros, v[15], v[8]),
        (k[14], upper, v[16], v[9]),
        (k[15], lower, k[30], k[29]),
    )
    strings = [[bit for part in cell for bit in part] for cell in cells]
    return tuple([string[-1 - lane] for string in strings] for lane in range(len(strings[0])))


def _bytes(string: Bits) -> list[Bits]:
    return [string[first : first + 8] for first in range(0, len(string), 8)]


def enter(
    wire: Any, *registers: Word, entering: Word, early: bool = False, **controls: Word
) -> Mapping[str, Word]:
    """A step of the load: two bytes, six bits in the constant, and a byte fill the 31 bits of
    s15."""
    d = constant(1 + _FIELD_BITS, controls)
    middle = d | concatenate(entering[16:22], d[0] & 0)
    s16 = concatenate(entering[:16], middle, entering[22:])
    return entered(wire, registers, s16, early)


_IDENTITY: Mapping[str, Any] = {
    "name": "zuc256_iv25",
    "title": "ZUC-256 of 2018, with an IV of 184 bits",
    "source": 'ZUC design team, "The ZUC-256 Stream Cipher", 2018, as public code and its vectors '
    "tell it",
    "security": "no attack known on the full cipher; 5G has a version with a longer setup",
    "patents": PATENTS,
    "key_bits": 256,
    "iv_bits": (200,),
    "zero_iv_bits": tuple(8 * byte + bit for byte in _SHORT_BYTES for bit in range(2)),
    "convention": CONVENTION.format("K_0 and IV_0")
    + " The IV is IV_0 to IV_24, a byte each; the upper two bits of IV_17 to IV_24 must be zero.",
    "lanes": lanes,
    "lane_names": "the cells from cell 0 on, without constants: the uppermost byte, six bits for "
    "d_i, two bytes, the last one lowest",
}


def zuc_256_2018(constants: Sequence[int], **identity: Any) -> WordCipher:
    """The cipher with these constants d_i, and with other fields of its own."""
    return zuc(constants, 32, {**_IDENTITY, **identity}, enter)


ZUC_256_2018 = zuc_256_2018(CONSTANTS)

TAG_CONSTANTS = {32: (0x22, 0x2F, 0x25), 64: (0x23, 0x2F, 0x24), 128: (0x23, 0x2F, 0x25)}
"""d_0 to d_2 where the keystream makes a tag of so many bits; the others are as above."""


def mac(z: Iterator[int], message: Iterator[int], length: int, bits: int) -> int:
    """The tag of so many bits. T is the first of them of the keystream; each one of the message
    adds as many that begin ``bits`` places behind its own place, and so does its end."""
    words = bits // WORD_BITS
    tag = window = 0
    for _ in range(words):
        tag = tag << WORD_BITS | next(z)
    for _ in range(words):
        window = window << WORD_BITS | next(z)
    for first in range(0, length + 1, WORD_BITS):
        window = (window << WORD_BITS | next(z)) & (1 << bits + WORD_BITS) - 1
        word, left = next(message, 0), length - first
        if left < WORD_BITS:
            word |= 1 << WORD_BITS - 1 - left
        for place in range(WORD_BITS):
            if word >> place & 1:
                tag ^= window >> place + 1
    return tag & (1 << bits) - 1


_OF_TAGS = {bits: zuc_256_2018((*first, *CONSTANTS[3:])) for bits, first in TAG_CONSTANTS.items()}

ZUC_256_2018_MAC = WindowsBehind(
    name="zuc256_mac_iv25",
    title="MAC of ZUC-256 of 2018, with an IV of 184 bits",
    source=ZUC_256_2018.source,
    security="that of ZUC-256; a forgery of a tag of t bits succeeds by chance with probability "
    "2^-t, and no key and IV may be used for two messages",
    key_bits=ZUC_256_2018.key_bits,
    iv_bits=ZUC_256_2018.iv_bits,
    convention=ZUC_256_2018.convention
    + " The first bit of a message is the most significant bit of its first byte; its length is "
    "any number of bits, and unused bits of the last byte are zero.",
    base=_OF_TAGS[32],
    ciphers=_OF_TAGS,
    make_tag=mac,
)
