# SPDX-License-Identifier: Apache-2.0
"""MOSQUITO and MOUSTIQUE: a keyed register of 96 places, fed by the ciphertext, and a pipeline.

The keyed register has a cell q_j at each place j, and several, q_j^(i), from place 89 on. A place
reads only places below it, so an entering bit has no influence after 96 steps. The two ciphers
differ in which cells a cell reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from headwater.algebra.word import Wire, Word, concatenate
from headwater.kinds.self_synchronising.description import Bit, Cell, SelfSynchronisingCipher, Stage

PLACES = 96
PIPELINE = 53
"""Bits of each of the first pipeline registers."""
READ = 48
"""Bits of the fifth pipeline register that are read."""

_CELLS_OF_PLACE = {**dict.fromkeys(range(89, 93), 2), 93: 4, 94: 4, 95: 8, 96: 16}
"""Number of cells at each place that has more than one."""


def _addresses() -> dict[tuple[int, int], int]:
    """The address of each q_j^(i): cells with i = 0 first, then by i, then by j."""
    order = [
        (number, place)
        for place in range(1, PLACES + 1)
        for number in range(_CELLS_OF_PLACE.get(place, 1))
    ]
    return {
        (place, number): address for address, (number, place) in enumerate(sorted(order), start=1)
    }


ADDRESS = _addresses()


# --- the next value of a cell; s is the cell at the place before it, k the key bit


def _chained(s: Bit, k: Bit) -> Bit:
    return s ^ k


def _complemented(s: Bit, k: Bit) -> Bit:
    return ~(s ^ k)


def g0(s: Bit, k: Bit, x: Bit, y: Bit) -> Bit:
    """The linear form."""
    return s ^ k ^ x ^ y


def g1(s: Bit, k: Bit, x: Bit, y: Bit) -> Bit:
    """The form with a product."""
    return ~(s ^ k ^ (x & ~y))


def last_place(s1: Bit, t1: Bit, s2: Bit, t2: Bit) -> Bit:
    """A cell q_96^(i) with i >= 1, which has no key bit."""
    return (s1 & ~t1) ^ (s2 & ~t2)


# --- the pipeline


def _mixed(a: Word, b: Word, c: Word, d: Word) -> Word:
    """The function of all pipeline stages that are as wide as the preceding stage."""
    return ~(a ^ b ^ (c & ~d))


_SOURCE = tuple(place * pow(4, -1, PIPELINE) % PIPELINE for place in range(PIPELINE))
"""For each place, the place whose result moves there: the result at place i moves to place 4i
modulo 53."""


def _spread(word: Word) -> Word:
    return concatenate(*(word[source] for source in _SOURCE))


def _reversed(word: Word) -> Word:
    return concatenate(*(word[place] for place in reversed(range(len(word)))))


def _from_cells(wire: Wire, a: Word) -> Word:
    """a[128 - i], a[i + 18], a[113 - i] and a[i + 1], for i from 0 to 52."""
    from_top = wire(_reversed(a[76:129]))
    below_top = wire(_reversed(a[61:114]))
    mixed = wire(_mixed(from_top, a[18:71], below_top, a[1:54]))
    return _spread(mixed)


def _mixed_at(p: Word, first: int, last: int) -> Word:
    """`_mixed` of the bits at i, i + 3, i + 1 and i + 2, for i from first to last - 1. Bits behind
    the last one are zero."""
    end = min(last, PIPELINE - 3)
    inner = _mixed(
        p[first:end], p[first + 3 : end + 3], p[first + 1 : end + 1], p[first + 2 : end + 2]
    )
    edge = (~(p[50] ^ (p[51] & ~p[52])), ~(p[51] ^ p[52]), ~p[52])
    return concatenate(inner, *edge[: last - end])


def _across(wire: Wire, p: Word) -> Word:
    mixed = wire(_mixed_at(p, 0, PIPELINE))
    return _spread(mixed)


def _to_fifth(wire: Wire, p: Word) -> Word:
    """A stage from 53 bits, without the places of the fifth register that no bit reads."""
    unread = [-1, *sorted(_SOURCE[READ:]), PIPELINE]
    runs = (_mixed_at(p, before + 1, end) for before, end in pairwise(unread) if before + 1 < end)
    mixed = wire(concatenate(*runs))
    sources = sorted(_SOURCE[:READ])
    return concatenate(*(mixed[sources.index(source)] for source in _SOURCE[:READ]))


def _every_fourth(p: Word, first: int) -> Word:
    return concatenate(*(p[place] for place in range(first, len(p), 4)))


def _gathered(wire: Wire, p: Word) -> Word:  # noqa: ARG001
    """Each bit is `_mixed` of four bits."""
    a, b, c, d = (_every_fourth(p, first) for first in range(4))
    return _mixed(a, d, b, c)


def _summed(wire: Wire, p: Word) -> Word:  # noqa: ARG001
    """Each bit is the sum of four bits."""
    return concatenate(*(p[at] ^ p[at + 1] ^ p[at + 2] ^ p[at + 3] for at in range(0, len(p), 4)))


def _keystream(wire: Wire, p: Word) -> Word:  # noqa: ARG001
    return p[0] ^ p[1] ^ p[2]


STAGES = (
    Stage("p1", PIPELINE, _from_cells),
    Stage("p2", PIPELINE, _across),
    Stage("p3", PIPELINE, _across),
    Stage("p4", PIPELINE, _across),
    Stage("p5", READ, _to_fifth),
    Stage("p6", READ // 4, _gathered),
    Stage("p7", READ // 16, _summed),
    Stage("p8", 1, _keystream),
)


# --- the keyed registers; 0 is the ciphertext bit


def _cell(place: int, number: int, form: object, reads: tuple[int, ...]) -> Cell:
    name = f"q{place}" if place not in _CELLS_OF_PLACE else f"q{place}_{number}"
    return Cell(ADDRESS[place, number], name, form, reads, place - 1)  # type: ignore[arg-type]


def _mosquito_place(place: int) -> Cell:
    """The cell of MOSQUITO at a place from 1 to 88."""
    before = place - 1
    if place <= 4:
        return _cell(place, 0, _complemented, (before,))
    x, y = {
        0: (place - 4, place - 2),
        1: (place - 6, place - 2),
        2: (place - 5, 0),
        3: (place - 4, place - 2),
        4: (place - 6, place - 2),
        5: (0, place - 2),
    }[place % 6]
    return _cell(place, 0, g1, (before, x, y))


def _moustique_place(place: int) -> Cell:
    """The cell of MOUSTIQUE at a place from 1 to 88."""
    before = place - 1
    if place <= 2:
        return _cell(place, 0, (_chained, _complemented)[place - 1], (before,))
    if place % 3 == 1:
        return _cell(place, 0, g0, (before, 2 * before // 3, place - 2))
    x, y = {
        0: (place - 5, 0),
        2: (place - 4, place - 2),
        3: (0, place - 2),
        5: (place - 4, place - 2),
    }[place % 6]
    return _cell(place, 0, g1, (before, x, y))


Reads = tuple[int, int, int]
"""Addresses of s, x and y."""

_MOSQUITO_LAST: Mapping[tuple[int, int], Reads] = {
    (89, 0): (88, 0, 87),
    (90, 0): (89, 86, 88),
    (91, 0): (90, 85, 89),
    (92, 0): (91, 87, 0),
    (93, 0): (92, 89, 91),
    (94, 0): (93, 88, 92),
    (95, 0): (94, 0, 93),
    (96, 0): (95, 91, 93),
    (89, 1): (88, 84, 87),
    (90, 1): (97, 85, 88),
    (91, 1): (98, 87, 0),
    (92, 1): (99, 97, 98),
    (93, 1): (100, 88, 99),
    (94, 1): (101, 0, 100),
    (95, 1): (102, 100, 101),
    (93, 2): (92, 0, 91),
    (94, 2): (105, 90, 92),
    (95, 2): (106, 89, 105),
    (93, 3): (100, 98, 99),
    (94, 3): (109, 97, 100),
    (95, 3): (110, 99, 0),
    (95, 4): (94, 91, 93),
    (95, 5): (102, 98, 101),
    (95, 6): (106, 0, 105),
    (95, 7): (110, 100, 109),
}

_MOUSTIQUE_LAST: Mapping[tuple[int, int], Reads] = {
    (89, 0): (88, 85, 87),
    (90, 0): (89, 85, 0),
    (91, 0): (90, 60, 89),
    (92, 0): (91, 88, 90),
    (93, 0): (92, 0, 91),
    (94, 0): (93, 62, 92),
    (95, 0): (94, 91, 93),
    (96, 0): (95, 91, 0),
    (89, 1): (88, 58, 87),
    (90, 1): (97, 86, 88),
    (91, 1): (98, 86, 0),
    (92, 1): (99, 60, 98),
    (93, 1): (100, 97, 99),
    (94, 1): (101, 0, 100),
    (95, 1): (102, 62, 101),
    (93, 2): (92, 60, 91),
    (94, 2): (105, 90, 92),
    (95, 2): (106, 0, 105),
    (93, 3): (100, 88, 0),
    (94, 3): (109, 60, 100),
    (95, 3): (110, 99, 109),
    (95, 4): (94, 60, 93),
    (95, 5): (102, 98, 0),
    (95, 6): (106, 91, 105),
    (95, 7): (110, 58, 109),
}

_MOUSTIQUE_LINEAR = {
    (91, 0),
    (94, 0),
    (89, 1),
    (92, 1),
    (95, 1),
    (93, 2),
    (94, 3),
    (95, 4),
    (95, 7),
}
"""Cells from place 89 on whose form is linear."""


def _unkeyed(number: int) -> Cell:
    """Cell q_96^(i), made of q_95^(i mod 8), q_(95-i), q_94^(i mod 4) and q_(94-i); of the latter's
    place the second cell, if there is one."""
    second = 94 - number, 1 if number <= 5 else 0
    reads = (
        ADDRESS[95, number % 8],
        ADDRESS[95 - number, 0],
        ADDRESS[94, number % 4],
        ADDRESS[second],
    )
    return Cell(ADDRESS[96, number], f"q96_{number}", last_place, reads)


def _cells(
    first: list[Cell], last: Mapping[tuple[int, int], Reads], linear: set[tuple[int, int]]
) -> tuple[Cell, ...]:
    """All cells by place, so that each reads only cells before it."""
    keyed = [_cell(*where, g0 if where in linear else g1, last[where]) for where in sorted(last)]
    return (*first, *keyed, *map(_unkeyed, range(1, 16)))


_CONVENTION = (
    "Key bit i, IV bit i and text bit i are bit i mod 8 of byte i div 8, the most significant one "
    "first. The setup takes 105 bits in as ciphertext: a zero, the IV, and zeros behind it. Each "
    "bit of keystream is made of the ciphertext bits 10 to 105 places before it."
)

MOSQUITO = SelfSynchronisingCipher(
    name="mosquito",
    title="MOSQUITO",
    source=(
        'J. Daemen, P. Kitsos, "Submission to ECRYPT call for stream ciphers: the '
        'self-synchronizing stream cipher MOSQUITO", eSTREAM, 2005; reference code of 21 June 2005'
    ),
    security=(
        'broken: A. Joux, F. Muller, "Chosen-ciphertext attacks against MOSQUITO", FSE 2006; for '
        "comparison"
    ),
    key_bits=96,
    iv_bits=tuple(range(0, 105, 8)),
    bit_order="msb_first",
    convention=_CONVENTION,
    printed_flip_flops=(
        (
            "411 by ETH Zurich, February 2006, UMC 0.25 um: the paper's registers have 410, of "
            "which 405 are read; a core with layers=7 has these beside its key and its control"
        ),
    ),
    cells=_cells([_mosquito_place(place) for place in range(1, 89)], _MOSQUITO_LAST, set()),
    stages=STAGES,
)

MOUSTIQUE = replace(
    MOSQUITO,
    name="moustique",
    title="MOUSTIQUE",
    source=(
        'J. Daemen, P. Kitsos, "The self-synchronizing stream cipher Moustique", eSTREAM; '
        "reference code of 8 November 2005"
    ),
    security=(
        "broken: key recovery in 2^38 steps with related keys (E. Käsper, V. Rijmen, T. Bjørstad, "
        "C. Rechberger, M. Robshaw, G. Sekar, AFRICACRYPT 2008); for comparison"
    ),
    printed_flip_flops=(),
    cells=_cells(
        [_moustique_place(place) for place in range(1, 89)], _MOUSTIQUE_LAST, _MOUSTIQUE_LINEAR
    ),
)
