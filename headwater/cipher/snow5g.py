# SPDX-License-Identifier: Apache-2.0
"""SNOW 5G: two LFSRs of 16-bit cells and a finite state machine of three AES blocks.

The SNOW of the 256-bit algorithms for 5G: SNOW-Vi (Ekdahl, Maximov, Johansson, Yang, "SNOW-Vi: an
extreme performance variant of SNOW-V for lower grade CPUs", WiSec 2021) with additions of 16-bit
cells, and without a constant of its mode with authentication. The specification of 3GPP itself was
not at hand: public code and its test vectors tell the differences.

A word of 128 bits is eight cells, or the sixteen bytes of a block, the first one lowest.
``a_low`` are the cells a0 to a7, ``a_high`` a8 to a15.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import xor
from typing import Any

from headwater.algebra.cells import add_cells, cells, cells_times_x
from headwater.algebra.sbox import SR
from headwater.algebra.word import IntegerWord, TableWire, Wire, Word, all_ones, concatenate
from headwater.cipher.aes_ofb import Block, column, mix_column, rows, shift_rows
from headwater.cipher.option import TABLE_ADVICE, Option
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

CELL_BITS, WORD_BITS, LANES = 16, 128, 32
_BYTES = WORD_BITS // 8
FOLDS = (32, 64)
"""Parts of a word that a step can be made in."""

A_CONSTANT, B_CONSTANT = 0x4A6D, 0xCC87
"""What mulx adds for a bit that it shifts out: in LFSR A and in LFSR B."""

SIGMA = (0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
"""The byte of the input that each byte of sigma's output is."""


SBOX_FORM = Option(
    "sbox",
    ("algebraic", "fast", "small", "table"),
    "algebraic: S-boxes are circuits of gates; fast: circuits of the fewest levels, which have "
    "more gates; small: those of the fewest gates; table: looked up",
    TABLE_ADVICE,
)


def mulx(word: Word, constant: int) -> Word:
    """Each cell times x."""
    return cells_times_x(word, constant, CELL_BITS)


def sums(left: Word, right: Word) -> Word:
    """The sums of the cells, each modulo 2^16."""
    return add_cells(left, right, CELL_BITS)


def sigma(word: Word) -> Word:
    """The bytes of a word as a matrix, transposed."""
    octets = cells(word, 8)
    return concatenate(*(octets[place] for place in SIGMA))


def aes_round(wire: Wire, word: Word, name: str, form: str, table: Word | None) -> Word:
    """A round of AES (FIPS 197, section 5.1) whose round key is zero."""
    if form == "table" and isinstance(wire, TableWire):
        return _tabled_round(wire, word)
    return mixed_columns(wire, SR.apply(word, wire, form, table, name))


def _tabled_round(wire: TableWire, word: Word) -> Word:
    """The same as sums of what each byte adds to its column."""
    numbers = IntegerWord(int.from_bytes(range(_BYTES), "little"), WORD_BITS)
    octets = cells(word, 8)
    mixed = [
        [
            wire.tabled(32, partial(_mixed, row), octets[byte.value])
            for row, byte in enumerate(rows(one))
        ]
        for one in shift_rows(_columns(numbers))
    ]
    return concatenate(*(reduce(xor, added) for added in mixed))


def _mixed(row: int, _wire: Wire, octet: IntegerWord) -> Word:
    """What a byte of this row adds to a column after SubBytes and MixColumns."""
    substituted = IntegerWord(SR.entries[octet.value], 8)
    added = [substituted if place == row else octet & 0 for place in range(4)]
    return concatenate(*rows(mix_column(column(*added))))


def mixed_columns(wire: Wire, substituted: Word) -> Word:
    """What follows the S-boxes in a round of AES: ShiftRows and MixColumns."""
    mixed = [mix_column(one, wire) for one in shift_rows(_columns(substituted))]
    return concatenate(*(byte for one in mixed for byte in rows(one)))


def _columns(word: Word) -> Block:
    return tuple(column(*cells(one, 8)) for one in cells(word, 32))


def step(
    wire: Wire,
    *registers: Word,
    initialising: Word,
    masking: Word,
    sbox: str = "table",
    **tables: Word,
) -> tuple[Word, Mapping[str, Word]]:
    """Eight positions of the LFSRs, one clock of the finite state machine, and the word z."""
    a_low, a_high, b_low, b_high = registers[:4]
    a7_to_a14 = concatenate(a_low[-CELL_BITS:], a_high[:-CELL_BITS])
    u = mulx(a_low, A_CONSTANT) ^ a7_to_a14 ^ b_low
    v = mulx(b_low, B_CONSTANT) ^ b_high ^ a_low
    machine = partial(clocked, wire, registers, taps=(b_high, a_high), sums=sums)
    return machine((u, v), initialising, masking, sbox, tables.get("sr_table"))


def clocked(
    wire: Wire,
    registers: Sequence[Word],
    moved: tuple[Word, Word],
    initialising: Word,
    masking: Word,
    sbox: str,
    table: Word | None,
    *,
    taps: tuple[Word, Word],
    sums: Callable[[Word, Word], Word],
) -> tuple[Word, Mapping[str, Word]]:
    """The finite state machine of SNOW-V and SNOW 5G, whose taps and sums differ, beside the new
    halves of both LFSRs.

    The halves of the key change places in each step of the setup, and are added to R1 in its last
    two. Once the cipher runs, nothing of the key is left in its registers.
    """
    _, a_high, _, b_high, r1, r2, r3, key_low, key_high = registers
    (u, v), (t1, t2) = moved, taps
    z = wire(sums(r1, t1) ^ r2, "z")
    r1_next = sigma(wire(sums(r2, wire(r3 ^ t2, "r3_t2")), "r2_sum"))
    in_setup, masks = initialising.replicate(WORD_BITS), masking.replicate(WORD_BITS)
    return z, {
        "a_low": a_high,
        "a_high": u ^ (z & in_setup),
        "b_low": b_high,
        "b_high": v,
        "r1": r1_next ^ (key_low & masks),
        "r2": aes_round(wire, r1, "r1_box", sbox, table),
        "r3": aes_round(wire, r2, "r2_box", sbox, table),
        "key_low": key_high & in_setup,
        "key_high": key_low & in_setup,
    }


def enter(wire: Wire, *registers: Word, entering: Word, **_others: Word) -> Mapping[str, Word]:
    """A step of the load. The IV moves through both halves of the key into a7 to a0, and each half
    of the key enters its cells as it does its register."""
    a_low, a_high, _, b_high, r1, _, _, key_low, key_high = registers
    word = wire(entering, "entered")
    nothing = r1 & 0
    return {
        "a_low": concatenate(a_low[LANES:], key_low[:LANES]),
        "a_high": concatenate(a_high[LANES:], key_high[:LANES]),
        "b_low": nothing,
        "b_high": concatenate(b_high[LANES:], word),
        **dict.fromkeys(("r1", "r2", "r3"), nothing),
        "key_low": concatenate(key_low[LANES:], key_high[:LANES]),
        "key_high": concatenate(key_high[LANES:], word),
    }


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The IV, then the key, 32 bits in each step: the lowest bit in the lowest lane."""
    string = [*iv, *key]
    return tuple(string[lane::LANES] for lane in range(LANES))


def part_step(
    wire: Wire,
    *registers: Word,
    initialising: Word,
    masking: Word,
    word_bits: int,
    sbox: str = "table",
    **tables: Word,
) -> tuple[Word, Mapping[str, Word]]:
    """The lowest ``word_bits`` of a step; as many of these as make a whole word are one `step`.

    All registers move down, so each part reads the lowest bits. R1 to R3 take sums and substituted
    bytes from the top; what mixes all bytes of a word is made of the whole in the last part.
    """
    a_low, a_high, b_low, b_high, r1, r2, r3, key_low, key_high, turn = registers
    last = wire(all_ones(turn), "last")
    r1_part, r2_part, t1, t2 = (
        r1[:word_bits],
        r2[:word_bits],
        b_high[:word_bits],
        a_high[:word_bits],
    )
    z = wire(sums(r1_part, t1) ^ r2_part, "z")
    total = wire(sums(r2_part, wire(r3[:word_bits] ^ t2, "r3_t2")), "r2_sum")
    table = tables.get("sr_table")
    r1_moved = wire(concatenate(r1[word_bits:], total), "r1_moved")
    r2_moved, r3_moved = (
        wire(
            concatenate(word[word_bits:], SR.apply(part, wire, sbox, table, f"{name}_box")),
            f"{moved}_moved",
        )
        for word, part, name, moved in ((r2, r1_part, "r1", "r2"), (r3, r2_part, "r2", "r3"))
    )
    in_setup, ends = initialising.replicate(WORD_BITS), last.replicate(WORD_BITS)

    def either(moved: Word, whole: Word) -> Word:
        return (moved & ~ends) | (whole & ends)

    a_low_part, b_low_part = a_low[:word_bits], b_low[:word_bits]
    a7_on = concatenate(a_low[-CELL_BITS:], a_high[: word_bits - CELL_BITS])
    u = mulx(a_low_part, A_CONSTANT) ^ a7_on ^ b_low_part ^ (z & initialising.replicate(word_bits))
    v = mulx(b_low_part, B_CONSTANT) ^ t1 ^ a_low_part
    return z, {
        "a_low": concatenate(a_low[word_bits:], t2),
        "a_high": concatenate(a_high[word_bits:], u),
        "b_low": concatenate(b_low[word_bits:], t1),
        "b_high": concatenate(b_high[word_bits:], v),
        "r1": either(r1_moved, sigma(r1_moved)) ^ (key_low & (masking & last).replicate(WORD_BITS)),
        "r2": either(r2_moved, mixed_columns(wire, r2_moved)),
        "r3": either(r3_moved, mixed_columns(wire, r3_moved)),
        "key_low": either(key_low, key_high) & in_setup,
        "key_high": either(key_high, key_low) & in_setup,
        "turn": _next_number(turn),
    }


def _next_number(number: Word) -> Word:
    """A number of one or two bits plus one, modulo its range."""
    low = number[0]
    return ~number if len(number) == 1 else concatenate(~low, number[1] ^ low)


def enter_parts(wire: Wire, *registers: Word, entering: Word, **others: Word) -> Mapping[str, Word]:
    """`enter` for `part_step`: the parts are counted from zero."""
    *words, turn = registers
    return {**enter(wire, *words, entering=entering, **others), "turn": turn & 0}


def first_part(wire: Wire, state: Mapping[str, Word], *, bits: int) -> dict[str, Word]:  # noqa: ARG001
    """What `part_step` has beside the words between two whole steps: a number, which is zero."""
    return {"turn": state["a_low"][:bits] & 0}


REGISTERS = (
    *(
        Register(name, newest=0, oldest=127)
        for name in ("a_low", "a_high", "b_low", "b_high", "r1", "r2", "r3")
    ),
    *(Register(name, newest=0, oldest=127, setup_only=True) for name in ("key_low", "key_high")),
)
LANE_NAMES = "the IV, then the key, 32 bits at a time, the first byte in the lowest bits"
CONVENTION = (
    "Key and IV are bytes in the order in which they are sent; each word of 128 bits is sent least "
    "significant byte first. The first bit of a byte is its least significant one."
)


def _made(sbox: str = "table", word_bits: int = WORD_BITS) -> WordCipher:
    """SNOW 5G with S-boxes in the given form, and so many bits of a word in each step."""
    count = WORD_BITS // word_bits
    turn = (Register("turn", newest=0, oldest=count // 2 - 1),) if count > 1 else ()
    return WordCipher(
        name="snow5g",
        title="SNOW 5G",
        source="3GPP, 256-bit algorithms based on SNOW 5G, as public code and its vectors tell it; "
        "SNOW-Vi: WiSec 2021",
        security="no attack known on the full cipher; one key and IV must not give 2^64 bits",
        key_bits=256,
        iv_bits=(128,),
        bit_order="lsb_first",
        convention=CONVENTION,
        registers=(*REGISTERS, *turn),
        lanes=lanes,
        lane_names=LANE_NAMES,
        load=Entered((Phase("load", 12),), enter=enter_parts if turn else enter),
        phases=(
            Phase("initialise", 14 * count, ("initialising",)),
            Phase("mask", 2 * count, ("initialising", "masking")),
        ),
        step=partial(part_step, sbox=sbox, word_bits=word_bits)
        if turn
        else partial(step, sbox=sbox),
        word_bits=word_bits,
        folds=FOLDS,
        constants={"sr_table": SR.table} if sbox == "table" else {},
        forms=(SBOX_FORM,),
        form=_made,
        places=partial(first_part, bits=count // 2) if turn else None,
    )


SNOW_5G = _made()
