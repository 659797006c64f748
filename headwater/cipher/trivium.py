# SPDX-License-Identifier: Apache-2.0
"""Trivium: three coupled shift registers, 288 bits of state, 80-bit key; Bivium has two of them.

C. De Cannière and B. Preneel, "Trivium Specifications", eSTREAM, 2005; also ISO/IEC 29192-3.
Stages are numbered s1 .. s288 as there: new bits enter at s1, s94 and s178.
H. Raddum, "Cryptanalytic Results on Trivium", eSTREAM report 2006/039: Bivium (Bivium-B).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase, Placed
from headwater.kinds.stepped.laws import BIJECTIVE
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher, Window


def step(wire: Any, a: Window, b: Window, c: Window) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock (section 2.1). What a register gives to the next one has four operands."""
    t1 = wire(a(66) ^ a(93))
    t2 = wire(b(162) ^ b(177))
    t3 = wire(c(243) ^ c(288))
    z = wire(t2 ^ (t1 ^ t3))
    from_a = wire(t1 ^ (a(91) & a(92)))
    from_b = wire(t2 ^ (b(175) & b(176)))
    from_c = wire(t3 ^ (c(286) & c(287)))
    return z, {"a": from_c ^ a(69), "b": from_a ^ b(171), "c": from_b ^ c(264)}


def load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key and IV set-up (section 2.2), in the bit order of the eSTREAM vectors."""
    return {
        "a": [*reversed(key), *[0] * 13],
        "b": [*reversed(iv), *[0] * 4],
        "c": [*[0] * 108, 1, 1, 1],
    }


def bivium_step(wire: Any, a: Window, b: Window) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock of Bivium: the third register is left out."""
    t1 = wire(a(66) ^ a(93))
    t2 = wire(b(162) ^ b(177))
    z = wire(t1 ^ t2)
    from_a = wire(t1 ^ (a(91) & a(92)))
    from_b = wire(t2 ^ (b(175) & b(176)))
    return z, {"a": from_b ^ a(69), "b": from_a ^ b(171)}


def bivium_load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key and IV set-up of Bivium. No constant is loaded: key and IV of zeros give zeros."""
    loaded = load(key, iv)
    return {"a": loaded["a"], "b": loaded["b"]}


TRIVIUM = ShiftRegisterCipher(
    name="trivium",
    title="Trivium",
    source='C. De Canniere and B. Preneel, "Trivium Specifications", eSTREAM, 2005',
    security="unbroken at its 80-bit level; cube attacks reach about 840 of the 1152 blank steps "
    "(Y. Hao, G. Leander, W. Meier, Y. Todo, Q. Wang, EUROCRYPT 2020)",
    key_bits=80,
    iv_bits=(32, 48, 64, 80),
    bit_order="lsb_first",
    convention=(
        "Least significant bit first, as in the eSTREAM vectors: key bit K(8i+j+1) is bit j of key "
        "byte i, the IV likewise, keystream bit z(8i+j) is bit j of keystream byte i. "
        "s1..s80 = K80..K1 and s94..s173 = IV80..IV1; an IV of n bits is s94.. = IVn..IV1, "
        "followed by zeros."
    ),
    registers=(
        Register("a", newest=1, oldest=93),
        Register("b", newest=94, oldest=177),
        Register("c", newest=178, oldest=288),
    ),
    load=Placed(load),
    phases=(Phase("blank", 4 * 288),),
    step=step,
    laws=(BIJECTIVE,),
    lut_sums=("from_a", "from_b", "from_c"),
)

BIVIUM = ShiftRegisterCipher(
    name="bivium",
    title="Bivium",
    source='H. Raddum, "Cryptanalytic Results on Trivium", eSTREAM report 2006/039',
    security="broken: algebraic and SAT attacks find the state from a few hundred bits (H. Raddum, "
    "2006; T. Eibach, E. Pilz, G. Voelkel, SAT 2008); in use to make random bits for masking",
    key_bits=80,
    iv_bits=(80,),
    bit_order="lsb_first",
    convention=(
        "Least significant bit first, as in the eSTREAM vectors of Trivium: key bit K(8i+j+1) is "
        "bit j of key byte i, the IV likewise, keystream bit z(8i+j) is bit j of keystream byte i. "
        "s1..s80 = K80..K1 and s94..s173 = IV80..IV1."
    ),
    vector_names=("bivium_state",),
    registers=TRIVIUM.registers[:2],
    load=Placed(bivium_load),
    phases=(Phase("blank", 4 * 177),),
    step=bivium_step,
    laws=(BIJECTIVE,),
    lut_sums=("from_a", "from_b"),
)
