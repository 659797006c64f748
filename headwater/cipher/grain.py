# SPDX-License-Identifier: Apache-2.0
"""The Grain family: an NFSR and an LFSR side by side, and with Grain-128AEAD an authenticator.

Stages are numbered b0 .. and s0 .. as in the papers: bit 0 leaves, new bits enter at the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.stepped.description import Phase, Placed, side_by_side
from headwater.kinds.stepped.laws import BIJECTIVE
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher, Window
from headwater.kinds.stepped.transformations.ahead import AHEAD

Step = tuple[Bits, Mapping[str, Bits]]


def step_v1(wire: Any, b: Window, s: Window, *, feedback: Bits) -> Step:
    """One clock of Grain v1 (Hell, Johansson and Meier, sections 2 and 3)."""
    x0, x1, x2, x3, x4 = s(3), s(25), s(46), s(64), b(63)
    f = wire(s(62) ^ s(51) ^ s(38) ^ s(23) ^ s(13) ^ s(0))
    g = wire(
        b(62)
        ^ b(60)
        ^ b(52)
        ^ b(45)
        ^ b(37)
        ^ b(33)
        ^ b(28)
        ^ b(21)
        ^ b(14)
        ^ b(9)
        ^ b(0)
        ^ (b(63) & b(60))
        ^ (b(37) & b(33))
        ^ (b(15) & b(9))
        ^ (b(60) & b(52) & b(45))
        ^ (b(33) & b(28) & b(21))
        ^ (b(63) & b(45) & b(28) & b(9))
        ^ (b(60) & b(52) & b(37) & b(33))
        ^ (b(63) & b(60) & b(21) & b(15))
        ^ (b(63) & b(60) & b(52) & b(45) & b(37))
        ^ (b(33) & b(28) & b(21) & b(15) & b(9))
        ^ (b(52) & b(45) & b(37) & b(33) & b(28) & b(21))
    )
    h = wire(
        x1
        ^ x4
        ^ (x0 & x3)
        ^ (x2 & x3)
        ^ (x3 & x4)
        ^ (x0 & x1 & x2)
        ^ (x0 & x2 & x3)
        ^ (x0 & x2 & x4)
        ^ (x1 & x2 & x4)
        ^ (x2 & x3 & x4)
    )
    z = wire(h ^ b(1) ^ b(2) ^ b(4) ^ b(10) ^ b(31) ^ b(43) ^ b(56))
    back = wire(z & feedback)
    return z, {"b": g ^ s(0) ^ back, "s": f ^ back}


def load_v1(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key initialization (section 3)."""
    return {"b": key, "s": [*iv, *[1] * 16]}


def pre_output(wire: Any, b: Window, s: Window) -> tuple[Bits, Bits, Bits]:
    """The functions of every 128-bit Grain: NFSR feedback, LFSR feedback and pre-output."""
    f = wire(s(0) ^ s(7) ^ s(38) ^ s(70) ^ s(81) ^ s(96))
    g = wire(
        s(0)
        ^ b(0)
        ^ b(26)
        ^ b(56)
        ^ b(91)
        ^ b(96)
        ^ (b(3) & b(67))
        ^ (b(11) & b(13))
        ^ (b(17) & b(18))
        ^ (b(27) & b(59))
        ^ (b(40) & b(48))
        ^ (b(61) & b(65))
        ^ (b(68) & b(84))
        ^ (b(22) & b(24) & b(25))
        ^ (b(70) & b(78) & b(82))
        ^ (b(88) & b(92) & b(93) & b(95))
    )
    h = wire(
        (b(12) & (s(8) ^ (b(95) & s(94)))) ^ (s(13) & s(20)) ^ (b(95) & s(42)) ^ (s(60) & s(79))
    )
    y = wire(h ^ s(93) ^ b(2) ^ b(15) ^ b(36) ^ b(45) ^ b(64) ^ b(73) ^ b(89))
    return g, f, y


def step_128a(wire: Any, b: Window, s: Window, *, feedback: Bits) -> Step:
    """One clock of Grain-128a without its authenticator."""
    g, f, y = pre_output(wire, b, s)
    back = wire(y & feedback)
    return y, {"b": g ^ back, "s": f ^ back}


def step_128a_authenticated(wire: Any, b: Window, s: Window, q: Window, *, feedback: Bits) -> Step:
    """One clock of Grain-128a; q holds a0 .. a31, then r0 .. r31, and fills with pre-output."""
    y, entering = step_128a(wire, b, s, feedback=feedback)
    return y, {**entering, "q": fill(y, q, feedback=feedback)}


def fill(y: Bits, q: Window, *, feedback: Bits) -> Bits:  # noqa: ARG001
    """The authenticator of Grain-128a takes in pre-output."""
    return y


def turn_then_fill(y: Bits, q: Window, *, feedback: Bits, key_again: Bits) -> Bits:  # noqa: ARG001
    """The authenticator of Grain-128AEAD rotates the key until the key is needed, then takes in
    pre-output."""
    return (q(0) & feedback) | (y & ~feedback)


def step_aead(
    wire: Any, b: Window, s: Window, q: Window, *, feedback: Bits, key_again: Bits
) -> Step:
    """One clock of Grain-128AEAD; q holds a0 .. a63, then r0 .. r63.

    The key in q has made two full rotations when it enters s.
    """
    g, f, y = pre_output(wire, b, s)
    back = wire(y & feedback)
    # Pre-output and key never enter s together.
    return y, {
        "b": g ^ back,
        "s": f ^ (back | (q(0) & key_again)),
        "q": turn_then_fill(y, q, feedback=feedback, key_again=key_again),
    }


def step_aead_v2(
    wire: Any, b: Window, s: Window, q: Window, *, feedback: Bits, key_again: Bits
) -> Step:
    """One clock of Grain-128AEADv2.

    In 320 clocks the key in q makes two and a half rotations, so its halves have changed places
    when the first half enters b and the second half enters s.
    """
    g, f, y = pre_output(wire, b, s)
    back = wire(y & feedback)
    return y, {
        "b": g ^ back ^ (q(64) & key_again),
        "s": f ^ back ^ (q(0) & key_again),
        "q": turn_then_fill(y, q, feedback=feedback, key_again=key_again),
    }


def load_128(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key and IV as every 128-bit Grain loads them."""
    return {"b": key, "s": [*iv, *[1] * 31, 0]}


def load_128a_authenticated(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """The authenticator takes no part in the load; it is zeroed."""
    return {**load_128(key, iv), "q": [0] * 64}


def load_aead(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key and IV as `load_128`, and the key into the authenticator as well, for its second use."""
    return {**load_128(key, iv), "q": key}


def der_length(size: int) -> bytes:
    """The length of the associated data in bytes, in the distinguished encoding rules' form."""
    if size < 128:
        return bytes([size])
    digits = size.to_bytes(-(-size.bit_length() // 8), "big")
    return bytes([0x80 | len(digits)]) + digits


def _registers(length: int) -> tuple[Register, Register]:
    top = length - 1
    return Register("b", newest=top, oldest=0), Register("s", newest=top, oldest=0)


_CONVENTION_128A = (
    "Most significant bit first everywhere: bit i of key, IV, keystream, message and tag is bit "
    "7 - (i mod 8) of byte i // 8; IV bit 0 tells whether there is authentication."
)
_CONVENTION_AEAD = (
    "Least significant bit first everywhere, as in the NIST vectors: bit i of key, nonce, "
    "associated data, message and tag is bit i mod 8 of byte i // 8."
)

GRAIN_V1 = ShiftRegisterCipher(
    name="grain_v1",
    title="Grain v1",
    source='M. Hell, T. Johansson, W. Meier, "Grain - A Stream Cipher for Constrained '
    'Environments", eSTREAM, 2006',
    security="no practical attack; correlation attacks claim slightly less than 2^80 (Y. Todo, "
    "T. Isobe, W. Meier, K. Aoki, B. Zhang, CRYPTO 2018)",
    key_bits=80,
    iv_bits=(64,),
    bit_order="lsb_first",
    convention=(
        "Least significant bit first, as in the eSTREAM vectors: bit 8i+j of key, IV and keystream "
        "is bit j of byte i. b0..b79 = k0..k79, s0..s63 = IV0..IV63, s64..s79 = 1."
    ),
    registers=_registers(80),
    load=Placed(load_v1),
    phases=(Phase("initialization", 160, ("feedback",)),),
    step=step_v1,
    laws=(BIJECTIVE,),
    form_on_fpga=AHEAD,
)

GRAIN_128A_AE = BitAead(
    name="grain128a-ae",
    title="Grain-128a with authentication",
    source='M. Agren, M. Hell, T. Johansson, W. Meier, "Grain-128a: a new version of Grain-128 '
    'with optional authentication", 2011; ISO/IEC 29167-13',
    security="no practical attack known",
    key_bits=128,
    iv_bits=(96,),
    bit_order="msb_first",
    convention=f"{_CONVENTION_128A} It must be one. The tag is a0..a31.",
    registers=(*_registers(128), Register("q", newest=63, oldest=0)),
    lanes=side_by_side,
    lane_names="lane 0 the key, lane 1 the IV",
    load=Placed(load_128a_authenticated),
    phases=(Phase("initialization", 256, ("feedback",)), Phase("authenticator", 64)),
    step=step_128a_authenticated,
    form_on_fpga=AHEAD,
    tag_bits=32,
    authenticator="q",
    refill=fill,
    takes_associated_data=False,
    first_iv_bit=1,
)

GRAIN_128A = ShiftRegisterCipher(
    name="grain128a",
    title="Grain-128a",
    source=GRAIN_128A_AE.source,
    security="no practical attack; without authentication a fast correlation attack slightly below "
    "2^128 is claimed (Y. Todo, T. Isobe, W. Meier, K. Aoki, B. Zhang, CRYPTO 2018)",
    key_bits=128,
    iv_bits=(96,),
    bit_order="msb_first",
    convention=(
        f"{_CONVENTION_128A} The keystream is the whole pre-output, whatever IV bit 0 is: with it "
        "zero every bit encrypts; for the mode with authentication see grain128a-ae."
    ),
    registers=_registers(128),
    lanes=side_by_side,
    lane_names="lane 0 the key, lane 1 the IV",
    load=Placed(load_128),
    phases=(Phase("initialization", 256, ("feedback",)),),
    step=step_128a,
    laws=(BIJECTIVE,),
    form_on_fpga=AHEAD,
    authenticated=GRAIN_128A_AE,
)

GRAIN_128AEAD = BitAead(
    name="grain128aead",
    title="Grain-128AEAD",
    source='M. Hell, T. Johansson, W. Meier, J. Sonnerup, H. Yoshida, "Grain-128AEAD - A '
    'lightweight AEAD stream cipher", NIST lightweight cryptography, round 2, 2019',
    security="no attack known on the full cipher; replaced by version 2",
    key_bits=128,
    iv_bits=(96,),
    bit_order="lsb_first",
    convention=_CONVENTION_AEAD,
    registers=(*_registers(128), Register("q", newest=127, oldest=0)),
    lanes=side_by_side,
    lane_names="lane 0 the key, lane 1 the IV",
    load=Placed(load_aead),
    phases=(Phase("initialization", 256, ("feedback",)), Phase("key again", 128, ("key_again",))),
    step=step_aead,
    form_on_fpga=AHEAD,
    tag_bits=64,
    authenticator="q",
    refill=turn_then_fill,
    header=der_length,
)

GRAIN_128AEAD_V2 = replace(
    GRAIN_128AEAD,
    name="grain128aeadv2",
    title="Grain-128AEADv2",
    source="M. Hell, T. Johansson, A. Maximov, W. Meier, J. Sonnerup, H. Yoshida, "
    '"Grain-128AEADv2 - A lightweight AEAD stream cipher", NIST lightweight cryptography, 2021',
    security="no attack known on the full cipher; a finalist of the NIST competition",
    phases=(
        Phase("initialization", 320, ("feedback",)),
        Phase("key again", 64, ("feedback", "key_again")),
        Phase("authenticator", 128),
    ),
    step=step_aead_v2,
)
