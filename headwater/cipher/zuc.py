# SPDX-License-Identifier: Apache-2.0
"""ZUC: an LFSR over the prime field of 2^31 - 1 elements, and a nonlinear function of it.

ETSI/SAGE, "Specification of the 3GPP confidentiality and integrity algorithms 128-EEA3 and
128-EIA3, document 2: ZUC specification", version 1.6, 2011. Cells are s0 to s15; the upper and
the lower half of a cell, its bits 30 to 15 and 15 to 0, are ``H`` and ``L`` there.

ZUC-256 has the same step. Key and IV are loaded otherwise, and its setup is longer. It is described
here as the 256-bit algorithms for 5G have it, with an IV of 128 bits. The specification of 3GPP
itself was not at hand: public code and its test vectors tell the load and the number of steps.
`headwater.cipher.zuc256_2018` has the draft of 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from headwater.algebra.word import Word, add, choose, concatenate, rotate_left
from headwater.cipher.law import Law, equal
from headwater.cipher.option import SBOX, Option
from headwater.cipher.register import Register
from headwater.cipher.zuc_sboxes import S0, S1
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

CONSTANTS = (
    0x44D7,
    0x26BC,
    0x626B,
    0x135E,
    0x5789,
    0x35E2,
    0x7135,
    0x09AF,
    0x4D78,
    0x2F13,
    0x6BC4,
    0x1AF1,
    0x5E26,
    0x3C4D,
    0x789A,
    0x47AC,
)
"""The 15 bits d_i between key and IV in cell i of ZUC-128."""

CONSTANTS_256 = (
    0x64,
    0x43,
    0x7B,
    0x2A,
    0x11,
    0x05,
    0x51,
    0x42,
    0x1A,
    0x31,
    0x18,
    0x66,
    0x14,
    0x2E,
    0x01,
    0x5C,
)
"""The 7 bits d_i below the uppermost byte in cell i of ZUC-256."""

_L1, _L2 = (2, 10, 18, 24), (8, 14, 22, 30)
"""The rotations of the two linear maps."""

_EARLY = "early"


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """A byte of key and a byte of IV in every step: the IV byte in the lower lanes."""
    return _byte_lanes(iv, key)


def lanes_256(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The three bytes of a cell in every step: K_i above K_(16+i) and K_(24+i) in cells 0 to 6,
    above IV_(i-7) and IV_(i+1) in cells 7 to 14, above K_23 and K_31 in cell 15. The lowest byte is
    in the lowest lanes."""
    middle = [*key[8 * 16 : 8 * 23], *iv[: 8 * 8], *key[8 * 23 : 8 * 24]]
    lowest = [*key[8 * 24 : 8 * 31], *iv[8 * 8 :], *key[8 * 31 :]]
    return _byte_lanes(lowest, middle, key[: 8 * 16])


def _byte_lanes(*strings: Sequence[Any]) -> Lanes:
    """A byte of each string in every step, bit 0 of a byte lowest."""
    return tuple(list(string[place::8]) for string in strings for place in reversed(range(8)))


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
    top = len(left)
    zero = left[0] & 0
    without = wire(add(concatenate(left, zero), concatenate(right, zero)), "without")
    carried = wire(add(add(left, right), concatenate(~zero, left[1:] & 0)), "carried")
    return choose(without[top], carried, without[:top])


def _in_any_order(wire: Any, a: Word, b: Word, c: Word) -> Word:
    """The law `SUMS`. What `fold` makes of three terms has their sum, in which all three are alike:
    so sums of two are associative, and with any number of terms `fold` keeps the sum."""
    both, swapped = (
        add_modulo_p(_after(name, wire), *terms)
        for name, terms in (("both", (a, b)), ("swapped", (b, a)))
    )
    in_turn = add_modulo_p(_after("in_turn", wire), both, c)
    return equal(both, swapped) & equal(in_turn, add_modulo_p(_after("all", wire), a, b, c))


SUMS = Law(
    "sums_in_any_order",
    "a sum modulo 2^31 - 1 of any terms is that of sums of some of them",
    _in_any_order,
    {"a": 31, "b": 31, "c": 31},
)


def step(
    wire: Any,
    *registers: Word,
    initialising: Word,
    sbox: str = "table",
    early: bool = False,
    apart: bool = False,
    **others: Word,
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: bit reorganisation, F, the keystream word, and the LFSR in either mode. The sum of
    the older terms is in a register (``early``), or made by itself (``apart``)."""
    s, r1, r2 = registers[:16], registers[16], registers[17]
    x0 = concatenate(s[14][:16], s[15][15:])
    x1 = concatenate(s[9][15:], s[11][:16])
    x2 = concatenate(s[5][15:], s[7][:16])
    x3 = concatenate(s[0][-16:], s[2][:16])

    w = wire(add(x0 ^ r1, r2), "w")
    w1, w2 = wire(add(r1, x1), "w1"), wire(r2 ^ x2, "w2")
    u = wire(_linear(concatenate(w2[16:], w1[:16]), _L1), "u")
    v = wire(_linear(concatenate(w1[16:], w2[:16]), _L2), "v")

    older = [s[0], *_rotated(s[13], s[10], s[4], s[0])]
    if early:
        known = [registers[18]]
    else:
        known = [add_modulo_p(_after("older", wire), *older)] if apart else older
    w_upper = w[1:] & initialising.replicate(31)
    s16 = wire(add_modulo_p(wire, *known, rotate_left(s[15], 15), w_upper), "s16")
    f1, f2 = _substituted(wire, concatenate(u, v), sbox, others)
    return w ^ x3, {**_moved(wire, s, s16, early), "r1": f1, "r2": f2}


def enter(
    wire: Any, *registers: Word, entering: Word, early: bool = False, **controls: Word
) -> Mapping[str, Word]:
    """A step of the load: a byte, a constant, and what else enters fill the 31 bits of s15."""
    lower = len(entering) - 8
    d = constant(31 - len(entering), controls)
    return entered(wire, registers, concatenate(entering[:lower], d, entering[lower:]), early)


def constant(bits: int, controls: Mapping[str, Word]) -> Word:
    """The constant of a cell, whose bits are controls of the load."""
    return concatenate(*(controls[f"d_{bit}"] for bit in range(bits)))


def entered(wire: Any, registers: Sequence[Word], s16: Word, early: bool) -> dict[str, Word]:
    """The state after a step of the load in which a cell enters."""
    nothing = registers[16] & 0
    return {**_moved(wire, registers[:16], s16, early), "r1": nothing, "r2": nothing}


def _moved(wire: Any, s: Sequence[Word], s16: Word, early: bool) -> dict[str, Word]:
    """The LFSR moved by a cell. If the sum of the older terms is made a cycle earlier (``early``),
    only the upper half of the oldest cell is still used."""
    following = {f"s{cell}": value for cell, value in enumerate((*s[1:], s16))}
    if early:
        following["s0"] = s[1][15:]
        following[_EARLY] = add_modulo_p(_after("early", wire), *_sum_ahead(s))
    return following


def _places(wire: Any, state: Mapping[str, Word]) -> dict[str, Word]:
    """The oldest cell and the sum of the older terms with ``feedback=early``, beside the cells."""
    s = [state[f"s{cell}"] for cell in (0, 4, 10, 13)]
    older = [s[0], *_rotated(s[3], s[2], s[1], s[0])]
    return {"s0": s[0][15:], _EARLY: add_modulo_p(wire, *older)}


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
    substituted = [
        source[8 * place : 8 * place + 8] for place in range(4) for source in (even, odd)
    ]
    return concatenate(*substituted[:4]), concatenate(*substituted[4:])


def _names(d: int) -> tuple[str, ...]:
    return tuple(f"d_{bit}" for bit in range(15) if d >> bit & 1)


_CELLS = tuple(Register(f"s{cell}", newest=0, oldest=30) for cell in range(16))
_MEMORY = tuple(Register(name, newest=0, oldest=31) for name in ("r1", "r2"))


def zuc(
    cells: Sequence[int],
    initialising: int,
    identity: Mapping[str, Any],
    enter: Callable[..., Mapping[str, Word]] = enter,
    sbox: str = "table",
    feedback: str = "tree",
) -> WordCipher:
    """ZUC with these constants in its cells and so many steps of initialisation, a load whose steps
    are ``enter``, and S-boxes and feedback in the given forms. ``identity`` is what else tells the
    cipher from another."""
    early = feedback == _EARLY
    registers = (*_CELLS, *_MEMORY)
    if early:
        upper = Register("s0", newest=0, oldest=15)
        registers = (upper, *registers[1:], Register(_EARLY, newest=0, oldest=30))
    load = tuple(Phase(f"cell {cell}", 1, _names(d)) for cell, d in enumerate(cells))
    return WordCipher(
        **identity,
        bit_order="msb_first",
        first_bit_on_top=True,
        registers=registers,
        # With more than one word in a cycle the early sum would need a second sum beside the first.
        load=Entered(load, enter=partial(enter, early=early), fewest_words=2 if early else 1),
        phases=(Phase("initialise", initialising, ("initialising",)), Phase("discard", 1)),
        step=partial(step, sbox=sbox, early=early),
        word_bits=32,
        constants={"s0_table": S0.table, "s1_table": S1.table} if sbox == "table" else {},
        forms=(
            SBOX,
            Option(
                "feedback",
                ("tree", _EARLY),
                "tree: all terms of the feedback are added at once; early: those known a cycle "
                "before are added in that cycle",
                "early costs registers for what was added before, and shortens the path of the "
                "feedback. Choose it where the clock is the limit.",
            ),
        ),
        form=partial(zuc, cells, initialising, identity, enter),
        places=_places if early else None,
        laws=(SUMS,),
        rewritten=partial(step, apart=True) if early else None,
    )


CONVENTION = (
    "Bytes of key and IV are {} first, their most significant bit first. Keystream words are sent "
    "most significant bit and byte first."
)

PATENTS = (
    "US 9,025,766 (Intel, 2015) claims circuits of S1 that invert in GF(16^2), as sbox=algebraic "
    "does; US 9,379,887 (2016) claims S-boxes of ZUC that are read for several bytes at once"
)

ZUC = zuc(
    CONSTANTS,
    32,
    {
        "name": "zuc",
        "title": "ZUC-128",
        "source": "ETSI/SAGE, 128-EEA3 and 128-EIA3 document 2: ZUC specification, version 1.6, "
        "2011",
        "security": "no attack known on the full cipher",
        "patents": PATENTS,
        "key_bits": 128,
        "iv_bits": (128,),
        "convention": CONVENTION.format("k_0 and iv_0"),
        "lanes": lanes,
        "lane_names": "a byte of the IV below a byte of the key",
    },
)

ZUC_256 = zuc(
    CONSTANTS_256,
    48,
    {
        "name": "zuc256",
        "title": "ZUC-256, as 5G has it",
        "source": "3GPP, 256-bit algorithms based on ZUC-256, as public code and its vectors tell "
        "it: an IV of 128 bits and 48 steps of initialisation",
        "security": "no attack known on the full cipher",
        "patents": PATENTS,
        "key_bits": 256,
        "iv_bits": (128,),
        "convention": CONVENTION.format("K_0 and IV_0"),
        "lanes": lanes_256,
        "lane_names": "the three bytes of each cell, beginning with cell 0, the lowest byte lowest",
        "vector_names": ("zuc256_5g",),
    },
)
