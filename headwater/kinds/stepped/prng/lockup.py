# SPDX-License-Identifier: Apache-2.0
"""The registers of a cipher that stay zero for ever once they are zero.

No such register recovers by itself: a source of random bits must watch it, or the words it makes.
"""

from __future__ import annotations

from itertools import combinations

from headwater.errors import InputError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

BitCipher = ShiftRegisterCipher | ClockedCipher
"""A cipher that makes a bit in each step, and whose step is known as polynomials."""

WATCHED_BITS = 64
"""Bits of a word that are looked at, the lowest ones."""


def locking_registers(cipher: BitCipher) -> tuple[tuple[str, ...], ...]:
    """The smallest sets of registers that stay zero if all of a set are zero. Those of Trivium are
    all three registers; of Grain, the linear register alone; of MICKEY, the register R."""
    names = [register.name for register in cipher.registers if not register.setup_only]
    for size in range(1, len(names) + 1):
        sets = tuple(some for some in combinations(names, size) if _stay_zero(cipher, some))
        if sets:
            return sets
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


def refuse_words(cipher: BitCipher, radix: int, *, state_port: bool) -> None:
    """An error if words of ``radix`` bits do not tell of a state of zeros, or the output register
    can be written."""
    if state_port:
        raise InputError("lockup of a source with a state port must be watch or none, not 'words'")
    sets = locking_registers(cipher)
    output, _ = cipher.equations
    locked = frozenset(variable for variable in output.variables if sets and variable[0] in sets[0])
    if len(sets) != 1 or output.without(locked).monomials:
        raise InputError(
            f"lockup of {cipher.name} must be watch or none, not 'words': its output is not zero "
            "when registers are stuck at zero"
        )
    if radix < WATCHED_BITS:
        raise InputError(
            f"bits of each core of a source with lockup=words must be at least {WATCHED_BITS}, so "
            f"that two words are zero by chance once in 2^{2 * WATCHED_BITS}, not {radix}"
        )
