# SPDX-License-Identifier: Apache-2.0
"""MICKEY version 1, MICKEY 2.0 and MICKEY-128 2.0: two registers that clock each other irregularly.

S. Babbage and M. Dodd, "The stream cipher MICKEY 2.0" and "The stream cipher MICKEY-128 2.0",
eSTREAM, 2006. Stages are numbered r0 .. and s0 .. as there; bit i of a constant belongs to stage i.
Version 1 of 2005 is the same with shorter registers; its constants are those of the designers'
programs in the eSTREAM submission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from headwater.algebra.word import IntegerWord, Word, concatenate
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher, EarlyStep
from headwater.kinds.stepped.description import Injected, Phase

Pair = tuple[Word, Word]


@dataclass(frozen=True)
class Stages:
    """Stages in which the members of the family differ. Stages near a third and two thirds of the
    length decide how the registers clock; a stage of S near the half enters R while mixing."""

    third: int
    two_thirds: int
    half: int


def clock_r(r: Word, control_r: Word, feedback_r: Word, taps: Word) -> Word:
    """CLOCK_R (section 3.3): the register shifts, or, with the control bit, shifts and adds
    itself."""
    length = len(r)
    moved = (r << 1)[:length] ^ (feedback_r.replicate(length) & taps)
    return moved ^ (control_r.replicate(length) & r)


def clock_s(s: Word, feedbacks: Sequence[Word], comps: Pair, masks: Pair) -> Word:
    """CLOCK_S (section 3.4): the register shifts, with a product in each inner stage, and one of
    two feedback masks. The feedback bits are for stages that are in the first mask alone, in the
    second alone, and in both."""
    length, last = len(s), len(s) - 1
    product = (s[1:last] ^ comps[0][1:last]) & (s[2:] ^ comps[1][1:last])
    moved = concatenate(s[: last - 1] ^ product, s[last - 1]) << 1
    fb0, fb1 = masks
    for feedback, mask in zip(feedbacks, (fb0 & ~fb1, fb1 & ~fb0, fb0 & fb1), strict=True):
        moved = moved ^ (feedback.replicate(length) & mask)
    return moved


def keystream_bit(wire: Any, r: Word, s: Word) -> Word:
    """The output (section 3.5)."""
    return wire(r[0] ^ s[0], "z")


def decide(
    at: Stages, wire: Any, r: Word, s: Word, *, entering: Word, mixing: Word
) -> Mapping[str, Word]:
    """The control bits of CLOCK_KG (section 3.5), and the feedback bits of both registers."""
    control_r = wire(s[at.third] ^ r[at.two_thirds])
    control_s = wire(s[at.two_thirds] ^ r[at.third - 1])
    entering_r = wire(entering ^ (mixing & s[at.half]))
    feedback_r = wire(r[len(r) - 1] ^ entering_r)
    feedback_s = wire(s[len(s) - 1] ^ entering)
    feedback_0 = wire(feedback_s & ~control_s)
    feedback_1 = wire(feedback_s & control_s)
    bits = (control_r, feedback_r, feedback_0, feedback_1, feedback_s)
    return dict(zip(DECIDED, bits, strict=True))


DECIDED = ("control_r", "feedback_r", "feedback_0", "feedback_1", "feedback_s")


def move(
    _wire: Any,
    r: Word,
    s: Word,
    *,
    control_r: Word,
    feedback_r: Word,
    feedback_0: Word,
    feedback_1: Word,
    feedback_s: Word,
    r_taps: Word,
    comp0: Word,
    comp1: Word,
    fb0: Word,
    fb1: Word,
) -> Mapping[str, Word]:
    """CLOCK_R and CLOCK_S."""
    feedbacks = (feedback_0, feedback_1, feedback_s)
    return {
        "r": clock_r(r, control_r, feedback_r, r_taps),
        "s": clock_s(s, feedbacks, (comp0, comp1), (fb0, fb1)),
    }


def step(
    at: Stages, wire: Any, r: Word, s: Word, *, entering: Word, mixing: Word, **constants: Word
) -> tuple[Word, Mapping[str, Word]]:
    """The output of a keystream bit, then CLOCK_KG (section 3.5)."""
    z = keystream_bit(wire, r, s)
    decided = decide(at, wire, r, s, entering=entering, mixing=mixing)
    return z, move(wire, r, s, **decided, **constants)


def iv_then_key(key: Sequence[Any], iv: Sequence[Any]) -> tuple[Sequence[Any], ...]:
    """Key and IV set-up (section 3.6): the IV enters first."""
    return ([*iv, *key],)


def _mickey(
    name: str,
    title: str,
    year: int,
    key_bits: int,
    length: int,
    at: Stages,
    security: str,
    **masks: int,
) -> ClockedCipher:
    return ClockedCipher(
        name=name,
        title=title,
        source=f'S. Babbage and M. Dodd, "The stream cipher {title}", eSTREAM, {year}',
        security=security,
        key_bits=key_bits,
        iv_bits=tuple(range(key_bits + 1)),
        bit_order="msb_first",
        convention=(
            "Most significant bit first everywhere: bit i of key, IV and keystream is bit "
            f"7 - (i mod 8) of byte i // 8. An IV of n bits, 0 to {key_bits}, is the first n bits "
            "of its bytes."
        ),
        registers=(
            Register("r", newest=0, oldest=length - 1),
            Register("s", newest=0, oldest=length - 1),
        ),
        lanes=iv_then_key,
        lane_names="the IV, then the key",
        load=Injected((Phase("load", 2 * key_bits, ("mixing",)),), any_length=True),
        phases=(Phase("preclock", length, ("mixing",)),),
        constants={mask: IntegerWord(value, length) for mask, value in masks.items()},
        step=partial(step, at),
        early_step=EarlyStep(DECIDED, keystream_bit, partial(decide, at), move),
    )


MICKEY_1 = _mickey(
    "mickey1",
    "MICKEY (version 1)",
    2005,
    80,
    80,
    Stages(third=27, two_thirds=53, half=40),
    "superseded by MICKEY 2.0: its state loses entropy and is short against trade-offs of time, "
    "memory and data (Hong and Kim, 2005)",
    r_taps=0xD2A8415A0AAC1D5363D5,
    comp0=0x3FEA7942A8096AA97A30,
    comp1=0x3DD7E3A21D63DD629E9A,
    fb0=0x5802AF4A93819FFA7FAF,
    fb1=0xC52B4911B0634C8CB877,
)

MICKEY_2 = _mickey(
    "mickey2",
    "MICKEY 2.0",
    2006,
    80,
    100,
    Stages(third=34, two_thirds=67, half=50),
    "no practical attack known; at most 2^40 keystream bits for one key and IV",
    r_taps=0x3DF87818FB55466601279327B,
    comp0=0x6057EBFEA7942A8096AA97A30,
    comp1=0x191C23DD7E3A21D63DD629E9A,
    fb0=0x19CEC5802AF4A93819FFA7FAF,
    fb1=0x840FBC52B4911B0634C8CB877,
)

MICKEY_128 = _mickey(
    "mickey128",
    "MICKEY-128 2.0",
    2006,
    128,
    160,
    Stages(third=54, two_thirds=106, half=80),
    "no practical attack known; at most 2^64 keystream bits for one key and IV",
    r_taps=0x375253AF803BBE329C679626F3EC4C5942114D31,
    comp0=0xFBE06BE37AFD93179007062792609555DD6F25E,
    comp1=0x7FF45BB56660E3457C00C3E0FEB63C987D191F30,
    fb0=0x83630BC1D4544B9166E54D810E2FA322C43C1FAF,
    fb1=0x11A780EF6C4B7EE76F9A18B670798C909BF477AB,
)
