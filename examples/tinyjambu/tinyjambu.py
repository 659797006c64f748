# SPDX-License-Identifier: Apache-2.0
"""TinyJAMBU-128, version 2: a shift register of 128 bits with a key, and a word of the message in
every so many steps.

H. Wu, T. Huang, "TinyJAMBU: A Family of Lightweight Authenticated Encryption Algorithms",
version 2, 2021. Bit numbers are those of the document.
"""

from __future__ import annotations

from functools import partial

from headwater.algebra.word import concatenate
from headwater.kinds.message.description import MessageCipher, Part, Register, Repeat, Squeeze, Take


def step(wire, s, k):
    """One step of the keyed permutation; the key turns, so that its next bit is in place 0."""
    feedback = wire(s[0] ^ s[47] ^ ~(s[70] & s[85]) ^ s[91] ^ k[0])
    return {"s": concatenate(s[1:], feedback), "k": concatenate(k[1:], k[0])}


def frame(s, *, domain=0):
    """The frame bits of a phase are added to s36, s37 and s38."""
    return {"s": concatenate(s[:36], s[36:39] ^ domain, s[39:])}


def add_word(s, block):
    """A word of the nonce, of associated data or of plaintext is added to s96..s127."""
    return {"s": concatenate(s[:96], s[96:] ^ block)}


def add_count(s, count):
    """The bytes of a word that is not full are counted in s32 and s33: those of a full one are
    four, which ends with 00."""
    return {"s": concatenate(s[:32], s[32:34] ^ count[:2], s[34:])}


def word(s):
    """The word that encrypts, and the words of the tag: s64..s95."""
    return s[64:96]


def permuted(steps, domain):
    """Frame bits, then steps."""
    return Repeat(steps, step, begin=partial(frame, domain=domain))


def part(steps, domain, **more):
    """A part of the message: before each word, frame bits and steps."""
    before = (permuted(steps, domain),)
    return Part(
        rate=32, first=before, between=before, enter=add_word, close=add_count, added=True, **more
    )


NONCE_WORD = (permuted(640, 1), Take("nonce", 32, enter=add_word))

TINYJAMBU128 = MessageCipher(
    name="tinyjambu128",
    title="TinyJAMBU-128",
    source='H. Wu, T. Huang, "TinyJAMBU: A Family of Lightweight Authenticated Encryption '
    'Algorithms", version 2, 2021',
    security="no attack on the full cipher known; tags have 64 bits",
    key_bits=128,
    iv_bits=(96,),
    bit_order="lsb_first",
    convention="Bytes are words of 32 bits, the first byte and bit lowest; bit i of the key is "
    "bit i mod 8 of byte i // 8.",
    registers=(Register("s", 128), Register("k", 128)),
    start=(Take("key", 128, into="k"), Repeat(1024, step), *3 * NONCE_WORD),
    associated=part(640, 3),
    text=part(1024, 5, keystream=word),
    finish=(permuted(1024, 7), Squeeze(32, word), permuted(640, 7), Squeeze(32, word)),
)

CIPHERS = (TINYJAMBU128,)
