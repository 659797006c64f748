# SPDX-License-Identifier: Apache-2.0
"""The registers of the state that a keystream can begin with, and how their numbers lie in it."""

from __future__ import annotations

from headwater.cipher.whole_state import StatePart, WholeState
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher


def whole_state(cipher: SteppedCipher) -> WholeState | None:
    """Every register that outlasts the setup. In its number bit 0 is the oldest stage of a
    register that shifts, and the newest one of a register that is read whole. None for a cipher of
    words."""
    match cipher:
        case ShiftRegisterCipher():
            newest_last = True
        case ClockedCipher():
            newest_last = False
        case _:
            return None
    parts = (
        StatePart(register, (register.newest < register.oldest) == newest_last)
        for register in cipher.registers
        if not register.setup_only
    )
    return WholeState(cipher, tuple(parts))
