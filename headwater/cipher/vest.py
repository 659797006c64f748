# SPDX-License-Identifier: Apache-2.0
"""VEST: sixteen nonlinear counters, a diffuser that sums them up, and a core of many functions.

S. O'Neil, B. Gittins and H. Landman, "VEST", eSTREAM phase 1, 2005, after its code for the root
families ("ProVEST"); phase 2 changed counters, output and loading. The size is the number of bits
that a round gives. All parts of a round are made from the same old state. ``wire`` gives a word a
name in readings that need names (see `headwater.algebra.word`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor
from typing import Any, NamedTuple

from headwater.algebra.truth_table import apply_table
from headwater.algebra.word import Wire, Word, concatenate
from headwater.cipher.vest_tables import CounterKind, Tables
from headwater.kinds.vest.description import VestAead, VestCipher

SEAL_KEY, SEAL_MAC_KEY, SEAL_IV, SEAL_MESSAGE = 0x2B, 0xB2, 0xE4, 0xFF
"""Constants that end the setup with a key (of the cipher, of the MAC), the setup with an IV, and
the message of a MAC."""

SEAL_ROUNDS = 32
"""Rounds of a seal; its constant enters in the first round."""

WINDOW_BITS = 16
"""Bits of the key that enter in a round of the key setup: one for each counter."""

COUNTER_TAPS = (0, 1, 2, 6, 7)
"""Bits of a counter that its function reads."""


class State(NamedTuple):
    """The state: bit 0 of a counter is where new bits enter."""

    counters: tuple[Word, ...]
    diffuser: Word
    core: Word


def output(tables: Tables, core: Word) -> Word:
    """The keystream word of a state, before its round."""
    return concatenate(*(reduce(xor, (core[tap] for tap in taps)) for taps in tables.taps))


def after_round(wire: Wire, tables: Tables, state: State, entering: Word, seal: Word) -> State:
    """The state after a round.

    ``entering`` is added to bit 1 of each counter after the round: 16 bits of the key in its setup;
    an absorbed byte below eight zeros; or zeros. ``seal`` is added to bit 0 of the first eight
    counters.
    """
    counters = tuple(
        after_counter(
            wire,
            kind,
            counter,
            number,
            entering[number],
            seal[number] if number < len(seal) else None,
        )
        for number, (kind, counter) in enumerate(zip(tables.counters, state.counters, strict=True))
    )
    return State(counters, after_diffuser(tables, state), after_core(wire, tables, state))


def after_counter(
    wire: Wire, kind: CounterKind, c: Word, number: int, enters: Word, seals: Word | None
) -> Word:
    """A counter after a round: a shift register whose function is invertible in its oldest bit."""
    g = wire(apply_table(kind.function, [c[tap] for tap in COUNTER_TAPS]), f"g{number}")
    newest = c[kind.width - 1] ^ g
    if seals is not None:
        newest ^= seals
    return concatenate(newest, c[0] ^ enters, c[1 : kind.width - 1])


def after_diffuser(tables: Tables, state: State) -> Word:
    """The diffuser after a round: sums of bit 1 of some counters."""
    bits = []
    for bit in tables.diffuser:
        total = reduce(
            xor, (state.counters[number][1] for number in bit.counters), state.diffuser[bit.source]
        )
        bits.append(~total if bit.inverted else total)
    return concatenate(*bits)


def after_core(wire: Wire, tables: Tables, state: State) -> Word:
    """The core after a round. The first five functions are an S-box of the first five bits; each of
    the other functions is added to its bit. Then all bits are permuted."""
    p, d = state.core, state.diffuser
    words: dict[int, Word] = {}
    for number, row in enumerate(tables.rows):
        value = apply_table(row.function, [p[source] for source in row.sources])
        if number >= 5:
            value ^= p[number]
        if number < len(d):
            value ^= d[number]
        words[row.destination] = wire(value, f"f{number}")
    return concatenate(*(words[place] for place in range(len(words))))


def key_window(key: Sequence[int], number: int) -> int:
    """The key bits that enter in a round of the key setup: 16 bits from bit ``number`` on,
    cyclically."""
    return sum(key[(number + place) % len(key)] << place for place in range(WINDOW_BITS))


_SOURCE = (
    "S. O'Neil, B. Gittins and H. Landman, VEST, eSTREAM phase 1, 2005: the reference code of the "
    "root families (ProVEST-{size})"
)
_SECURITY = (
    "broken with chosen IVs: 53 bits of the keyed state are recovered{forged} (A. Joux and "
    "J.-R. Reinhard, Overtaking VEST, FSE 2007); for comparison only"
)
_PATENTS = (
    "EP 1820295 (Synaptic Laboratories) has been claimed on VEST; the designers' IACR ePrint "
    "2007/016 was withdrawn at the request of a patent attorney"
)
_CONVENTION = (
    "The first bit of a byte of key, IV, keystream or text is its least significant one; the "
    "{size} bits of a round are taken in the order of the output's tap sets. Key and IV are any "
    "number of whole bytes, 1 to 64 and 0 to 64 being offered; without an IV there is no setup "
    "with one."
)
_PRINTED = (
    "266 to 778 (ETH Zurich, from the smallest size to the largest): ten more than the state; a "
    "core here has besides the key, which its setup needs twice, and its control"
)
_IV_LENGTHS = tuple(range(0, 513, 8))


_BYTES_FOLLOW = (
    " The MAC takes in associated data and plaintext as bytes that follow each other: nothing "
    "separates the two or tells their length. The tag is the beginning of what the MAC's state "
    "then gives."
)


def _shared(size: int, forged: str = "") -> dict[str, Any]:
    """Fields that both modes of a size share; ``forged`` adds to the security line."""
    return {
        "source": _SOURCE.format(size=size),
        "security": _SECURITY.format(forged=forged),
        "key_bits": 128,
        "iv_bits": _IV_LENGTHS,
        "bit_order": "lsb_first",
        "size": size,
        "described_in": __file__,
        "patents": _PATENTS,
    }


def _cipher(size: int) -> VestCipher:
    return VestCipher(
        name=f"vest{size}",
        title=f"VEST-{size} (phase 1)",
        convention=_CONVENTION.format(size=size),
        printed_flip_flops=(_PRINTED,),
        **_shared(size),
    )


def _authenticated(size: int) -> VestAead:
    return VestAead(
        name=f"vest{size}-ae",
        title=f"VEST-{size} (phase 1) with its MAC",
        convention=_CONVENTION.format(size=size) + _BYTES_FOLLOW,
        **_shared(size, ", and MACs forged"),
    )


VEST_4, VEST_16, VEST_32 = map(_cipher, (4, 16, 32))
VEST_4_AE, VEST_16_AE, VEST_32_AE = map(_authenticated, (4, 16, 32))
VESTS = (VEST_4, VEST_16, VEST_32, VEST_4_AE, VEST_16_AE, VEST_32_AE)
