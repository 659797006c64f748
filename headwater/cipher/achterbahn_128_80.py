# SPDX-License-Identifier: Apache-2.0
"""Achterbahn-80 and Achterbahn-128: eleven or thirteen nonlinear shift registers.

B. M. Gammel, R. Göttfert and O. Kniffler, "Achterbahn-128/80", eSTREAM, 2006. Register A_j has
21 + j cells, numbered as there: new bits enter at the top, cell 0 leaves.

The paper loads the first bits of the key into all cells at once and adds the others, then the IV,
to the feedback. Here key and IV enter bit by bit, and the feedback of a register is off until its
cells are full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from headwater.algebra.word import Word
from headwater.cipher.achterbahn import cells, helper, shifted, with_mark
from headwater.cipher.achterbahn_feedbacks import FEEDBACKS
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase

TAP = 16
"""Number of cells from the output cell of a register to its top, both included."""


def combine_11(wire: Any, x: Sequence[Word]) -> Word:
    """The Boolean function of Achterbahn-80: F with x0 = x12 = 0; x[0] is x1."""
    x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11 = x
    s5 = (x6 & x5) ^ x6
    common, q = _combine_common(wire, (x1, x2, x3, x4, x5, x7, x9, x10, x11), s5)
    r = wire(x8 & (common ^ q ^ x7 ^ x10))
    return (x3 ^ x7) ^ (x1 ^ x2) ^ (x4 ^ x9) ^ q ^ r ^ x5 ^ x6 ^ x11


def combine_13(wire: Any, x: Sequence[Word]) -> Word:
    """The Boolean function F of Achterbahn-128."""
    x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12 = x
    s5 = ((x0 ^ x6) & x5) ^ x6
    common, q = _combine_common(wire, (x1, x2, x3, x4, x5, x7, x9, x10, x11), s5)
    r = wire((x8 ^ x12) & (common ^ q ^ x7 ^ x10))
    return (x3 ^ x7) ^ (x1 ^ x2) ^ (x4 ^ x9) ^ q ^ r ^ x0 ^ x5 ^ x6 ^ x11 ^ x12


def _combine_common(wire: Any, x: Sequence[Word], s5: Word) -> tuple[Word, Word]:
    """The terms that both functions share: p ^ s6, and q."""
    x1, x2, x3, x4, x5, x7, x9, x10, x11 = x
    s1, s2, s3, s4 = wire(x1 ^ x2, "s1"), wire(x2 ^ x9, "s2"), x3 ^ x7, wire(x4 ^ x9, "s4")
    s5 = wire(s5)
    s6 = wire(((x1 ^ x4) & s2) ^ s4)
    p = wire((s6 ^ (s1 & x5) ^ x2) & s3)
    q = wire(((x10 ^ x11) & (s2 ^ (s1 & s4) ^ s5)) ^ s5)
    return p ^ s6, q


def step(
    used: range, wire: Any, *registers: Word, entering: Word, feedback: Word, forcing: Word
) -> tuple[Word, Mapping[str, Word]]:
    """One clock.

    A one goes ahead of the key through the shortest register. When the one leaves, this register is
    full; the next longer register is full a clock later, and so on. Bit n of ``full`` belongs to
    the n-th register.
    """
    driving, (started, full) = registers[: len(used)], registers[len(used) :]
    combine = combine_13 if used[0] == 0 else combine_11
    z = wire(combine(wire, [register[TAP - 1] for register in driving]))
    added = wire(entering ^ (z & feedback))
    shortest = driving[0]
    ahead = wire(shortest[0] | ~started)
    first_full = wire(full[0] | cells(shortest)(0))
    after = {}
    for place, (number, register) in enumerate(zip(used, driving, strict=True)):
        x = cells(register)
        fed_back = wire(FEEDBACKS[number](x) & full[place], f"a{number}_fed_back")
        new = wire(fed_back ^ added ^ (forcing & ~x(0)), f"a{number}_in")
        moved = shifted(register, new) if place else with_mark(register, new, ahead)
        after[f"a{number}"] = moved
    return z, {
        **after,
        "started": started | ~started,
        "full": shifted(full, first_full),
    }


def _achterbahn(key_bits: int, used: range, attack: str) -> ClockedCipher:
    return ClockedCipher(
        name=f"achterbahn{key_bits}",
        title=f"Achterbahn-{key_bits}",
        source='B. M. Gammel, R. Gottfert, O. Kniffler, "Achterbahn-128/80", eSTREAM, 2006',
        security=f"broken: key recovery in {attack} (M. Naya-Plasencia, FSE 2007)",
        key_bits=key_bits,
        iv_bits=tuple(range(0, key_bits + 1, 8)),
        bit_order="lsb_first",
        convention=(
            "Least significant bit first everywhere: bit i of key, IV and keystream is bit i mod 8 "
            f"of byte i // 8. An IV of n bits is any multiple of 8 up to {key_bits}."
        ),
        registers=(
            *(Register(f"a{number}", newest=20 + number, oldest=0) for number in used),
            helper("started", 1),
            helper("full", len(used)),
        ),
        load=Injected((Phase("load", 2 * key_bits),), any_length=True),
        phases=(
            Phase("keystream fed back", 32, ("feedback",)),
            Phase("force a one", 1, ("forcing",)),
            Phase("warm-up", 63),
        ),
        step=partial(step, used),
        radices=(1, 2, 4, 8, 16),
        vector_names=("achterbahn-128-80",),
    )


ACHTERBAHN_80 = _achterbahn(80, range(1, 12), "2^61")
ACHTERBAHN_128 = _achterbahn(128, range(13), "2^80.58")
