# SPDX-License-Identifier: Apache-2.0
"""Kreyvium: Trivium with key and IV kept in two registers that turn round, for 128-bit keys.

A. Canteaut, S. Carpov, C. Fontaine, T. Lepoint, M. Naya-Plasencia, P. Paillier and R. Sirdey,
"Stream ciphers: A Practical Solution for Efficient Homomorphic-Ciphertext Compression", FSE 2016.
Stages are numbered s1 .. s288 as there: new bits enter at s1, s94 and s178. Bit t of the key is
added in step t, so K0 is the oldest stage of its register; the IV likewise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase, Placed
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher, Window


def step(
    wire: Any, a: Window, b: Window, c: Window, k: Window, v: Window
) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock; the registers of key and IV turn round for ever."""
    t1 = wire(a(66) ^ a(93))
    t2 = wire(b(162) ^ b(177))
    t3 = wire(c(243) ^ c(288) ^ k(0))
    z = wire(t1 ^ t2 ^ t3)
    return z, {
        "a": t3 ^ (c(286) & c(287)) ^ a(69),
        "b": t1 ^ (a(91) & a(92)) ^ b(171) ^ v(0),
        "c": t2 ^ (b(175) & b(176)) ^ c(264),
        "k": k(0),
        "v": v(0),
    }


def load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key and IV set-up; the IV fills register b and goes on in c."""
    return {
        "a": key[:93],
        "b": iv[:84],
        "c": [*iv[84:], *[1] * 66, 0],
        "k": key,
        "v": iv,
    }


KREYVIUM = ShiftRegisterCipher(
    name="kreyvium",
    title="Kreyvium",
    source='A. Canteaut et al., "Stream ciphers: A Practical Solution for Efficient '
    'Homomorphic-Ciphertext Compression", FSE 2016',
    security="no attack on all 1152 blank steps known",
    key_bits=128,
    iv_bits=(128,),
    bit_order="msb_first",
    convention=(
        "Most significant bit first: bit i of key, IV and keystream is bit 7 - (i mod 8) of byte "
        "i // 8. s1..s93 = K0..K92, s94..s221 = IV0..IV127, s222..s287 = 1, s288 = 0."
    ),
    registers=(
        Register("a", newest=1, oldest=93),
        Register("b", newest=94, oldest=177),
        Register("c", newest=178, oldest=288),
        Register("k", newest=127, oldest=0),
        Register("v", newest=127, oldest=0),
    ),
    load=Placed(load),
    phases=(Phase("blank", 4 * 288),),
    step=step,
)

CIPHERS = (KREYVIUM,)
