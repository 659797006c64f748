# SPDX-License-Identifier: Apache-2.0
"""Schwaemm256-128: a sponge whose permutation, Sparkle384, is of additions, rotations and XOR.

C. Beierle et al., "Schwaemm and Esch: Lightweight Authenticated Encryption and Hashing using the
Sparkle Permutation Family", version 1.2, submission to the final round of NIST's competition, 2021.
"""

from __future__ import annotations

from functools import partial

from headwater.algebra.word import add, concatenate, lookup, rotate_left, table_word
from headwater.kinds.message.description import (
    MessageCipher,
    Pad,
    Part,
    Register,
    Repeat,
    Squeeze,
    Take,
)

CONSTANTS = (
    *(0xB7E15162, 0xBF715880, 0x38B4DA56, 0x324E7738),
    *(0xBB1185EB, 0x4F7C7B57, 0xCFBFA1C8, 0xC2B3293D),
)


def alzette(wire, x, y, number):
    """The box of 64 bits, with a constant: four rounds of addition, rotation and XOR."""
    for places, others in ((1, 8), (15, 15), (0, 1), (8, 16)):
        x = wire(add(x, rotate_left(y, places)), f"box{number}_sum")
        y = wire(y ^ rotate_left(x, others), f"box{number}_y")
        x = wire(x ^ CONSTANTS[number], f"box{number}_x")
    return x, y


def folded(wire, words, name):
    """The function l of the sum of three words."""
    total = wire(words[0] ^ words[1] ^ words[2], f"sum_{name}")
    return wire(concatenate(total[:16] ^ total[16:], total[:16]), f"l_{name}")


def sparkle(wire, s, number, constants):
    """A step of Sparkle384: its number, six boxes, and the linear layer."""
    w = [s[low : low + 32] for low in range(0, 384, 32)]
    w[1] = w[1] ^ lookup(number[:3], constants)
    w[3] = concatenate(w[3][:4] ^ number, w[3][4:])
    boxes = (alzette(wire, w[2 * n], w[2 * n + 1], n) for n in range(6))
    x, y = zip(*boxes, strict=True)
    from_x, from_y = folded(wire, x[:3], "x"), folded(wire, y[:3], "y")
    left_x = (x[3 + n] ^ x[n] ^ from_y for n in (1, 2, 0))
    left_y = (y[3 + n] ^ y[n] ^ from_x for n in (1, 2, 0))
    pairs = zip((*left_x, *x[:3]), (*left_y, *y[:3]), strict=True)
    return {"s": concatenate(*(word for pair in pairs for word in pair))}


def key_in(s, k, block):
    """The key is the inner part, and kept."""
    return {"s": concatenate(s[:256], s[256:] ^ block), "k": k ^ block}


def nonce_in(s, block):
    """The nonce is the outer part."""
    return {"s": concatenate(s[:256] ^ block, s[256:])}


def enter(s, block):
    """Rho and the whitening: the outer halves cross, the block is added, and the inner part."""
    left, right, inner = s[:128], s[128:256], s[256:]
    return {"s": concatenate(concatenate(right ^ inner, left ^ right ^ inner) ^ block, inner)}


def close(partial):
    """Whether the block is full."""
    return {"full": ~partial}


def last(s, full, *, mark):
    """The mark of the last block is added to the inner part, and so to what this whitened."""
    mark = concatenate(full, s[:7] & 0) ^ mark
    thirds = ((s[low : low + 120], s[low + 120 : low + 128] ^ mark) for low in (0, 128, 256))
    return {"s": concatenate(*(word for third in thirds for word in third))}


def outer(s):
    """What text is added to."""
    return s[:256]


def tag(s, k):
    """The inner part, with the key."""
    return s[256:] ^ k


def part(mark, **fields):
    """Associated data or text, whose last block has this mark, and one more if it is full."""
    last_steps = Repeat(11, sparkle, begin=partial(last, mark=mark))
    steps = {"between": (Repeat(7, sparkle),), "end": (last_steps,)}
    return Part(rate=256, pad=Pad("partial", 0x80), enter=enter, close=close, **steps, **fields)


SCHWAEMM = MessageCipher(
    name="schwaemm256128",
    title="Schwaemm256-128",
    source='C. Beierle et al., "Schwaemm and Esch", version 1.2, 2021',
    security="no attack on the full cipher known; a nonce must not be used twice under a key",
    key_bits=128,
    iv_bits=(256,),
    bit_order="lsb_first",
    convention="Strings of bytes; words of 32 bits, the first byte and bit lowest.",
    registers=(Register("s", 384), Register("k", 128), Register("full", 1)),
    constants={"constants": table_word(CONSTANTS, 32)},
    start=(Take("key", 128, enter=key_in), Take("nonce", 256, enter=nonce_in), Repeat(11, sparkle)),
    associated=part(0x04),
    text=part(0x06, keystream=outer),
    finish=(Squeeze(128, tag),),
)

CIPHERS = (SCHWAEMM,)
