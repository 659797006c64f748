# SPDX-License-Identifier: Apache-2.0
"""Ascon-128, Ascon-128a and Ascon-80pq, version 1.2: a sponge of three rates and lengths of key.

C. Dobraunig, M. Eichlseder, F. Mendel, M. Schläffer, "Ascon v1.2", submission to the final round of
NIST's competition and Journal of Cryptology 34 (2021). The state is the string of its 40 bytes. The
words of the permutation are big-endian, unlike those of the later standard, SP 800-232.
"""

from __future__ import annotations

from functools import partial

from headwater.algebra.word import IntegerWord, concatenate, rotate_left
from headwater.kinds.message.description import (
    Do,
    MessageCipher,
    Pad,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)

STATE_BITS = 320
ROTATIONS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
LONG_ROUNDS = 12


def turned(word):
    """The bytes of a word in the other order."""
    return concatenate(*(word[at : at + 8] for at in reversed(range(0, len(word), 8))))


def permutation_round(wire, s, number):
    """A round: its constant, the S-boxes, the linear layer."""
    x0, x1, x2, x3, x4 = (turned(s[at : at + 64]) for at in range(0, STATE_BITS, 64))
    x2 = concatenate(x2[:8] ^ concatenate(number, ~number), x2[8:])
    a0, a2, a4 = wire(x0 ^ x4), wire(x2 ^ x1), wire(x4 ^ x3)
    b0, b1, b2 = wire(a0 ^ (~x1 & a2)), wire(x1 ^ (~a2 & x3)), wire(a2 ^ (~x3 & a4))
    b3, b4 = wire(x3 ^ (~a4 & a0)), wire(a4 ^ (~a0 & x1))
    words = [wire(word, f"c{i}") for i, word in enumerate((b0 ^ b4, b1 ^ b0, ~b2, b3 ^ b2, b4))]
    mixed = (
        word ^ rotate_left(word, -first) ^ rotate_left(word, -second)
        for word, (first, second) in zip(words, ROTATIONS, strict=True)
    )
    return {"s": concatenate(*map(turned, mixed))}


def add(s, block, *, at=0):
    """Bytes are added from a bit on."""
    behind = at + len(block)
    return {"s": concatenate(s[:at], s[at:behind] ^ block, s[behind:])}


def begin(s, k, parameters):
    """The parameters, the key, and room for the nonce."""
    return {"s": concatenate(parameters, k, s[len(parameters) + len(k) :])}


def add_key(s, k, *, at):
    """The key is added from a bit on."""
    return add(s, k, at=at)


def separate(s):
    """The last bit of the state is inverted: the lowest one of its last byte."""
    return {"s": concatenate(s[:-8], s[-8:] ^ 1)}


def first_bytes(s, *, rate):
    """What encrypts."""
    return s[:rate]


def tag(s, k):
    """The last bytes of the state and of the key."""
    return s[-128:] ^ k[-128:]


def ascon(name, title, rate, rounds, key_bits=128):
    """A member of the family."""
    numbers = bytes((key_bits, rate, LONG_ROUNDS, rounds))
    first = numbers.ljust((STATE_BITS - key_bits - 128) // 8, b"\0")
    long, short = (Repeat(n, permutation_round, first_number=12 - n) for n in (LONG_ROUNDS, rounds))
    pad = Pad("always", 0x80)
    part = partial(Part, rate=rate, added=True, pad=pad, between=(short,), enter=add)
    return MessageCipher(
        name=name,
        title=title,
        source='C. Dobraunig et al., "Ascon v1.2: Lightweight Authenticated Encryption and '
        'Hashing", Journal of Cryptology 34, 2021',
        security="no attack on the full cipher known; a nonce must not be used twice under a key; "
        "the standard, SP 800-232, has another order of bytes",
        key_bits=key_bits,
        iv_bits=(128,),
        bit_order="lsb_first",
        convention="Strings of bytes, the first byte and bit lowest at the ports; words of the "
        "permutation are big-endian.",
        registers=(Register("s", STATE_BITS), Register("k", key_bits)),
        constants={"parameters": IntegerWord(int.from_bytes(first, "little"), 8 * len(first))},
        start=(
            Take("key", key_bits, into="k"),
            Do(begin),
            Take("nonce", 128, enter=partial(add, at=STATE_BITS - 128)),
            long,
            Do(partial(add_key, at=STATE_BITS - key_bits)),
        ),
        associated=part(end=(short,)),
        middle=(Do(separate),),
        text=part(at_least_one=True, keystream=partial(first_bytes, rate=rate)),
        finish=(Do(partial(add_key, at=rate)), long, Squeeze(128, tag)),
    )


CIPHERS = (
    ascon("ascon128", "Ascon-128", rate=64, rounds=6),
    ascon("ascon128a", "Ascon-128a", rate=128, rounds=8),
    ascon("ascon80pq", "Ascon-80pq", rate=64, rounds=6, key_bits=160),
)
