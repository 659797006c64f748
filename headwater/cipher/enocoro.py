# SPDX-License-Identifier: Apache-2.0
"""Enocoro-128 version 2: a buffer of 32 bytes with feed-forward, and two bytes beside it.

D. Watanabe, K. Okamoto, T. Kaneko (Hitachi), 2010; ISO/IEC 29192-3. The buffer is b0 to b31, the
bytes beside it are a0 and a1. Neither standard nor specification was at hand: public code tells the
cipher, and the states that Hitachi's vectors print agree with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.algebra.truth_table import apply_table
from headwater.algebra.word import (
    Wire,
    Word,
    concatenate,
    through,
    times_x,
)
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

FIELD = 0x1D
"""What the bit that leaves adds: GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1."""

S4 = (1, 3, 9, 10, 5, 14, 7, 2, 13, 0, 12, 15, 4, 8, 6, 11)
"""The S-box of four bits."""

CONSTANTS = (0x66, 0xE9, 0x4B, 0xD4, 0xEF, 0x8A, 0x2C, 0x3B)
"""The first content of b24 to b31."""
A0, A1 = 0x88, 0x4C


def s4(bits: Sequence[Word]) -> list[Word]:
    """Four bits through their S-box, bit 0 first: each bit of the result as a function of them."""
    functions = (
        sum((entry >> bit & 1) << place for place, entry in enumerate(S4)) for bit in range(4)
    )
    return [apply_table(function, bits) for function in functions]


def times_four(v: Sequence[Word]) -> list[Word]:
    """Four bits times x^2 in GF(2^4) modulo x^4 + x + 1."""
    return [v[2], v[2] ^ v[3], v[0] ^ v[3], v[1]]


def s8(wire: Wire, byte: Word) -> Word:
    """The S-box of a byte: both halves through s4, mixed, through s4 again, and turned by a
    place."""
    v, u = (
        named_bits(wire, s4(bits_of(half)), name)
        for half, name in ((byte[:4], "v"), (byte[4:], "u"))
    )
    p = [one ^ other for one, other in zip(u, times_four(v), strict=True)]
    q = [one ^ other for one, other in zip(times_four(u), v, strict=True)]
    p, q = named_bits(wire, plus(p, 0xA), "p"), named_bits(wire, plus(q, 0x5), "q")
    *lower, top = *s4(q), *s4(p)
    return concatenate(top, *lower)


def bits_of(word: Word) -> list[Word]:
    """The bits of a word, bit 0 first."""
    return [word[place] for place in range(len(word))]


def named_bits(wire: Wire, bits: Sequence[Word], name: str) -> list[Word]:
    """Bits with a name each."""
    return [wire(bit, f"{name}{place}") for place, bit in enumerate(bits)]


def plus(bits: Sequence[Word], constant: int) -> list[Word]:
    """Those bits inverted that a constant has."""
    return [~bit if constant >> place & 1 else bit for place, bit in enumerate(bits)]


def step(
    wire: Wire, *registers: Word, initialising: Word, **_others: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One round: the output a1, the S-boxes on b2, b7, b16 and b29, and the buffer. In the setup a
    counter that doubles is added to b31."""
    b, (a0, a1, c) = registers[:32], registers[32:]
    s2, s7, s16, s29 = (
        wire(through(wire, "s8", 8, s8, b[place]), f"s_{place}") for place in (2, 7, 16, 29)
    )
    u, v = wire(a0 ^ s2, "u"), wire(a1 ^ s7, "v")
    counted = c & initialising.replicate(8)
    moved = [wire(b[31] ^ counted ^ a0, "entering_b"), *b[:31]]
    for to, other in ((3, 6), (8, 15), (17, 28)):
        moved[to] = b[to - 1] ^ b[other]
    following = {f"b{place}": value for place, value in enumerate(moved)}
    a = {"a0": u ^ v ^ s16, "a1": u ^ times_x(v, FIELD) ^ s29}
    return a1, {**following, **a, "c": times_x(counted, FIELD)}


def enter(
    wire: Wire,  # noqa: ARG001
    *registers: Word,
    entering: Word,
    last: Word,
    **_others: Word,
) -> Mapping[str, Word]:
    """A step of the load: a byte enters b0, and with the last one the constants stand in their
    places."""
    moved = [entering, *registers[:23], *(_if(last, value) for value in CONSTANTS)]
    following = {f"b{place}": value for place, value in enumerate(moved)}
    return {**following, "a0": _if(last, A0), "a1": _if(last, A1), "c": _if(last, 1)}


def _if(bit: Word, value: int) -> Word:
    """A byte, or zero."""
    return concatenate(*(bit if value >> place & 1 else bit & 0 for place in range(8)))


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The bytes of the IV, then those of the key, the last byte of each first; bit 0 of a byte in
    the lowest lane."""
    string = [*key, *iv]
    octets = [string[first : first + 8] for first in range(0, len(string), 8)][::-1]
    return tuple([byte[7 - lane] for byte in octets] for lane in range(8))


ENOCORO_128_V2 = WordCipher(
    name="enocoro128v2",
    title="Enocoro-128 version 2",
    source="ISO/IEC 29192-3; D. Watanabe, K. Okamoto, T. Kaneko (Hitachi), 2010, as public code "
    "and Hitachi's vectors tell it",
    security="no attack known on version 2; version 1 is another cipher. One key and IV must not "
    "give more than 2^32 bytes",
    patents="Hitachi designed it; whether it claims it was not searched for",
    key_bits=128,
    iv_bits=(64,),
    bit_order="msb_first",
    first_bit_on_top=True,
    convention=(
        "Bytes of key, IV and keystream are K_0, I_0 and z_0 first. The first bit of a byte is its "
        "most significant one; the cipher itself knows bytes only."
    ),
    registers=(
        *(Register(f"b{place}", newest=0, oldest=7) for place in range(32)),
        Register("a0", newest=0, oldest=7),
        Register("a1", newest=0, oldest=7),
        Register("c", newest=0, oldest=7, setup_only=True),
    ),
    lanes=lanes,
    lane_names="bytes I_7 to I_0, then K_15 to K_0",
    load=Entered((Phase("load", 23), Phase("constants", 1, ("last",))), enter=enter),
    phases=(Phase("initialise", 96, ("initialising",)),),
    step=step,
    word_bits=8,
    multiples=(2, 4, 8),
)
