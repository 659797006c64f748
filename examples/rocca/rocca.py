# SPDX-License-Identifier: Apache-2.0
"""Rocca: eight blocks of 128 bits, half of which go through a round of AES in each step.

K. Sakamoto, F. Liu, Y. Nakano, S. Kiyomoto, T. Isobe, "Rocca: An Efficient AES-based Encryption
Scheme for Beyond 5G", IACR Transactions on Symmetric Cryptology 2021, issue 2.
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from headwater.algebra.aes import aes_round
from headwater.algebra.word import IntegerWord, concatenate
from headwater.kinds.message.description import (
    MessageCipher,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)


def update(wire, s, x0, x1):
    """R(S, X0, X1), all from the old values."""
    return {
        "s0": s[7] ^ x0,
        "s1": aes_round(wire, s[0], s[7]),
        "s2": s[1] ^ s[6],
        "s3": aes_round(wire, s[2], s[1]),
        "s4": s[3] ^ x1,
        "s5": aes_round(wire, s[4], s[3]),
        "s6": aes_round(wire, s[5], s[4]),
        "s7": s[0] ^ s[6],
    }


def key_in(s0, s6, block):
    """K0 becomes S6 and K1 becomes S0."""
    return {"s6": s6 ^ block[:128], "s0": s0 ^ block[128:]}


def nonce_in(s1, s4, block):
    """S1 is the nonce, which S4 has, too."""
    return {"s1": s1 ^ block, "s4": s4 ^ block}


def mix(wire, s0, s1, s2, s3, s4, s5, s6, s7, x0, x1):
    """A step with what stands in X0 and X1."""
    return update(wire, (s0, s1, s2, s3, s4, s5, s6, s7), x0, x1)


def begin(s0, s4, z0, z1):
    """The rest of the first state, and the constants, which enter in the first steps."""
    return {"s2": z0, "s3": z1, "s4": s4 ^ s0, "x0": z0, "x1": z1}


def lengths(ad_bytes, text_bytes):
    """The lengths of both parts in bits."""
    none = ad_bytes & 0
    x0, x1 = (concatenate(n << 3, none[:61], none[:3]) for n in (ad_bytes, text_bytes))
    return {"x0": x0, "x1": x1}


def enter(wire, s0, s1, s2, s3, s4, s5, s6, s7, block):
    """A step with a block of associated data or of plaintext."""
    return update(wire, (s0, s1, s2, s3, s4, s5, s6, s7), block[:128], block[128:])


def keystream(wire, s0, s1, s2, s4, s5):
    """Two rounds of AES."""
    return concatenate(aes_round(wire, s1, s5), aes_round(wire, s0 ^ s4, s2))


def tag(s0, s1, s2, s3, s4, s5, s6, s7):
    """The sum of all blocks."""
    return reduce(xor, (s0, s1, s2, s3, s4, s5, s6, s7))


ROCCA = MessageCipher(
    name="rocca",
    title="Rocca",
    source='K. Sakamoto et al., "Rocca: An Efficient AES-based Encryption Scheme for Beyond 5G", '
    "IACR ToSC 2021, issue 2",
    security="attacks on the key are published: 2^128 decryptions, or a nonce that is used twice",
    key_bits=256,
    iv_bits=(128,),
    bit_order="lsb_first",
    convention="Strings of bytes; a block is sixteen bytes in their order, as FIPS 197 loads them.",
    registers=tuple(Register(name, 128) for name in (*(f"s{i}" for i in range(8)), "x0", "x1")),
    constants={
        "z0": IntegerWord(0x428A2F98D728AE227137449123EF65CD, 128),
        "z1": IntegerWord(0xB5C0FBCFEC4D3B2FE9B5DBA58189DBBC, 128),
    },
    start=(
        Take("key", 256, enter=key_in),
        Take("nonce", 128, enter=nonce_in),
        Repeat(20, mix, begin=begin),
    ),
    associated=Part(rate=256, enter=enter),
    text=Part(rate=256, enter=enter, keystream=keystream),
    finish=(Repeat(20, mix, begin=lengths), Squeeze(128, tag)),
)

CIPHERS = (ROCCA,)
