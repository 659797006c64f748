# SPDX-License-Identifier: Apache-2.0
"""ZK-Crypt as it was first submitted: six shift registers of 96 bits that slip, and a data word.

C. Gressel, R. Granot and G. Vago, "ZK-Crypt", eSTREAM phase 1, 2005, after its reference code of 26
August 2005; later versions differ. Tiers 0, 1 and 2 are its top, middle and bottom one; the names
of the controls are not the paper's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import xor
from typing import Any

from headwater.algebra.word import Word, all_ones, choose, concatenate, rotate_left
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

TIERS = ((13, 19), (18, 14), (15, 17))
"""Lengths of the left and the right register of each tier."""

TAPS = {
    13: (0, 3, 4, 6, 9, 10),
    14: (0, 2, 5, 6, 9, 11),
    15: (0, 1, 2, 6, 7, 11),
    17: (0, 2, 5, 8, 10, 11, 13, 14),
    18: (0, 3, 5, 7, 8, 11, 12, 13, 14, 16),
    19: (0, 2, 5, 7, 8, 9, 10, 12, 15, 17),
}
"""The place where feedback enters a register, by its length."""

PERMUTATIONS = {
    "A": (
        9,
        18,
        5,
        11,
        22,
        12,
        30,
        19,
        7,
        15,
        31,
        25,
        28,
        24,
        6,
        3,
        17,
        13,
        27,
        23,
        1,
        2,
        26,
        21,
        4,
        20,
        8,
        16,
        0,
        14,
        10,
        29,
    ),
    "B": (
        30,
        15,
        6,
        12,
        25,
        18,
        16,
        9,
        19,
        7,
        3,
        31,
        0,
        29,
        27,
        21,
        14,
        28,
        24,
        17,
        23,
        5,
        10,
        2,
        11,
        22,
        13,
        26,
        20,
        8,
        4,
        1,
    ),
    "C": (
        19,
        7,
        14,
        29,
        3,
        27,
        0,
        13,
        25,
        16,
        15,
        30,
        20,
        1,
        26,
        31,
        8,
        6,
        2,
        4,
        9,
        18,
        12,
        10,
        21,
        11,
        22,
        5,
        24,
        23,
        28,
        17,
    ),
}
"""For each permutation, the bit that moves to each place; the fourth, D, is the identity."""

MASKS = (
    (2, 5, 8, 11, 14, 17, 20, 23, 26),
    (0, 1, 3, 6, 9, 12, 15, 18, 21, 24, 27, 29, 30),
    (7, 10, 13, 16, 19, 22, 25, 28, 31),
    (4,),
)
"""The places of a word that each mask inverts: every place is in one of them."""

_SLIP_TAPS, _SLIP_LENGTHS, _RELOAD = (0, 1, 0), (3, 5, 6), (1, 3, 4)
"""Of the slip register of each tier: the tap beside the top bit, the length, and the bit that
becomes the top of the counter."""


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The words of the key, then those of the IV, bit 0 of a word in the lowest lane."""
    bits = [*key, *iv]
    return tuple(bits[lane::32] for lane in range(32))


def top(word: Word) -> Word:
    """The highest bit."""
    return word[len(word) - 1]


def small_step(x: Word, tap: int) -> Word:
    """A step of a small register of longest period, whose cycle includes the all-zero state."""
    return concatenate(top(x) ^ x[tap] ^ all_ones(~x[:-1]), x[:-1])


def clocked(wire: Any, name: str, x: Word, slip: Word, feedback: Word) -> Word:
    """A step of one of the six registers, which may slip, and a slice of the feedback word."""
    enters = wire(top(x) ^ slip ^ all_ones(~x[:-1]), f"{name}_enters")
    taps = TAPS[len(x)]
    bits = [
        enters,
        *(x[bit - 1] ^ enters if bit in taps else x[bit - 1] for bit in range(1, len(x))),
    ]
    return wire(concatenate(*bits) ^ feedback, f"{name}_clocked")


def counted(n: Word, wraps: Word, reload: Word) -> Word:
    """The next count of a tier. After all ones comes the value ``reload`` instead of zero."""
    carry = n[0] & n[1]
    up = concatenate(~n[0], n[1] ^ n[0], n[2] ^ carry, n[3] ^ (carry & n[2]))
    return up ^ (reload & wraps.replicate(4))


def step(
    wire: Any, *registers: Word, initialising: Word, first: Word, **_others: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock. In the first of all, no register slips and the lower two tiers stand still."""
    state = dict(zip(_NAMES, registers, strict=True))
    full = [wire(all_ones(state[f"n{tier}"]), f"full_{tier}") for tier in range(3)]
    left = [full[tier] & top(state[f"s{tier}"]) for tier in range(3)]
    right = [full[tier] & ~top(state[f"s{tier}"]) for tier in range(3)]
    slip_left = wire((left[0] | left[1] | right[2]) & ~first, "slip_left")
    slip_right = wire((right[0] | right[1] | left[2]) & ~first, "slip_right")

    tiers: dict[str, Word] = {}
    words = []
    for tier, names in enumerate(_PAIRS):
        moved, word = _tier(wire, tier, state, (slip_left, slip_right), first)
        tiers |= dict(zip(names, moved, strict=True))
        words.append(word)
    summed = wire(reduce(xor, words), "tiers")
    data = wire(_masked(_permuted(summed, state["v"]), state), "data")

    # The feedback is the sum of this output and the previous one. The last data word is in both and
    # cancels.
    feedback = choose(initialising, data ^ state["p"], state["f"])
    last = state["s"] & initialising.replicate(32)
    return data ^ state["s"], {
        **tiers,
        "s": data,
        "f": feedback,
        "p": last,
        **_controllers(state, full, left),
        **_clocks(wire, state, slip_right),
    }


def _tier(
    wire: Any, tier: int, state: Mapping[str, Word], slips: Sequence[Word], first: Word
) -> tuple[list[Word], Word]:
    """Both registers of a tier after the clock, and the tier's word."""
    split = TIERS[tier][0]
    slices = (state["f"][:split], state["f"][split:])
    moved = [
        clocked(wire, name, state[name], slip, part)
        for name, slip, part in zip(_PAIRS[tier], slips, slices, strict=True)
    ]
    if tier:
        moved = [
            wire(choose(first, state[name], after), f"{name}_after")
            for name, after in zip(_PAIRS[tier], moved, strict=True)
        ]
    word = concatenate(*moved)
    turned = rotate_left(word, 1)
    if tier:
        turned &= (~first | state[f"s{tier}"][0]).replicate(32)
    return moved, wire(word ^ turned, f"tier_{tier}")


def _permuted(word: Word, v: Word) -> Word:
    """The word in the permutation that ``v`` selects: D, A, B or C."""
    a, b, c = (concatenate(*(word[bit] for bit in order)) for order in PERMUTATIONS.values())
    return choose(v[1], choose(v[0], b, c), choose(v[0], a, word))


def _masked(word: Word, state: Mapping[str, Word]) -> Word:
    inverts = (state["g"][0], state["g"][1], state["g"][2], state["e"][1])
    mask = {bit: one for one, places in zip(inverts, MASKS, strict=True) for bit in places}
    return word ^ concatenate(*(mask[bit] for bit in range(32)))


def _controllers(
    state: Mapping[str, Word], full: Sequence[Word], left: Sequence[Word]
) -> dict[str, Word]:
    """The next values of the controllers of the tiers' slips, for cycles in which they move."""
    moves = state["h"]
    following = {"g": state["g"] ^ (concatenate(*left) & moves.replicate(3))}
    # The counter of each tier is reloaded with top bits of the registers of another tier.
    sources = (_PAIRS[1], _PAIRS[0], _PAIRS[2])
    for tier, (high, low) in enumerate(sources):
        s, n = state[f"s{tier}"], state[f"n{tier}"]
        chance = concatenate(s[0] ^ top(state[low]), s[1] ^ top(state[high]))
        reload = concatenate(chance, s[0] & 0, s[_RELOAD[tier]])
        following[f"n{tier}"] = choose(moves, counted(n, full[tier], reload), n)
        following[f"s{tier}"] = choose(moves, small_step(s, _SLIP_TAPS[tier]), s)
    return following


def _clocks(wire: Any, state: Mapping[str, Word], slip_right: Word) -> dict[str, Word]:
    """The clock generator, the delays behind it, and the permutation that is next.

    Permutations follow each other in the order D, A, B, C, which is 00, 01, 11, 10 in ``v``; a
    juggle exchanges the first two and the last two. In this numbering no bit is inverted in every
    clock: a simulation of gates may fail to load such a bit where it was unknown.
    """
    q2, q5, v, e, j = (state[name] for name in ("q2", "q5", "v", "e", "j"))
    moved = small_step(q5, 1)
    ones = q2[0] & q2[1] & all_ones(~q5[:4])
    q5_enters = wire(moved[0] ^ slip_right, "q5_enters")
    q2_enters = wire((q2[0] ^ q2[1]) | ones, "q2_enters")
    j_enters = wire(~q5[4], "j_enters")
    return {
        "v": concatenate(~choose(j[1], v[0], v[1]), choose(j[1], v[1], v[0])),
        "h": q5[4] | q2[1],
        "e": concatenate(q5[1], e[0]),
        "j": concatenate(j_enters, j[0]),
        "q2": concatenate(q2_enters, q2[0]),
        "q5": concatenate(q5_enters, q5[:-1]),
    }


def enter(
    wire: Any, *registers: Word, entering: Word, turning: Word, last: Word, **_others: Word
) -> Mapping[str, Word]:
    """A step of the load.

    A word enters the bottom tier; the word of the bottom tier moves to the middle tier, that of the
    middle tier to the top tier, and that of the top tier to the controllers. The four words of the
    key go round once while the words of the IV are added. Two bits of the controllers' word have no
    effect: they pass through ``q2``, which begins with ones. A load of one word would leave inputs
    unread.
    """
    state = dict(zip(_NAMES, registers, strict=True))
    words = [concatenate(*(state[name] for name in names)) for names in _PAIRS]
    control = concatenate(*(state[name] for name in _CONTROL), state["q5"][:4])
    bottom = wire(entering ^ (control & turning.replicate(32)), "bottom")
    following: dict[str, Word] = {}
    for names, word in zip(_PAIRS, (*words[1:], bottom), strict=True):
        following |= _cut(names, word)
    none = entering[0] & 0
    following |= _cut((*_CONTROL, "q5"), concatenate(words[0], none))
    following["q2"] = concatenate(*(following["q2"][bit] | last for bit in range(2)))
    rest = [register for register in _REGISTERS if register.name not in following]
    return following | {register.name: none.replicate(register.length) for register in rest}


def _cut(names: Sequence[str], word: Word) -> dict[str, Word]:
    """A word cut up into registers, the first one lowest."""
    parts, low = {}, 0
    for name in names:
        high = low + _LENGTHS[name]
        parts[name], low = word[low:high], high
    return parts


_PAIRS = tuple(tuple(f"r{length}" for length in pair) for pair in TIERS)
_LENGTHS = {
    **{f"r{length}": length for pair in TIERS for length in pair},
    **dict.fromkeys(("s", "f"), 32),
    **{
        f"{name}{tier}": length
        for tier in range(3)
        for name, length in (("s", _SLIP_LENGTHS[tier]), ("n", 4))
    },
    "g": 3,
    "v": 2,
    "q5": 5,
    "q2": 2,
    "h": 1,
    "e": 2,
    "j": 2,
    "p": 32,
}
_REGISTERS = tuple(
    Register(name, newest=0, oldest=length - 1, setup_only=name == "p")
    for name, length in _LENGTHS.items()
)
_NAMES = tuple(_LENGTHS)
_CONTROL = ("s0", "n0", "s1", "n1", "s2", "n2", "q2")
"""Registers that a load word is cut into, the lowest bits first; ``q5`` takes the rest."""

ZK_CRYPT = WordCipher(
    name="zkcrypt",
    title="ZK-Crypt (phase 1)",
    source="C. Gressel, R. Granot and G. Vago, ZK-Crypt, eSTREAM phase 1, 2005: reference code of "
    "26 August 2005",
    patents="US 7,827,223 (Fortress GB, 2010) claims word stream ciphers of its authors",
    security="not for use: only the sum of key and IV counts; left eSTREAM before phase 3 "
    "(D. J. Bernstein, Which eSTREAM ciphers have been broken?, 2008)",
    printed_flip_flops=(
        (
            "189 by ETH Zurich, February 2006, UMC 0.25 um, without initialisation: fewer than the "
            "204 that the reference code of phase 1 keeps, so another circuit"
        ),
    ),
    key_bits=128,
    iv_bits=(64, 96, 128),
    bit_order="lsb_first",
    convention=(
        "Bytes of key, IV and keystream are words of 32 bits, the least significant byte and bit "
        "first. An IV of 64 or 96 bits is filled up with zeros at its end."
    ),
    registers=_REGISTERS,
    lanes=lanes,
    lane_names="the four words of the key, then those of the IV",
    load=Entered(
        (Phase("key", 4), Phase("IV", 3, ("turning",)), Phase("end of IV", 1, ("turning", "last"))),
        enter=enter,
        zeros_last=True,
        fewest_words=2,
    ),
    phases=(
        Phase("first clock", 1, ("initialising", "first")),
        Phase("initialise", 31, ("initialising",)),
    ),
    step=step,
    word_bits=32,
)
