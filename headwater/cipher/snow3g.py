# SPDX-License-Identifier: Apache-2.0
"""SNOW 3G: an LFSR over GF(2^32) and a finite state machine of three words.

ETSI/SAGE, "Specification of the 3GPP confidentiality and integrity algorithms UEA2 and UIA2,
document 2: SNOW 3G specification", version 1.1, 2006. Stages are s0 to s15.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import xor
from typing import Any

from headwater.algebra.sbox import SR, SBox
from headwater.algebra.word import Wire, Word, add, concatenate, through, times_x
from headwater.cipher.option import SBOX
from headwater.cipher.register import Register
from headwater.cipher.snow3g_sbox import SQ
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

_ALPHA, S1_FIELD, _S2_FIELD = 0xA9, 0x1B, 0x69
"""The constants that MULx adds for a bit that it shifts out: in the LFSR, in S1 and in S2."""


def mulx(value: int, constant: int) -> int:
    """A byte times x (section 3.1.1)."""
    return (value << 1 ^ (constant if value >> 7 else 0)) & 0xFF


def mulx_power(value: int, power: int, constant: int) -> int:
    """A byte times a power of x (section 3.1.2)."""
    return reduce(lambda product, _: mulx(product, constant), range(power), value)


def linear_images(powers: Sequence[int], constant: int = _ALPHA) -> tuple[int, ...]:
    """The images of the eight bits under the map of a byte to its products with powers of x, the
    first product in the most significant byte."""
    return tuple(
        sum(
            mulx_power(1 << bit, power, constant) << 8 * place
            for place, power in enumerate(reversed(powers))
        )
        for bit in range(8)
    )


MUL_ALPHA = linear_images((23, 245, 48, 239))
DIV_ALPHA = linear_images((16, 39, 6, 64))
"""MULalpha and DIValpha are linear (sections 3.4.2 and 3.4.3): no memory is needed."""


def times(images: Sequence[int], byte: Word) -> Word:
    """A linear map of a byte, given by the images of its bits."""
    columns = [
        reduce(xor, (byte[bit] for bit in range(8) if images[bit] >> place & 1))
        for place in range(32)
    ]
    return concatenate(*columns)


def mul_alpha(wire: Wire, byte: Word) -> Word:  # noqa: ARG001
    """MULalpha (section 3.4.2)."""
    return times(MUL_ALPHA, byte)


def div_alpha(wire: Wire, byte: Word) -> Word:  # noqa: ARG001
    """DIValpha (section 3.4.3)."""
    return times(DIV_ALPHA, byte)


def mixed(wire: Any, word: Word, box: SBox, constant: int, form: str, table: Word | None) -> Word:
    """A word through an S-box of bytes and a circulant matrix (section 3.3). The first byte of the
    specification is the most significant one."""
    looked_up = wire(box.apply(word, wire, form, table), f"{box.name}_word")
    a = [looked_up[8 * place : 8 * place + 8] for place in (3, 2, 1, 0)]
    whole = a[0] ^ a[1] ^ a[2] ^ a[3]
    whole = wire(whole, f"{box.name}_sum")
    columns = []
    for place in range(4):
        # Each byte: x times this byte and the one before, plus the sum of all other bytes.
        pair = wire(a[place] ^ a[place - 1], f"{box.name}_pair_{place}")
        columns.append(times_x(pair, constant) ^ whole ^ a[place])
    return concatenate(*reversed(columns))


def feedback(wire: Wire, s: Sequence[Word]) -> Word:
    """The word that enters the LFSR once the cipher runs."""
    v = through(wire, "mul_alpha", 32, mul_alpha, s[0][24:])
    v = wire(v ^ through(wire, "div_alpha", 32, div_alpha, s[11][:8]) ^ s[2], "v")
    # The two words that are shifted by a byte; the entering zeros need no gate.
    return concatenate(v[:8] ^ s[11][8:16], v[8:24] ^ s[0][:16] ^ s[11][16:], v[24:] ^ s[0][16:24])


def step(
    wire: Any, *registers: Word, initialising: Word, sbox: str = "table", **others: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: the finite state machine, the keystream word, and the LFSR in either mode."""
    s, (r1, r2, r3) = registers[:16], registers[16:]
    f = wire(add(s[15], r1) ^ r2, "f")
    r = add(r2, r3 ^ s[5])
    r3_next = mixed(wire, r2, SQ, _S2_FIELD, sbox, others.get("sq_table"))
    r2_next = mixed(wire, r1, SR, S1_FIELD, sbox, others.get("sr_table"))
    s16 = wire(feedback(wire, s) ^ (f & initialising.replicate(32)), "s16")
    following = {f"s{stage}": value for stage, value in enumerate((*s[1:], s16))}
    return f ^ s[0], {**following, "r1": r, "r2": r2_next, "r3": r3_next}


def enter(
    wire: Any,
    *registers: Word,
    entering: Word,
    key: Word,
    inverted: Word,
    turning: Word,
    upper: Word,
    lower: Word,
    **_others: Word,
) -> Mapping[str, Word]:
    """A step of the load.

    The LFSR is four times the key, twice inverted, with the IV on four of its words. So it moves as
    four registers of four words, which take the key's words and then turn once round, while the
    words of the IV are added in the upper two of them. When all controls are zero they hold.
    """
    s = registers[:16]
    word = wire(entering, "entered")
    from_key, ones, turns = (bit.replicate(32) for bit in (key, inverted, turning))

    def moved(quarter: int, ones: Word, added: Word) -> list[Word]:
        first = 4 * quarter
        top = ((word ^ ones) & from_key) | ((s[first] ^ added) & turns)
        return [*s[first + 1 : first + 4], wire(top, f"top_{quarter}")]

    none = ones & 0
    words = [
        *moved(0, ones, none),
        *moved(1, none, none),
        *moved(2, ones, word & lower.replicate(32)),
        *moved(3, none, word & upper.replicate(32)),
    ]
    following = {f"s{stage}": value for stage, value in enumerate(words)}
    return {**following, **dict.fromkeys(("r1", "r2", "r3"), none)}


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """k0 to k3, then IV1, IV3, IV2, IV0: each when the word that it is added to passes. Bit 0 of a
    word is in the lowest lane."""
    k, i = ([source[32 * word : 32 * word + 32] for word in range(4)] for source in (key, iv))
    words = [*k, i[1], i[3], i[2], i[0]]
    return tuple([word[31 - lane] for word in words] for lane in range(32))


_LOAD = (
    Phase("key", 4, ("key", "inverted")),
    Phase("IV1", 1, ("turning", "upper")),
    Phase("IV3", 1, ("turning", "lower")),
    Phase("IV2", 1, ("turning", "lower")),
    Phase("IV0", 1, ("turning", "upper")),
)


def _made(sbox: str = "table") -> WordCipher:
    """SNOW 3G with S-boxes in the given form."""
    boxes = {"sr_table": SR.table, "sq_table": SQ.table}
    return WordCipher(
        name="snow3g",
        title="SNOW 3G",
        source="ETSI/SAGE, UEA2 and UIA2 document 2: SNOW 3G specification, version 1.1, 2006",
        security="no practical attack known",
        key_bits=128,
        iv_bits=(128,),
        bit_order="msb_first",
        first_bit_on_top=True,
        convention=(
            "The key is k0, k1, k2, k3 and the IV IV0, IV1, IV2, IV3, each word most significant "
            "byte first, as the test sets of the generator print them; the 3GPP modes have the "
            "opposite order of words. Keystream words are sent most significant bit and byte first."
        ),
        registers=(
            *(Register(f"s{stage}", newest=0, oldest=31) for stage in range(16)),
            *(Register(name, newest=0, oldest=31) for name in ("r1", "r2", "r3")),
        ),
        lanes=lanes,
        lane_names="k0, k1, k2, k3, IV1, IV3, IV2, IV0",
        load=Entered(_LOAD, enter=enter),
        phases=(Phase("initialise", 32, ("initialising",)), Phase("discard", 1)),
        step=partial(step, sbox=sbox),
        word_bits=32,
        constants=boxes if sbox == "table" else {},
        forms=(replace(SBOX, best_on_fpga="table"),),
        form=_made,
    )


SNOW_3G = _made()
