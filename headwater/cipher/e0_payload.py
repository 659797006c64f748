# SPDX-License-Identifier: Apache-2.0
"""E0 with its payload key generator: takes Kc with its effective length, and forms K'c itself.

Bluetooth Core Specification, volume 2, part H, section 4.2.1: K'c = g2 (Kc mod g1), of L bytes. One
register of 128 bits holds Kc, K'c, and at last the symbols of the warm-up. In each step it moves
up by a bit. The division by g1, which is moved to the top, and the multiplication by g2 have the
same step: the bit that leaves at the top adds a constant. 128 - 8L steps leave a remainder of 8L
bits at the top, and another 8L steps multiply it.

BD_ADDR and CLK enter while K'c is formed. They wait in front of its bytes and behind them, in the
order in which all move on into the LFSRs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.algebra.word import (
    IntegerWord,
    Word,
    all_ones,
    choose,
    concatenate,
    lookup,
    table_word,
)
from headwater.cipher import e0
from headwater.cipher.cases import KeystreamVector
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase

_LENGTH_BITS = 4
_KC_BITS = e0.E0.key_bits
_BEFORE = (1, 7, 1, 7)
"""Bits that enter each LFSR before those of K'c."""
_BEHIND = 16
"""Bits that enter each LFSR after those of K'c."""
_LATE = 15
"""The last of these of LFSR 4, which enter the core while the LFSRs are filled."""
_WAITING = {
    **{f"before_{number}": size for number, size in enumerate(_BEFORE, start=1)},
    **dict.fromkeys(("behind_1", "behind_2", "behind_3"), _BEHIND),
    "behind_4": _BEHIND - _LATE,
}
"""The registers of what waits: one chain in the load, which the first bit goes through first."""


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> tuple[Sequence[Any]]:
    """One stream: L - 1 and Kc, both from the highest bit down; zeros; what waits."""
    bits, length = iv[:-_LENGTH_BITS], iv[-_LENGTH_BITS:]
    streams = [*zip(e0.lanes([0] * _KC_BITS, bits), _BEFORE, strict=True)]
    before = [bit for stream, count in streams for bit in stream[:count]]
    behind = [bit for stream, count in streams for bit in stream[count + 32 :][:_BEHIND]]
    zeros = [0] * (_KC_BITS - sum(_WAITING.values()))
    return ([*reversed(length), *reversed(key), *zeros, *before, *behind],)


def addends() -> IntegerWord:
    """What a bit that leaves K'c at the top adds, by L - 1: in the multiplication g2; in the upper
    half, for the division, the lower part of g1, moved to the top."""
    places = range(_KC_BITS - 8, -8, -8)
    g1 = [low << place for low, place in zip(e0.G1_LOW, places, strict=True)]
    return table_word([*e0.G2, *g1], _KC_BITS)


def count_up(count: Word, by: Word) -> Word:
    """A word, or the next one where the bit ``by`` is one."""
    bits, carry = [], by
    for place in range(len(count)):
        bits.append(count[place] ^ carry)
        carry &= count[place]
    return concatenate(*bits)


def downwards(key: Word, behind: Sequence[Word]) -> Word:
    """K'c as its bytes leave for the four LFSRs, the lowest bits first; what is behind follows."""
    first_of = [*(key[8 * byte] for byte in range(4, 16)), *behind]
    return concatenate(
        *(part for byte in range(16) for part in (key[8 * byte + 1 : 8 * byte + 8], first_of[byte]))
    )


def entering_waiting(
    waiting: Sequence[Word], entering: Word, key: Word, feeding: Word
) -> list[Word]:
    """The bit that enters each register of what waits: in the load the one that leaves the next
    register, and while the LFSRs are filled a bit of K'c, or zero behind it."""
    chained = [*(register[len(register) - 1] for register in waiting[1:]), entering]
    return [
        *(choose(feeding, key[8 * lane], bit) for lane, bit in enumerate(chained[:4])),
        *(bit & ~feeding for bit in chained[4:7]),
        entering,
    ]


def step(
    wire: Any,
    l1: Word,
    l2: Word,
    l3: Word,
    l4: Word,
    c: Word,
    c_before: Word,
    key: Word,
    length: Word,
    divided: Word,
    *waiting: Word,
    entering: Word,
    taking: Word,
    forming: Word,
    feeding: Word,
    reload: Word,
    addends: Word,
    **filling: Word,
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: a step of E0, whose symbols are kept in ``key``, or what comes before it.

    ``divided`` begins with 8 (L - 1) and goes up to 120 in the steps of the division.
    """
    leaving = [register[len(register) - 1] for register in waiting]
    fed = wire(concatenate(*leaving[:4]) & feeding.replicate(4))
    z, after = e0.step(
        wire, l1, l2, l3, l4, c, c_before, key[:127], entering=fed, reload=reload, **filling
    )
    dividing = wire(~all_ones(divided[3:]))
    addend = wire(lookup(concatenate(length, dividing), addends))
    added = wire(addend & (key[127] & forming).replicate(_KC_BITS))
    lowest = (after["symbols"][0] & ~filling["filling_4"]) | (entering & taking)
    moved = concatenate(lowest, key[:127]) ^ added
    length_next = wire(choose(taking, concatenate(key[127], length[:3]), length), "length_next")
    counted = count_up(divided, dividing)
    low = counted[:3] & ~taking.replicate(3)
    entrances = entering_waiting(waiting, entering, key, feeding)
    return z, {
        **{name: after[name] for name in ("l1", "l2", "l3", "l4", "c", "c_before")},
        "key": choose(feeding, downwards(key, leaving[4:]), moved),
        "length": length_next,
        "divided": concatenate(low, choose(taking, length_next, counted[3:])),
        **{
            name: concatenate(wire(bit, f"into_{name}"), register[: len(register) - 1])
            for name, register, bit in zip(_WAITING, waiting, entrances, strict=True)
        },
    }


def read_keystream(entry: Any, cipher: Any) -> list[KeystreamVector]:
    """Read a keystream vector: Kc and its length are inputs, K'c is not used."""
    length = entry.number("key_length_bytes", 1, 16)
    iv = int.from_bytes(entry.packed("bd_addr", 48) + entry.packed("clock", 26), "little")
    iv |= length - 1 << 48 + 26
    key, iv_bits = entry.packed("kc", cipher.key_bits), cipher.iv_bits[-1]
    bits = entry.number("keystream_bits", 1)
    keystream = entry.packed("keystream", bits)
    iv_bytes = iv.to_bytes(-(-iv_bits // 8), "little")
    return [KeystreamVector(entry.name, key, iv_bytes, iv_bits, 0, bits, keystream)]


_FILLING, *_REST = e0.E0.load_phases
"""The phases in which the LFSRs are filled: the first one begins in the load."""

E0_PAYLOAD = ClockedCipher(
    name="e0_payload",
    title="E0 with its payload key generator",
    source=e0.E0.source,
    security=e0.E0.security,
    key_bits=_KC_BITS,
    iv_bits=(48 + 26 + _LENGTH_BITS,),
    bit_order="lsb_first",
    convention=(
        "Least significant bit first: bit i of any string is bit i mod 8 of byte i // 8, byte 0 "
        "the least significant of the specification's numbers. The key is Kc; the IV is BD_ADDR "
        "(6 bytes), then CLK (26 bits) and the effective length of the key in bytes, less one "
        "(4 bits), in 4 bytes. Keystream bit 0 is the symbol at t = 240."
    ),
    registers=(
        *e0.E0.registers[:-1],
        Register("key", newest=0, oldest=127, setup_only=True),
        Register("length", newest=0, oldest=_LENGTH_BITS - 1, setup_only=True),
        Register("divided", newest=0, oldest=6, setup_only=True),
        *(
            Register(name, newest=0, oldest=bits - 1, setup_only=True)
            for name, bits in _WAITING.items()
        ),
    ),
    lanes=lanes,
    lane_names="the length of the key, less one, and Kc, both from the highest bit down; zeros; "
    "the bits of CLK, BD_ADDR and the constants that enter LFSR 1 to 4 before K'c; those behind "
    "K'c",
    load=Injected(
        (
            Phase("length and Kc", _LENGTH_BITS + _KC_BITS, ("taking", *_FILLING.controls)),
            Phase("form K'c", _KC_BITS, ("forming", *_FILLING.controls)),
            Phase("first of the filling", _LATE, ("feeding", *_FILLING.controls)),
        ),
    ),
    phases=(
        Phase("fill", _FILLING.steps - _LATE, ("feeding", *_FILLING.controls)),
        *(Phase(phase.name, phase.steps, ("feeding", *phase.controls)) for phase in _REST),
        *e0.E0.phases,
    ),
    step=step,
    constants={"addends": addends()},
    radices=e0.E0.radices,
    vector_names=("e0",),
    vector_readers={"e0": read_keystream},
)
