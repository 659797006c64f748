# SPDX-License-Identifier: Apache-2.0
"""SNOW-V: two LFSRs of 16-bit cells and a finite state machine of three AES blocks.

P. Ekdahl, T. Johansson, A. Maximov, J. Yang, "A new SNOW stream cipher called SNOW-V", ToSC
2019(3).
The SNOW that was proposed for 5G. What became the 256-bit algorithm there, `snow5g`, has the same
load and setup, other feedback, and additions of cells; words are named as in its description.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from headwater.algebra.cells import add_cells, cells_by_x
from headwater.algebra.sbox import SR
from headwater.algebra.word import Wire, Word, concatenate
from headwater.cipher.snow5g import (
    CELL_BITS,
    CONVENTION,
    LANE_NAMES,
    REGISTERS,
    SBOX_FORM,
    WORD_BITS,
    clocked,
    enter,
    lanes,
    mulx,
)
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

A_CONSTANT, A_INVERSE = 0x990F, 0xCC87
B_CONSTANT, B_INVERSE = 0xC963, 0xE4B1
"""What a bit adds that is shifted out: at the top, in a cell times x; at the bottom, in a cell
divided by x."""

_LANE_BITS = 32


def divx(word: Word, constant: int) -> Word:
    """Each cell divided by x."""
    return cells_by_x(word, constant, CELL_BITS)


def add_lanes(left: Word, right: Word) -> Word:
    """The sums of the four parts of 32 bits, each modulo 2^32."""
    return add_cells(left, right, _LANE_BITS)


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
    a1_to_a8 = concatenate(a_low[CELL_BITS:], a_high[:CELL_BITS])
    b3_to_b10 = concatenate(b_low[3 * CELL_BITS :], b_high[: 3 * CELL_BITS])
    u = mulx(a_low, A_CONSTANT) ^ a1_to_a8 ^ divx(a_high, A_INVERSE) ^ b_low
    v = mulx(b_low, B_CONSTANT) ^ b3_to_b10 ^ divx(b_high, B_INVERSE) ^ a_low
    machine = partial(clocked, wire, registers, taps=(b_high, a_low), sums=add_lanes)
    return machine((u, v), initialising, masking, sbox, tables.get("sr_table"))


def _made(sbox: str = "table") -> WordCipher:
    """SNOW-V with S-boxes in the given form."""
    return WordCipher(
        name="snow_v",
        title="SNOW-V",
        source='P. Ekdahl, T. Johansson, A. Maximov, J. Yang, "A new SNOW stream cipher called '
        'SNOW-V", ToSC 2019(3)',
        security="no practical attack known; none on the full cipher is below 2^246, and that one "
        "needs more keystream than one key and IV may give",
        key_bits=256,
        iv_bits=(128,),
        bit_order="lsb_first",
        convention=CONVENTION + " Not the mode with authentication: b0 to b7 begin with zeros.",
        registers=REGISTERS,
        lanes=lanes,
        lane_names=LANE_NAMES,
        load=Entered((Phase("load", 12),), enter=enter),
        phases=(
            Phase("initialise", 14, ("initialising",)),
            Phase("mask", 2, ("initialising", "masking")),
        ),
        step=partial(step, sbox=sbox),
        word_bits=WORD_BITS,
        constants={"sr_table": SR.table} if sbox == "table" else {},
        forms=(SBOX_FORM,),
        form=_made,
    )


SNOW_V = _made()
