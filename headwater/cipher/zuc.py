# SPDX-License-Identifier: Apache-2.0
"""ZUC: an LFSR over the prime field of 2^31 - 1 elements, and a nonlinear function of it.

ETSI/SAGE, "Specification of the 3GPP confidentiality and integrity algorithms 128-EEA3 and
128-EIA3, document 2: ZUC specification", version 1.6, 2011. Cells are s0 to s15; the upper and
the lower half of a cell, its bits 30 to 15 and 15 to 0, are ``H`` and ``L`` there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from headwater.algebra.word import Word, add, choose, concatenate, rotate_left
from headwater.cipher.option import TABLE_ADVICE, Option
from headwater.cipher.register import Register
from headwater.cipher.zuc_sboxes import S0, S1
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

CONSTANTS = (
    0x44D7, 0x26BC, 0x626B, 0x135E, 0x5789, 0x35E2, 0x7135, 0x09AF,
    0x4D78, 0x2F13, 0x6BC4, 0x1AF1, 0x5E26, 0x3C4D, 0x789A, 0x47AC,
)  # fmt: skip
"""The 15 bits d_i between key and IV in cell i."""

_L1, _L2 = (2, 10, 18, 24), (8, 14, 22, 30)
"""The rotations of the two linear maps."""

_EARLY = "early"


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """A byte of key and a byte of IV in every step: the IV byte in the lower lanes, bit 0 of a byte
    lowest."""
    return tuple(list(source[place::8]) for source in (iv, key) for place in reversed(range(8)))


def fold(wire: Any, terms: Sequence[Word]) -> Sequence[Word]:
    """Terms of a sum modulo 2^31 - 1 reduced to two by carry-save adders. A carry out of the top
    enters at the bottom, because 2^31 is 1."""
    terms, level = list(terms), 0
    while len(terms) > 2:
        following: list[Word] = []
        while len(terms) >= 3:
            a, b, c, *terms = terms
            mark = f"{level}_{len(following) // 2}"
            following.append(wire(a ^ b ^ c, f"half_{mark}"))
            following.append(rotate_left(wire((a & b) | (a & c) | (b & c), f"carry_{mark}"), 1))
        terms, level = [*following, *terms], level + 1
    return terms


def add_modulo_p(wire: Any, *terms: Word) -> Word:
    """The sum modulo 2^31 - 1 of terms that are not all zero, as a number from 1 to 2^31 - 1.

    The carry out of the upper end is added at the lower one. Both possible sums are made, so that
    no addition waits for the carry of the other.
    """
    left, right = fold(wire, terms)
    zero = left[0] & 0
    without = wire(add(concatenate(left, zero), concatenate(right, zero)), "without")
    carried = wire(add(add(left, right), concatenate(~zero, left[1:] & 0)), "carried")
    return choose(without[31], carried, without[:31])


def step(
    wire: Any, *registers: Word, initialising: Word, sbox: str = "table", early: bool = False,
    **others: Word,
) -> tuple[Word, Mapping[str, Word]]:  # fmt: skip
    """One clock: bit reorganisation, F, the keystream word, and the LFSR in either mode."""
    s, r1, r2 = registers[:16], registers[16], registers[17]
    x0 = concatenate(s[14][:16], s[15][15:])
    x1 = concatenate(s[9][15:], s[11][:16])
    x2 = concatenate(s[5][15:], s[7][:16])
    x3 = concatenate(s[0][-16:], s[2][:16])

    w = wire(add(x0 ^ r1, r2), "w")
    w1, w2 = wire(add(r1, x1), "w1"), wire(r2 ^ x2, "w2")
    u = wire(_linear(concatenate(w2[16:], w1[:16]), _L1), "u")
    v = wire(_linear(concatenate(w1[16:], w2[:16]), _L2), "v")

    known = [registers[18]] if early else [s[0], *_rotated(s[13], s[10], s[4], s[0])]
    w_upper = w[1:] & initialising.replicate(31)
    s16 = wire(add_modulo_p(wire, *known, rotate_left(s[15], 15), w_upper), "s16")
    f1, f2 = _substituted(wire, concatenate(u, v), sbox, others)
    return w ^ x3, {**_moved(wire, s, s16, early), "r1": f1, "r2": f2}


def enter(
    wire: Any, *registers: Word, entering: Word, early: bool = False, **controls: Word
) -> Mapping[str, Word]:
    """A step of the load: a byte of the key, a constant, and a byte of the IV enter at s15."""
    s = registers[:16]
    d = concatenate(*(controls[f"d_{bit}"] for bit in range(15)))
    s16 = concatenate(entering[:8], d, entering[8:])
    nothing = registers[16] & 0
    return {**_moved(wire, s, s16, early), "r1": nothing, "r2": nothing}


def _moved(wire: Any, s: Sequence[Word], s16: Word, early: bool) -> dict[str, Word]:
    """The LFSR moved by a cell. If the sum of the older terms is made a cycle earlier (``early``),
    only the upper half of the oldest cell is still used."""
    following = {f"s{cell}": value for cell, value in enumerate((*s[1:], s16))}
    if early:
        following["s0"] = s[1][15:]
        following[_EARLY] = add_modulo_p(_after("early", wire), *_sum_ahead(s))
    return following


def _linear(word: Word, places: Sequence[int]) -> Word:
    total = word
    for count in places:
        total = total ^ rotate_left(word, count)
    return total


def _rotated(s13: Word, s10: Word, s4: Word, s0: Word) -> list[Word]:
    return [rotate_left(s13, 17), rotate_left(s10, 21), rotate_left(s4, 20), rotate_left(s0, 8)]


def _sum_ahead(s: Sequence[Word]) -> list[Word]:
    """The terms of the next step's sum that are known in this step, each one cell higher."""
    return [s[1], *_rotated(s[14], s[11], s[5], s[1])]


def _after(prefix: str, wire: Any) -> Any:
    """Names that begin with a prefix."""
    return lambda value, name: wire(value, f"{prefix}_{name}")


def _substituted(
    wire: Any, words: Word, form: str, tables: Mapping[str, Word]
) -> tuple[Word, Word]:
    """S0 and S1 in turn on the bytes of two words, S0 on the most significant one."""
    octets = [words[8 * place : 8 * place + 8] for place in range(8)]
    odd = S0.apply(concatenate(*octets[1::2]), wire, form, tables.get("s0_table"), "box0")
    even = S1.apply(concatenate(*octets[0::2]), wire, form, tables.get("s1_table"), "box1")
    made = [source[8 * place : 8 * place + 8] for place in range(4) for source in (even, odd)]
    return concatenate(*made[:4]), concatenate(*made[4:])


def _names(d: int) -> tuple[str, ...]:
    return tuple(f"d_{bit}" for bit in range(15) if d >> bit & 1)


_CELLS = tuple(Register(f"s{cell}", newest=0, oldest=30) for cell in range(16))
_MEMORY = tuple(Register(name, newest=0, oldest=31) for name in ("r1", "r2"))
_LOAD = tuple(Phase(f"cell {cell}", 1, _names(d)) for cell, d in enumerate(CONSTANTS))


def _made(sbox: str = "table", feedback: str = "tree") -> WordCipher:
    """ZUC with S-boxes and feedback in the given forms."""
    early = feedback == _EARLY
    registers = (*_CELLS, *_MEMORY)
    if early:
        upper = Register("s0", newest=0, oldest=15)
        registers = (upper, *registers[1:], Register(_EARLY, newest=0, oldest=30))
    return WordCipher(
        name="zuc",
        title="ZUC-128",
        source="ETSI/SAGE, 128-EEA3 and 128-EIA3 document 2: ZUC specification, version 1.6, 2011",
        security="no attack known on the full cipher",
        key_bits=128,
        iv_bits=(128,),
        bit_order="msb_first",
        first_bit_on_top=True,
        convention=(
            "Bytes of key and IV are k_0 and iv_0 first, their most significant bit first. "
            "Keystream words are sent most significant bit and byte first."
        ),
        registers=registers,
        lanes=lanes,
        lane_names="a byte of the IV below a byte of the key",
        # With more than one word in a cycle the early sum would need a second sum beside the first.
        load=Entered(
            _LOAD, enter=partial(enter, early=early), fewest_words=2 if early else 1
        ),
        phases=(Phase("initialise", 32, ("initialising",)), Phase("discard", 1)),
        step=partial(step, sbox=sbox, early=early),
        word_bits=32,
        constants={"s0_table": S0.table, "s1_table": S1.table} if sbox == "table" else {},
        forms=(
            Option("sbox", ("algebraic", "table"),
                   "algebraic: S-boxes are circuits of gates; table: looked up",
                   TABLE_ADVICE),
            Option("feedback", ("tree", _EARLY),
                   "tree: all terms of the feedback are added at once; early: those known a cycle "
                   "before are added in that cycle",
                   "early costs registers for what was added before, and shortens the path of the "
                   "feedback. Choose it where the clock is the limit."),
        ),
        form=_made,
    )  # fmt: skip


ZUC = _made()
