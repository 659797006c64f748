# SPDX-License-Identifier: Apache-2.0
"""The rounds of KASUMI, with the block fed back and in f8.

3GPP TS 35.202 (KASUMI) and 35.201 (f8), as `headwater.cipher.kasumi` says. A step is one of the
eight rounds of a block, and gives the next byte of the block before. The pieces of the key turn by
one place in a round, so that each subkey is always in the same place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headwater.algebra.word import (
    Wire,
    Word,
    add,
    all_ones,
    choose,
    concatenate,
    lookup,
    rotate_left,
    table_word,
)
from headwater.cipher.kasumi_sboxes import S7, S9

PIECE_BITS = 16
"""Bits of the pieces that key and block are made of."""
ROUNDS = 8
BLOCK_BITS = 64

CONSTANTS = (0x0123, 0x4567, 0x89AB, 0xCDEF, 0xFEDC, 0xBA98, 0x7654, 0x3210)
"""C_1 to C_8, which are added to the key."""
MODIFIER = 0x5555
"""What is added to each piece of the key for the block that f8 begins with."""

K = tuple(f"k{place}" for place in range(1, ROUNDS + 1))
"""The pieces of the key, from the one with the number of the round on."""
BLOCK = ("l", "r", "z", "number")
"""Both halves of a block, what is left of the block before, and the round, from 0 on."""
CHAIN = ("a", "low", "high")
"""Of f8: the modifier A, and both halves of the number of the next block."""


def fl(wire: Wire, x: Word, keys: Sequence[Word], name: str) -> Word:
    """FL: each half of 16 bits changes the other one under a key."""
    right = wire(x[:PIECE_BITS] ^ rotate_left(x[PIECE_BITS:] & keys[0], 1), f"{name}_right")
    return concatenate(right, x[PIECE_BITS:] ^ rotate_left(right | keys[1], 1))


def fi(wire: Wire, x: Word, key: Word, tables: Sequence[Word | None], name: str) -> Word:
    """FI: a part of 9 bits and one of 7, which go through the S-boxes twice."""
    nine, seven = x[7:], x[:7]
    added = wire(key, f"{name}_key")
    for turn in range(2):
        nine = wire(S9.apply(wire, nine, tables[1]) ^ _widened(seven), f"{name}_nine_{turn}")
        seven = wire(S7.apply(wire, seven, tables[0]) ^ nine[:7], f"{name}_seven_{turn}")
        if turn == 0:
            nine = wire(nine ^ added[:9], f"{name}_nine")
            seven = wire(seven ^ added[9:], f"{name}_seven")
    return concatenate(nine, seven)


def _widened(seven: Word) -> Word:
    """A word of 7 bits as one of 9."""
    return concatenate(seven, seven[:2] & 0)


def fo(wire: Wire, x: Word, keys: Sequence[Sequence[Word]], tables: Sequence[Word | None]) -> Word:
    """FO: three rounds with FI, each with a key before and one inside."""
    left, right = x[PIECE_BITS:], x[:PIECE_BITS]
    for turn, (outer, inner) in enumerate(keys, start=1):
        entering = wire(left ^ outer, f"fi{turn}_in")
        result = fi(wire, entering, inner, tables, f"fi{turn}")
        left, right = right, wire(result ^ right, f"fi{turn}_out")
    return concatenate(right, left)


def one_round(wire: Wire, k: Sequence[Word], state: Mapping[str, Word], **others: Word) -> Word:
    """The block behind a round. FL is before FO in the first, third ... round, else behind it."""
    left, right, number = state["l"], state["r"], state["number"]
    constants = [lookup(number, others[f"constants_{place}"]) for place in (2, 3, 4, 7)]
    inner = dict(zip((2, 3, 4, 7), constants, strict=True))
    primed = {place: wire(k[place] ^ one, f"k{place + 1}_primed") for place, one in inner.items()}
    of_fl = wire(rotate_left(k[0], 1), "kl1"), primed[2]
    of_fo = (
        (rotate_left(k[1], 5), primed[4]),
        (rotate_left(k[5], 8), primed[3]),
        (rotate_left(k[6], 13), primed[7]),
    )
    tables = others.get("s7_table"), others.get("s9_table")
    second = number[0]
    before = wire(choose(second, left, fl(wire, left, of_fl, "before")), "fo_in")
    middle = wire(fo(wire, before, of_fo, tables), "fo_out")
    result = wire(choose(second, fl(wire, middle, of_fl, "behind"), middle), "f_out")
    return concatenate(left, right ^ result)


def step(wire: Wire, *registers: Word, **others: Word) -> tuple[Word, Mapping[str, Word]]:
    """A round; the block that it ends is the next one to encrypt, and leaves in the next rounds."""
    output, following, _ = _stepped(wire, registers[:ROUNDS], registers[ROUNDS:], others)
    return output, {**following, **_turned(registers)}


def f8_step(
    wire: Wire, *registers: Word, modified: Word, **others: Word
) -> tuple[Word, Mapping[str, Word]]:
    """A round of f8. Behind the last one the next block is A, the number of the block and the block
    made, added; where the key is modified, the block made is A."""
    here = concatenate(
        *(modified if MODIFIER >> bit & 1 else modified & 0 for bit in range(PIECE_BITS))
    )
    k = [wire(piece ^ here, f"{name}_modified") for piece, name in zip(registers, K, strict=False)]
    a, low, high = registers[-3:]
    output, following, result = _stepped(wire, k, registers[ROUNDS:-3], others)
    ends = wire(all_ones(registers[ROUNDS + 3]), "ends")
    chained = wire(result ^ ((a ^ concatenate(low, high)) & ends.replicate(BLOCK_BITS)), "chained")
    halves = {"l": chained[32:], "r": chained[:32]}
    taken = wire(ends & modified, "taken")
    carry = wire(ends & all_ones(low), "carry")
    own = {
        "a": choose(taken, result, a),
        "low": choose(ends, add(low, 1), low),
        "high": choose(carry, add(high, 1), high),
    }
    return output, {**following, **halves, **own, **_turned(registers)}


def _stepped(
    wire: Wire, k: Sequence[Word], block: Sequence[Word], others: Mapping[str, Word]
) -> tuple[Word, dict[str, Word], Word]:
    """What the step of each keystream does: the byte that leaves, the registers of the block, and
    the block behind the round."""
    state = dict(zip(BLOCK, block, strict=True))
    made = wire(one_round(wire, k, state, **others), "made")
    z, number = state["z"], state["number"]
    moved = concatenate(z[:8] & 0, z[:-8])
    following = {
        "l": made[32:],
        "r": made[:32],
        "z": choose(all_ones(number), made, moved),
        "number": add(number, 1),
    }
    return z[-8:], following, made


def _turned(registers: Sequence[Word]) -> dict[str, Word]:
    """The pieces of the key, turned by one place."""
    k = registers[:ROUNDS]
    return dict(zip(K, (*k[1:], k[0]), strict=True))


TURNED = {
    f"constants_{place}": table_word(CONSTANTS[place:] + CONSTANTS[:place], PIECE_BITS)
    for place in (2, 3, 4, 7)
}
"""The constant that is added to a piece of the key, by the number of the round."""

TABLES = {"s7_table": S7.table, "s9_table": S9.table}
"""The S-boxes, where they are looked up."""
