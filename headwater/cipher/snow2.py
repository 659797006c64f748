# SPDX-License-Identifier: Apache-2.0
"""SNOW 2.0: an LFSR over GF(2^32) and a finite state machine of two words.

P. Ekdahl, T. Johansson, "A New Version of the Stream Cipher SNOW", SAC 2002; ISO/IEC 18033-4. Its
LFSR and its S-box are those of SNOW 3G, which has a third word. Stages are s0 to s15. The paper
itself was not at hand: the authors' code, as public programs carry it, and the paper's vectors tell
the load.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from headwater.algebra.sbox import SR
from headwater.algebra.word import Wire, Word, add
from headwater.cipher.option import KEY_BITS_ADVICE, SBOX, Option
from headwater.cipher.register import Register
from headwater.cipher.snow3g import S1_FIELD, feedback, mixed
from headwater.kinds.stepped.description import Lanes, Phase
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

WORD_BITS = 32
KEYS = (128, 256)


def step(
    wire: Wire, *registers: Word, initialising: Word, sbox: str = "table", **others: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock: the finite state machine, the keystream word, and the LFSR in either mode."""
    s, (r1, r2) = registers[:16], registers[16:]
    f = wire(add(s[15], r1) ^ r2, "f")
    r2_next = mixed(wire, r1, SR, S1_FIELD, sbox, others.get("sr_table"))
    s16 = wire(feedback(wire, s) ^ (f & initialising.replicate(WORD_BITS)), "s16")
    following = {f"s{stage}": value for stage, value in enumerate((*s[1:], s16))}
    return f ^ s[0], {**following, "r1": add(r2, s[5]), "r2": r2_next}


def enter(
    wire: Wire,
    *registers: Word,
    entering: Word,
    key: Word,
    inverted: Word,
    turning: Word,
    upper: Word,
    lower: Word,
    key_words: int,
    **_others: Word,
) -> Mapping[str, Word]:
    """A step of the load.

    The LFSR is the key, twice or four times, every other one from s0 on inverted, with the IV on
    four of its words. So it moves as registers of ``key_words`` words, which take the key's words
    and then turn by four places; s15 and s11 take the words of the IV meanwhile. When all controls
    are zero they hold zeros.
    """
    s = registers[:16]
    word = wire(entering, "entered")
    from_key, ones, turns = (bit.replicate(WORD_BITS) for bit in (key, inverted, turning))
    moved = [*s[1:], s[0]]
    for number, first in enumerate(range(0, 16, key_words)):
        sent = word if number % 2 else word ^ ones
        top = (sent & from_key) | (s[first] & turns)
        moved[first + key_words - 1] = wire(top, f"top_{number}")
    moved[15] = moved[15] ^ (word & upper.replicate(WORD_BITS))
    moved[11] = moved[11] ^ (word & lower.replicate(WORD_BITS))
    following = {f"s{stage}": value for stage, value in enumerate(moved)}
    return {**following, **dict.fromkeys(("r1", "r2"), ones & 0)}


def lanes(key: Sequence[Any], iv: Sequence[Any]) -> Lanes:
    """The key's words, those that turn last first; then IV1, IV3, IV2, IV0. Bit 0 of a word is in
    the lowest lane."""
    k, i = (_words(source)[::-1] for source in (key, iv))
    words = [*k[-4:], *k[:-4], i[1], i[3], i[2], i[0]]
    return tuple([word[WORD_BITS - 1 - lane] for word in words] for lane in range(WORD_BITS))


def _words(string: Sequence[Any]) -> list[Sequence[Any]]:
    return [string[first : first + WORD_BITS] for first in range(0, len(string), WORD_BITS)]


def _made(key_bits: str = "128", sbox: str = "table") -> WordCipher:
    """SNOW 2.0 with keys of this length, and S-boxes in the given form."""
    bits = int(key_bits)
    count = bits // WORD_BITS
    order = "k0, k1, k2, k3" if count == 4 else "k4, k5, k6, k7, k0, k1, k2, k3"
    load = (
        Phase("key", count, ("key", "inverted")),
        Phase("IV1", 1, ("turning", "upper")),
        Phase("IV3", 1, ("turning", "lower")),
        Phase("IV2", 1, ("turning", "lower")),
        Phase("IV0", 1, ("turning", "upper")),
    )
    return WordCipher(
        name="snow2",
        title="SNOW 2.0",
        source='P. Ekdahl, T. Johansson, "A New Version of the Stream Cipher SNOW", SAC 2002, as '
        "its vectors and public code tell it; ISO/IEC 18033-4",
        security="128-bit keys: no attack known; 256-bit keys: correlation attacks find the state "
        "in about 2^165 (B. Zhang, C. Xu, W. Meier, CRYPTO 2015)",
        key_bits=bits,
        iv_bits=(128,),
        bit_order="msb_first",
        first_bit_on_top=True,
        convention=(
            "The key is k3, k2, k1, k0, or k7 down to k0, and the IV IV3, IV2, IV1, IV0, each word "
            "most significant byte first, as the paper prints them; programs differ in the order "
            "of the IV. Keystream words are sent most significant bit and byte first."
        ),
        registers=(
            *(Register(f"s{stage}", newest=0, oldest=31) for stage in range(16)),
            *(Register(name, newest=0, oldest=31) for name in ("r1", "r2")),
        ),
        lanes=lanes,
        lane_names=f"{order}, IV1, IV3, IV2, IV0",
        load=Entered(load, enter=partial(enter, key_words=count)),
        phases=(Phase("initialise", 32, ("initialising",)), Phase("discard", 1)),
        step=partial(step, sbox=sbox),
        word_bits=WORD_BITS,
        constants={"sr_table": SR.table} if sbox == "table" else {},
        variants=(
            Option(
                "key_bits",
                tuple(map(str, sorted(KEYS, key=lambda one: one != bits))),
                "length of the key; where a key is given, it is the key's",
                KEY_BITS_ADVICE,
            ),
        ),
        variant=_made,
        forms=(SBOX,),
        form=partial(_made, key_bits),
    )


SNOW_2 = _made()
