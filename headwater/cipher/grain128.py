# SPDX-License-Identifier: Apache-2.0
"""Grain-128: an NFSR and an LFSR of 128 bits side by side, as eSTREAM had it in 2006.

Stages are numbered b0 .. and s0 .. as in the paper: bit 0 leaves, new bits enter at the top.
Grain-128a and all after it have further terms of g, s94 for s95 in h, and a zero in s127.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase, Placed, side_by_side
from headwater.kinds.stepped.laws import BIJECTIVE
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher, Window
from headwater.kinds.stepped.transformations.ahead import AHEAD


def step(wire: Any, b: Window, s: Window, *, feedback: Bits) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock (sections 2 and 3)."""
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
    )
    h = wire(
        (b(12) & (s(8) ^ (b(95) & s(95)))) ^ (s(13) & s(20)) ^ (b(95) & s(42)) ^ (s(60) & s(79))
    )
    z = wire(h ^ s(93) ^ b(2) ^ b(15) ^ b(36) ^ b(45) ^ b(64) ^ b(73) ^ b(89))
    back = wire(z & feedback)
    return z, {"b": g ^ back, "s": f ^ back}


def load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key initialization (section 3)."""
    return {"b": key, "s": [*iv, *[1] * 32]}


GRAIN_128 = ShiftRegisterCipher(
    name="grain128",
    title="Grain-128",
    source='M. Hell, T. Johansson, A. Maximov, W. Meier, "A Stream Cipher Proposal: Grain-128", '
    "ISIT 2006",
    security="broken in theory: a dynamic cube attack on the full cipher finds the key about 2^38 "
    "times faster than trying all (I. Dinur, T. Guneysu, C. Paar, A. Shamir, R. Zimmermann, "
    "ASIACRYPT 2011); replaced by Grain-128a",
    key_bits=128,
    iv_bits=(96,),
    bit_order="lsb_first",
    convention=(
        "Least significant bit first, as in the eSTREAM vectors: bit 8i+j of key, IV and keystream "
        "is bit j of byte i. b0..b127 = k0..k127, s0..s95 = IV0..IV95, s96..s127 = 1."
    ),
    registers=(Register("b", newest=127, oldest=0), Register("s", newest=127, oldest=0)),
    lanes=side_by_side,
    lane_names="lane 0 the key, lane 1 the IV",
    load=Placed(load),
    phases=(Phase("initialization", 256, ("feedback",)),),
    step=step,
    laws=(BIJECTIVE,),
    form_on_fpga=AHEAD,
)
