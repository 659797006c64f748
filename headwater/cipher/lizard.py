# SPDX-License-Identifier: Apache-2.0
"""Lizard: two coupled NFSRs of 90 and 31 bits, to which the key is added a second time.

M. Hamann, M. Krause and W. Meier, "LIZARD - A Lightweight Stream Cipher for Power-constrained
Devices", IACR Transactions on Symmetric Cryptology, 2017(1). Stages are numbered B0 .. B89 and
S0 .. S30 as there: bit 0 leaves, new bits enter at the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.algebra.word import Word, concatenate, rotate_left
from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase, Placed
from headwater.kinds.stepped.laws import BIJECTIVE
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher, Window

_MIXING = 128
_KEY_BITS = 120


def step(
    wire: Any, b: Window, s: Window, k: Window, *, feedback: Bits, **_: Bits
) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock (section 3); k holds the key until its second use, and rotates it by one bit."""
    f1 = wire(
        s(0)
        ^ s(2)
        ^ s(5)
        ^ s(6)
        ^ s(15)
        ^ s(17)
        ^ s(18)
        ^ s(20)
        ^ s(25)
        ^ (s(8) & s(18))
        ^ (s(8) & s(20))
        ^ (s(12) & s(21))
        ^ (s(14) & s(19))
        ^ (s(17) & s(21))
        ^ (s(20) & s(22))
        ^ (s(4) & s(12) & s(22))
        ^ (s(4) & s(19) & s(22))
        ^ (s(7) & s(20) & s(21))
        ^ (s(8) & s(18) & s(22))
        ^ (s(8) & s(20) & s(22))
        ^ (s(12) & s(19) & s(22))
        ^ (s(20) & s(21) & s(22))
        ^ (s(4) & s(7) & s(12) & s(21))
        ^ (s(4) & s(7) & s(19) & s(21))
        ^ (s(4) & s(12) & s(21) & s(22))
        ^ (s(4) & s(19) & s(21) & s(22))
        ^ (s(7) & s(8) & s(18) & s(21))
        ^ (s(7) & s(8) & s(20) & s(21))
        ^ (s(7) & s(12) & s(19) & s(21))
        ^ (s(8) & s(18) & s(21) & s(22))
        ^ (s(8) & s(20) & s(21) & s(22))
        ^ (s(12) & s(19) & s(21) & s(22))
    )
    f2 = wire(
        s(0)
        ^ b(0)
        ^ b(24)
        ^ b(49)
        ^ b(79)
        ^ b(84)
        ^ (b(3) & b(59))
        ^ (b(10) & b(12))
        ^ (b(15) & b(16))
        ^ (b(25) & b(53))
        ^ (b(35) & b(42))
        ^ (b(55) & b(58))
        ^ (b(60) & b(74))
        ^ (b(20) & b(22) & b(23))
        ^ (b(62) & b(68) & b(72))
        ^ (b(77) & b(80) & b(81) & b(83))
    )
    linear = b(7) ^ b(11) ^ b(30) ^ b(40) ^ b(45) ^ b(54) ^ b(71)
    quadratic = (b(4) & b(21)) ^ (b(9) & b(52)) ^ (b(18) & b(37)) ^ (b(44) & b(76))
    triangular = (
        b(5)
        ^ (b(8) & b(82))
        ^ (b(34) & b(67) & b(73))
        ^ (b(2) & b(28) & b(41) & b(65))
        ^ (b(13) & b(29) & b(50) & b(64) & b(75))
        ^ (b(6) & b(14) & b(26) & b(32) & b(47) & b(61))
        ^ (b(1) & b(19) & b(27) & b(43) & b(57) & b(66) & b(78))
    )
    mixed = s(23) ^ (s(3) & s(16)) ^ (s(9) & s(13) & b(48)) ^ (s(1) & s(24) & b(38) & b(63))
    z = wire(linear ^ quadratic ^ triangular ^ mixed)
    back = wire(z & feedback)
    return z, {"b": f2 ^ back, "s": f1 ^ back, "k": k(0) & feedback}


def load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Phase 1: key and IV loading."""
    mixed = [key_bit ^ iv_bit for key_bit, iv_bit in zip(key, iv, strict=False)]
    return {"b": [*mixed, *key[64:90]], "s": [*key[90:119], key[119] ^ 1, 1], "k": key}


def add_key(b: Word, s: Word, k: Word) -> Mapping[str, Word]:
    """Phase 3: second key addition. By then k has been rotated by 128 places, 8 more than its
    length."""
    key = rotate_left(k, _MIXING % _KEY_BITS)
    one = s[30] | ~s[30]
    return {"b": b ^ key[:90], "s": concatenate(s[:30] ^ key[90:], one)}


LIZARD = ShiftRegisterCipher(
    name="lizard",
    title="Lizard",
    source='M. Hamann, M. Krause, W. Meier, "LIZARD - A Lightweight Stream Cipher for '
    'Power-constrained Devices", IACR ToSC 2017(1)',
    security="no practical attack known; 80 bits against key recovery and 60 against "
    "distinguishing are claimed, for at most 2^18 bits under one key and IV",
    key_bits=_KEY_BITS,
    iv_bits=(64,),
    bit_order="msb_first",
    convention=(
        "Most significant bit first everywhere: bit i of key, IV and keystream is bit "
        "7 - (i mod 8) of byte i // 8. B0..B63 = K0^IV0..K63^IV63, B64..B89 = K64..K89, "
        "S0..S28 = K90..K118, S29 = K119^1, S30 = 1."
    ),
    registers=(
        Register("b", newest=89, oldest=0),
        Register("s", newest=30, oldest=0),
        Register("k", newest=_KEY_BITS - 1, oldest=0, setup_only=True),
    ),
    load=Placed(load),
    phases=(
        Phase("mixing", _MIXING, ("feedback",)),
        Phase("key addition and first step of diffusion", 1, ("key_addition",)),
        Phase("diffusion", 127),
    ),
    rewrites={"key_addition": add_key},
    step=step,
    laws=(BIJECTIVE,),
)
