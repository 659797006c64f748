# SPDX-License-Identifier: Apache-2.0
"""SFINKS: an LFSR filtered by an inversion in GF(2^16), whose output comes six steps late.

A. Braeken, J. Lano, N. Mentens, B. Preneel and I. Verbauwhede, "SFINKS: A Synchronous Stream Cipher
for Restricted Hardware Environments", eSTREAM phase 1, 2005, and its reference code. During the
setup the inverses enter the LFSR, seven steps after they were taken. With authentication one more
bit of each inverse enters a shift register, which an accumulator adds for every message bit that is
one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import xor
from typing import Any

from headwater.algebra.field import Field
from headwater.algebra.large_tower import LargeTower, inversion_parts, read_parts
from headwater.algebra.tower import Tower
from headwater.algebra.word import Word, concatenate
from headwater.cipher.register import Register
from headwater.kinds.filtered.description import FilteredLfsr
from headwater.kinds.stepped.description import Phase, Placed

LENGTH = 256
"""Cells of the LFSR. It moves towards cell 0."""

FEEDBACK = (0, 14, 48, 52, 64, 66, 85, 107, 115, 125, 151, 163, 187, 192, 194, 212)
"""The cells whose sum enters the LFSR."""

FILTER = (1, 6, 9, 19, 21, 44, 58, 74, 98, 105, 134, 161, 193, 227, 244, 255)
"""The cells that are inverted, bit 0 first."""

INJECTED = (80, 17, 66, 179, 52, 213, 118, 247, 232, 41, 154, 11, 204, 173, 142, 111)
"""The cell that each bit of an inverse is added to during the setup."""

FIELD = Field(0x1002D)
"""GF(2^16) as the polynomials modulo x^16 + x^5 + x^3 + x^2 + 1."""

TOWER = LargeTower(
    FIELD,
    (FIELD.power(33443, 256), 33443),
    bytes=Tower.normal(Field(0x11B), v=30, u=81),
    root=37840,
)
"""The same field as a tower whose circuit of an inversion is small."""

DELAY = 7
"""Steps from an inverse to the LFSR that it enters: words of the pipeline."""

BITS = FIELD.degree
MARK_CELL = 95
INITIALISATION = 128
TAG_BITS = 64


def inverse(wire: Any, x: Sequence[Word]) -> list[Word]:
    """All bits of the inverse of an element, bit 0 first."""
    return read_parts(inversion_parts(TOWER, tuple(range(BITS))), x, wire, "inverse")


def step(
    wire: Any, s: Word, d: Word, m: Word, *others: Word, initialising: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: the LFSR, to which the oldest word of the pipeline is added during the setup, then
    the pipelines, word 0 lowest. With authentication there is one more register, which this
    function moves during the setup only."""
    after = {}
    if others:
        after["q"] = authenticated(others[0], d[1], initialising)
    moved = wire(concatenate(s[1:], reduce(xor, (s[cell] for cell in FEEDBACK))), "moved")
    enters = {
        cell: wire(d[bit] & initialising, f"enters_{bit}") for bit, cell in enumerate(INJECTED)
    }
    cells = (
        moved[cell] ^ enters[cell] if cell in enters else moved[cell] for cell in range(LENGTH)
    )
    after["s"] = wire(concatenate(*cells), "injected")
    inverted = inverse(wire, [after["s"][cell] for cell in FILTER])
    after["d"] = wire(concatenate(d[BITS:], *inverted), "d_after")
    after["m"] = wire(concatenate(m[1:], after["s"][0]), "m_after")
    return after["d"][0] ^ after["m"][0], after


def authenticated(q: Word, enters: Word, bit: Word) -> Word:
    """A step of the accumulator and of the shift register above it, for one message bit; during the
    setup this bit is one. Bit 0 of each is the oldest."""
    accumulator, register = q[:TAG_BITS], q[TAG_BITS:]
    added = accumulator ^ (register & bit.replicate(TAG_BITS))
    return concatenate(added, register[1:], enters)


def content(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """The loaded LFSR: a one at `MARK_CELL`, above it the key, above the key the IV."""
    return {"s": [*[0] * MARK_CELL, 1, *key, *iv], "q": [0] * 2 * TAG_BITS}


_REGISTERS = (
    Register("s", newest=LENGTH - 1, oldest=0),
    Register("d", newest=BITS * DELAY - 1, oldest=0, setup_only=True),
    Register("m", newest=DELAY - 1, oldest=0, setup_only=True),
)


_PRINTED = (
    (
        "ETH Zurich (2006) print 289 at radix 1 to 754 at radix 16 without authentication. Here a "
        "core has the 256 of the LFSR, 19 in which some bits of inverses wait to enter it during "
        "the setup, and its control, at any radix: other bits wait in the LFSR itself, and the "
        "delay of the output needs none but the few that bring words in line. Each stage of the "
        "inverter adds its own."
    ),
)


def _sfinks(name: str, title: str, convention: str, *, tag_bits: int = 0) -> FilteredLfsr:
    own = (Register("q", newest=2 * TAG_BITS - 1, oldest=0),)
    return FilteredLfsr(
        name=name,
        title=title,
        source="A. Braeken, J. Lano, N. Mentens, B. Preneel, I. Verbauwhede, SFINKS: A Synchronous "
        "Stream Cipher for Restricted Hardware Environments, eSTREAM phase 1, 2005",
        security="broken by fast algebraic attacks (N. Courtois, Cryptanalysis of Sfinks, IACR "
        "ePrint 2005/243); for comparison only",
        key_bits=80,
        iv_bits=(80,),
        bit_order="msb_first",
        input_order="lsb_first",
        convention=convention,
        registers=_REGISTERS + (own if tag_bits else ()),
        load=Placed(content),
        phases=(Phase("initialisation", INITIALISATION, ("initialising",)),),
        step=step,
        feedback_cells=FEEDBACK,
        filter_cells=FILTER,
        injected_cells=INJECTED,
        tower=TOWER,
        tag_bits=tag_bits,
        authenticator="q" if tag_bits else "",
        takes_associated_data=tag_bits > 0,
        printed_flip_flops=_PRINTED,
    )


_ORDER = (
    "Key bit i and IV bit i are bit i mod 8, least significant first, of byte i // 8; {} the first "
    "bit of each byte is its most significant one."
)

SFINKS = _sfinks("sfinks", "SFINKS", _ORDER.format("of the keystream"))

SFINKS_AE = _sfinks(
    "sfinks-ae",
    "SFINKS with authentication",
    _ORDER.format("of associated data, text and tag")
    + " A message is whole bytes. Neither a length nor padding is authenticated.",
    tag_bits=TAG_BITS,
)
