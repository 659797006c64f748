# SPDX-License-Identifier: Apache-2.0
"""Xoodyak, authenticated encryption, in the version of the finals: a sponge on Xoodoo.

J. Daemen, S. Hoffert, M. Peeters, G. Van Assche, R. Van Keer, "Xoodyak, a lightweight cryptographic
scheme", IACR Transactions on Symmetric Cryptology 2020, special issue 1, and the submission to the
final round. The state is the string of its bytes: lane x of plane y is word 4y + x.
"""

from __future__ import annotations

from functools import partial

from headwater.algebra.word import concatenate, lookup, rotate_left, table_word
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

CONSTANTS = (0x058, 0x038, 0x3C0, 0x0D0, 0x120, 0x014, 0x060, 0x02C, 0x380, 0x0F0, 0x1A0, 0x012)


def xoodoo_round(wire, s, number, round_constants):
    """One round: theta, rho west, iota, chi, rho east."""
    a = [[s[32 * (4 * y + x) : 32 * (4 * y + x) + 32] for x in range(4)] for y in range(3)]
    p = [wire(a[0][x] ^ a[1][x] ^ a[2][x], f"p{x}") for x in range(4)]
    e = [wire(rotate_left(p[x - 1], 5) ^ rotate_left(p[x - 1], 14), f"e{x}") for x in range(4)]
    a = [[wire(a[y][x] ^ e[x], f"theta_{y}_{x}") for x in range(4)] for y in range(3)]
    a[1] = [a[1][x - 1] for x in range(4)]
    a[2] = [rotate_left(lane, 11) for lane in a[2]]
    low = a[0][0][:16] ^ lookup(number, round_constants)
    a[0][0] = wire(concatenate(low, a[0][0][16:]), "iota")
    b = [[a[y][x] ^ (~a[(y + 1) % 3][x] & a[(y + 2) % 3][x]) for x in range(4)] for y in range(3)]
    b = [[wire(lane, f"chi_{y}_{x}") for x, lane in enumerate(plane)] for y, plane in enumerate(b)]
    b[1] = [rotate_left(lane, 1) for lane in b[1]]
    b[2] = [rotate_left(b[2][x - 2], 8) for x in range(4)]
    return {"s": concatenate(*b[0], *b[1], *b[2])}


def coloured(s, *, colour=0):
    """A colour is added to the last byte."""
    return {"s": concatenate(s[:376], s[376:] ^ colour)}


def down(s, block, *, at=0):
    """A block, and the byte 1 behind it, are added to the first bytes, or from another bit on."""
    behind = at + len(block)
    return {"s": concatenate(s[:at], s[at:behind] ^ block, s[behind:])}


def with_key(s):
    """Behind key and nonce: the length of the nonce, the byte 1, and the colour of the key."""
    return {"s": concatenate(s[:256], s[256:264] ^ 0x10, s[264:272] ^ 1, s[272:376], s[376:] ^ 2)}


def first_bytes(s, *, size=0):
    """The first bytes of the state, which encrypt, and are the tag."""
    return s[:size]


def up(colour=0):
    """A colour, then all rounds."""
    return Repeat(12, xoodoo_round, begin=partial(coloured, colour=colour) if colour else None)


XOODYAK = MessageCipher(
    name="xoodyak",
    title="Xoodyak",
    source='J. Daemen et al., "Xoodyak, a lightweight cryptographic scheme", IACR ToSC 2020 S1, '
    "and the submission to the final round of NIST's competition",
    security="no attack on the full cipher known; a nonce must not be used twice under a key",
    key_bits=128,
    iv_bits=(128,),
    bit_order="lsb_first",
    convention="Strings of bytes; lanes of 32 bits, the first byte and bit lowest.",
    registers=(Register("s", 384),),
    constants={"round_constants": table_word((*CONSTANTS, 0, 0, 0, 0), 16)},
    start=(
        Take("key", 128, enter=down),
        Take("nonce", 128, enter=partial(down, at=128)),
        Do(with_key),
    ),
    associated=Part(
        rate=352,
        added=True,
        at_least_one=True,
        pad=Pad("each"),
        first=(up(), Do(partial(coloured, colour=0x03))),
        between=(up(),),
        enter=down,
    ),
    text=Part(
        rate=192,
        added=True,
        at_least_one=True,
        pad=Pad("each"),
        first=(up(0x80),),
        between=(up(),),
        keystream=partial(first_bytes, size=192),
        enter=down,
    ),
    finish=(up(0x40), Squeeze(128, partial(first_bytes, size=128))),
)

CIPHERS = (XOODYAK,)
