# SPDX-License-Identifier: Apache-2.0
"""The registers of a cipher that stay zero for ever once they are zero.

No such register recovers by itself: a source of random bits must watch it.
"""

from __future__ import annotations

from itertools import combinations

from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

BitCipher = ShiftRegisterCipher | ClockedCipher
"""A cipher that makes a bit in each step, and whose step is known as polynomials."""


def locking_registers(cipher: BitCipher) -> tuple[tuple[str, ...], ...]:
    """The smallest sets of registers that stay zero if all of a set are zero. Those of Trivium are
    all three registers; of Grain, the linear register alone; of MICKEY, the register R."""
    names = [register.name for register in cipher.registers if not register.setup_only]
    for size in range(1, len(names) + 1):
        found = tuple(some for some in combinations(names, size) if _stay_zero(cipher, some))
        if found:
            return found
    return ()


def _stay_zero(cipher: BitCipher, names: tuple[str, ...]) -> bool:
    _, becomes = cipher.equations
    zero = frozenset(
        variable
        for name in names
        for function in becomes[name].values()
        for variable in function.variables
        if variable[0] in names
    )
    functions = [function for name in names for function in becomes[name].values()]
    return not any(function.without(zero).monomials for function in functions)
