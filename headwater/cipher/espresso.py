# SPDX-License-Identifier: Apache-2.0
"""Espresso: one NFSR of 256 bits in Galois form, for 5G.

E. Dubrova and M. Hell, "Espresso: A stream cipher for 5G wireless communication systems",
Cryptography and Communications, 2017. Stages are numbered x0 .. x255 as there: bit 0 leaves.
Feedback enters at stages x255, x251 .. x193. The register is cut above each of these stages, and
each part is named after its highest stage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwater.cipher.description import Bits
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Phase, Placed
from headwater.kinds.stepped.laws import BIJECTIVE
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher, Window

_LENGTH = 256
_ENTRANCES = (255, 251, 247, 243, 239, 235, 231, 217, 213, 209, 205, 201, 197, 193)

_REGISTERS = tuple(
    Register(f"x{newest}", newest=newest, oldest=below + 1)
    for newest, below in zip(_ENTRANCES, (*_ENTRANCES[1:], -1), strict=True)
)


def step(wire: Any, *parts: Window, initialise: Bits) -> tuple[Bits, Mapping[str, Bits]]:
    """One clock (section 3), with the output fed back during the initialisation."""

    def x(stage: int) -> Bits:
        part = next(n for n, register in enumerate(_REGISTERS) if register.oldest <= stage)
        return parts[part](stage)

    z = wire(
        x(80)
        ^ x(99)
        ^ x(137)
        ^ x(227)
        ^ x(222)
        ^ x(187)
        ^ (x(243) & x(217))
        ^ (x(247) & x(231))
        ^ (x(213) & x(235))
        ^ (x(255) & x(251))
        ^ (x(181) & x(239))
        ^ (x(174) & x(44))
        ^ (x(164) & x(29))
        ^ (x(255) & x(247) & x(243) & x(213) & x(181) & x(174))
    )
    back = wire(z & initialise)
    return z, {
        "x255": x(0) ^ (x(41) & x(70)) ^ back,
        "x251": x(252) ^ (x(42) & x(83)) ^ x(8),
        "x247": x(248) ^ (x(44) & x(102)) ^ x(40),
        "x243": x(244) ^ (x(43) & x(118)) ^ x(103),
        "x239": x(240) ^ (x(46) & x(141)) ^ x(117),
        "x235": x(236) ^ (x(67) & x(90) & x(110) & x(137)),
        "x231": x(232) ^ (x(50) & x(159)) ^ x(189),
        "x217": x(218) ^ (x(3) & x(32)) ^ back,
        "x213": x(214) ^ (x(4) & x(45)),
        "x209": x(210) ^ (x(6) & x(64)),
        "x205": x(206) ^ (x(5) & x(80)),
        "x201": x(202) ^ (x(8) & x(103)),
        "x197": x(198) ^ (x(29) & x(52) & x(72) & x(99)),
        "x193": x(194) ^ (x(12) & x(121)),
    }


def load(key: Sequence[Any], iv: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
    """Key, IV and constants in the order of the stages (section 3)."""
    state = [*key, *iv, *[1] * 31, 0]
    return {part.name: state[part.oldest : part.newest + 1] for part in _REGISTERS}


ESPRESSO = ShiftRegisterCipher(
    name="espresso",
    title="Espresso",
    source='E. Dubrova, M. Hell, "Espresso: A stream cipher for 5G wireless communication '
    'systems", Cryptography and Communications, 2017',
    security="no practical attack known; algebraic attacks on an equivalent form are claimed to "
    "take 2^68, far below its 128-bit level (G. Yao, U. Parampalli, arXiv 1911.01002, 2019)",
    key_bits=128,
    iv_bits=(96,),
    bit_order="lsb_first",
    convention=(
        "Least significant bit first everywhere: bit i of key, IV and keystream is bit i mod 8 of "
        "byte i // 8. x0..x127 = k0..k127, x128..x223 = IV0..IV95, x224..x254 = 1, x255 = 0."
    ),
    registers=_REGISTERS,
    load=Placed(load),
    phases=(Phase("initialisation", _LENGTH, ("initialise",)),),
    step=step,
    laws=(BIJECTIVE,),
)
