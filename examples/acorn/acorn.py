# SPDX-License-Identifier: Apache-2.0
"""ACORN-128, version 3: a register of 293 bits that takes one bit of a message in each step.

H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)", CAESAR submission, 2016. Bit numbers are
those of the document. Words of 8, 16 or 32 bits enter in a cycle; narrower ones are not offered.
"""

from __future__ import annotations

from headwater.algebra.word import all_ones, choose, concatenate
from headwater.kinds.message.description import (
    Do,
    MessageCipher,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)

FEEDBACKS = (
    (289, 235, 230),
    (230, 196, 193),
    (193, 160, 154),
    (154, 111, 107),
    (107, 66, 61),
    (61, 23, 0),
)


def maj(x, y, z):
    """What most of three bits are."""
    return (x & y) ^ (x & z) ^ (y & z)


def clock(wire, s, m, ca, cb):
    """A step of the bits of s with message bit m and control bits ca and cb, and the keystream
    bit."""
    n = list(s)
    for place, a, b in FEEDBACKS:
        n[place] = wire(s[place] ^ s[a] ^ s[b], f"s{place}")
    ks = wire(n[12] ^ n[154] ^ maj(n[235], n[61], n[193]) ^ (n[230] & n[111]) ^ (~n[230] & n[66]))
    f = wire(n[0] ^ ~n[107] ^ maj(n[244], n[23], n[160]) ^ (n[196] & ca) ^ (ks & cb) ^ m)
    return [*n[1:], f], ks


def bits_of(s):
    """The bits of s, which a loop may move without a name for each state."""
    return [s[place] for place in range(len(s))]


def step(wire, s, k, in_text, number, *, keyed, inverts, pads, tags):
    """A step without a message. Its bit is one of the key, or the padding 1000...; the key turns,
    and keystream replaces it while the tag is made."""
    first = wire(all_ones(~number))
    m = wire((keyed & (k[0] ^ (inverts & first))) | (pads & first))
    s, ks = clock(wire, bits_of(s), m, ~(pads & number[7]), ~(pads & in_text))
    back = wire(choose(tags, ks, k[0]))
    return {"s": concatenate(*s), "k": concatenate(k[1:], back)}


def enter(wire, s, in_text, block):
    """A byte of associated data or of plaintext."""
    s = bits_of(s)
    for place in range(8):
        s, _ = clock(wire, s, block[place], 1, ~in_text)
    return {"s": concatenate(*s)}


def keystream(wire, s):
    """The bits of the next eight steps: a message bit is too far away to change them."""
    s, bits = bits_of(s), []
    for _ in range(8):
        s, ks = clock(wire, s, 0, 1, 0)
        bits.append(ks)
    return concatenate(*bits)


def begin_text(in_text):
    """From here on, control bit cb is zero."""
    return {"in_text": ~in_text}


def tag(k):
    """The keystream of the last 128 steps."""
    return k


ACORN128 = MessageCipher(
    name="acorn128",
    title="ACORN-128",
    source='H. Wu, "ACORN: A Lightweight Authenticated Cipher (v3)", CAESAR submission, 2016',
    security="no attack on the full cipher known; a nonce must not be used twice under a key",
    key_bits=128,
    iv_bits=(128,),
    bit_order="lsb_first",
    convention="Least significant bit first: bit i of a string is bit i mod 8 of byte i // 8.",
    registers=(Register("s", 293), Register("k", 128), Register("in_text", 1)),
    start=(
        Take("key", 128, into="k"),
        Repeat(128, step, controls=("keyed",)),
        Take("nonce", 128, enter=enter, block_bits=8),
        Repeat(1536, step, controls=("keyed", "inverts")),
    ),
    associated=Part(rate=8, enter=enter),
    middle=(Repeat(256, step, controls=("pads",)), Do(begin_text)),
    text=Part(rate=8, enter=enter, keystream=keystream),
    finish=(
        Repeat(256, step, controls=("pads",)),
        Repeat(768, step, controls=("tags",)),
        Squeeze(128, tag),
    ),
    offered_radices=(1, 2, 4, 8, 16, 32),
)

CIPHERS = (ACORN128,)
