# SPDX-License-Identifier: Apache-2.0
"""AEGIS-256: six blocks of 128 bits, each of which goes through a round of AES and is added to its
neighbour.

F. Denis, S. Lucas, "The AEGIS Family of Authenticated Encryption Algorithms",
draft-irtf-cfrg-aegis-aead, December 2025. Tags have 128 bits; those of 256 bits are not offered.
"""

from __future__ import annotations

from functools import reduce
from operator import xor

from headwater.algebra.aes import aes_round
from headwater.algebra.word import IntegerWord, concatenate
from headwater.kinds.message.description import (
    Do,
    MessageCipher,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)


def block_of(digits):
    """The word of sixteen bytes."""
    return IntegerWord(int.from_bytes(bytes.fromhex(digits), "little"), 128)


def update(wire, s, m):
    """Update(M), all from the old values."""
    keys = (s[0] ^ m, *s[1:])
    return {f"s{place}": aes_round(wire, s[place - 1], keys[place]) for place in range(6)}


def step(wire, s0, s1, s2, s3, s4, s5, k, n):
    """An update with the next of four blocks, which turn in k and n."""
    turned = {"k": concatenate(k[128:], n[:128]), "n": concatenate(n[128:], k[:128])}
    return update(wire, (s0, s1, s2, s3, s4, s5), k[:128]) | turned


def enter(wire, s0, s1, s2, s3, s4, s5, block):
    """An update with a block of associated data or of plaintext."""
    return update(wire, (s0, s1, s2, s3, s4, s5), block)


def load(wire, k, n, c0, c1):
    """The first state; n becomes the sum of key and nonce, as updates are made with both."""
    both = wire(k ^ n)
    return {
        "s0": both[:128],
        "s1": both[128:],
        "s2": c1,
        "s3": c0,
        "s4": k[:128] ^ c0,
        "s5": k[128:] ^ c1,
        "n": both,
    }


def keystream(s1, s2, s3, s4, s5):
    """Z."""
    return s1 ^ s4 ^ s5 ^ (s2 & s3)


def add_lengths(wire, s3, ad_bytes, text_bytes):
    """The lengths of both parts in bits, added to S3: what the last updates are made with."""
    t = wire(s3 ^ concatenate(ad_bytes << 3, text_bytes << 3))
    return {"k": concatenate(t, t), "n": concatenate(t, t)}


def tag(s0, s1, s2, s3, s4, s5):
    """The sum of all blocks."""
    return reduce(xor, (s0, s1, s2, s3, s4, s5))


AEGIS256 = MessageCipher(
    name="aegis256",
    title="AEGIS-256",
    source='F. Denis, S. Lucas, "The AEGIS Family of Authenticated Encryption Algorithms", '
    "draft-irtf-cfrg-aegis-aead, December 2025",
    security="no attack known; a nonce must not be used twice under a key",
    key_bits=256,
    iv_bits=(256,),
    bit_order="lsb_first",
    convention="Strings of bytes; a block is sixteen bytes in their order, as FIPS 197 loads them.",
    registers=(
        *(Register(f"s{place}", 128) for place in range(6)),
        Register("k", 256),
        Register("n", 256),
    ),
    constants={
        "c0": block_of("000101020305080d1522375990e97962"),
        "c1": block_of("db3d18556dc22ff12011314273b528dd"),
    },
    start=(Take("key", 256, into="k"), Take("nonce", 256, into="n"), Do(load), Repeat(16, step)),
    associated=Part(rate=128, enter=enter),
    text=Part(rate=128, enter=enter, keystream=keystream),
    finish=(Repeat(7, step, begin=add_lengths), Squeeze(128, tag)),
)

CIPHERS = (AEGIS256,)
