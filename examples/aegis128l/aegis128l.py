# SPDX-License-Identifier: Apache-2.0
"""AEGIS-128L: eight blocks of 128 bits, each of which goes through a round of AES and is added to
its neighbour.

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


def update(wire, s, m0, m1):
    """Update(M0, M1), all from the old values."""
    added = {0: m0, 4: m1}
    keys = [word ^ added[place] if place in added else word for place, word in enumerate(s)]
    return {f"s{place}": aes_round(wire, s[place - 1], keys[place]) for place in range(8)}


def step(wire, s0, s1, s2, s3, s4, s5, s6, s7, k, n):
    """An update with nonce and key, or with what stands in their places."""
    return update(wire, (s0, s1, s2, s3, s4, s5, s6, s7), n, k)


def enter(wire, s0, s1, s2, s3, s4, s5, s6, s7, block):
    """An update with a block of associated data or of plaintext."""
    return update(wire, (s0, s1, s2, s3, s4, s5, s6, s7), block[:128], block[128:])


def load(wire, k, n, c0, c1):
    """The first state."""
    both = wire(k ^ n)
    return {
        "s0": both,
        "s1": c1,
        "s2": c0,
        "s3": c1,
        "s4": both,
        "s5": k ^ c0,
        "s6": k ^ c1,
        "s7": k ^ c0,
    }


def keystream(s1, s2, s5, s6, s3, s7):
    """Z0 and Z1."""
    return concatenate(s1 ^ s6 ^ (s2 & s3), s2 ^ s5 ^ (s6 & s7))


def add_lengths(wire, s2, ad_bytes, text_bytes):
    """The lengths of both parts in bits, added to S2: what the last updates are made with."""
    t = wire(s2 ^ concatenate(ad_bytes << 3, text_bytes << 3))
    return {"k": t, "n": t}


def tag(s0, s1, s2, s3, s4, s5, s6):
    """The sum of all blocks but the last."""
    return reduce(xor, (s0, s1, s2, s3, s4, s5, s6))


AEGIS128L = MessageCipher(
    name="aegis128l",
    title="AEGIS-128L",
    source='F. Denis, S. Lucas, "The AEGIS Family of Authenticated Encryption Algorithms", '
    "draft-irtf-cfrg-aegis-aead, December 2025",
    security="no attack known; a nonce must not be used twice under a key",
    key_bits=128,
    iv_bits=(128,),
    bit_order="lsb_first",
    convention="Strings of bytes; a block is sixteen bytes in their order, as FIPS 197 loads them.",
    registers=tuple(Register(name, 128) for name in (*(f"s{i}" for i in range(8)), "k", "n")),
    constants={
        "c0": block_of("000101020305080d1522375990e97962"),
        "c1": block_of("db3d18556dc22ff12011314273b528dd"),
    },
    start=(Take("key", 128, into="k"), Take("nonce", 128, into="n"), Do(load), Repeat(10, step)),
    associated=Part(rate=256, enter=enter),
    text=Part(rate=256, enter=enter, keystream=keystream),
    finish=(Repeat(7, step, begin=add_lengths), Squeeze(128, tag)),
)

CIPHERS = (AEGIS128L,)
