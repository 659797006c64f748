# SPDX-License-Identifier: Apache-2.0
"""Calls of the tasks by which testbenches use registers, as lines of Verilog."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.interface.registers import WORD_BITS, Register

WORD_BYTES = WORD_BITS // 8
"""Bytes of a register."""
ALL_BITS = (1 << WORD_BITS) - 1


def hex_word(value: int) -> str:
    """A word of 32 bits."""
    return f"32'h{value:08x}"


def write(register: str, value: int) -> str:
    """A word is written."""
    return f"write({register}, {hex_word(value)});"


def check(register: str, expected: int, mask: int = ALL_BITS) -> str:
    """A register is read, and the bits of the mask are compared."""
    return f"check({register}, {hex_word(mask)}, {hex_word(expected)});"


def wait_for(register: str, mask: int) -> str:
    """A register is read until a bit of the mask is one."""
    return f"wait_for({register}, {hex_word(mask)});"


def masks_of(registers: Iterable[Register]) -> dict[str, int]:
    """The bits of each field as they stand in its register, by the names of both."""
    return {
        f"{register.name}_{field.name}": field.mask
        for register in registers
        for field in register.fields
    }
