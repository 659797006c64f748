# SPDX-License-Identifier: Apache-2.0
"""Registers in Verilog: what a read gives, the bits that a write brings, and the addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from headwater.interface.registers import WORD_BITS, Field, Register


def word_addresses(registers: Iterable[Register]) -> dict[str, int]:
    """The address of each register in words, by its name."""
    return {one.name: one.address >> 2 for one in registers}


def written_fields(registers: Iterable[Register], word: str) -> dict[str, dict[str, str]]:
    """The bits of the ``word`` that is written which are each field that can be written, by the
    names of register and field."""
    return {
        one.name: {
            field.name: f"{word}{field.span}"
            for field in one.fields
            if (field.access or one.access) not in ("r", "e")
        }
        for one in registers
        if "w" in one.access
    }


def read_value(register: Register, fields: Mapping[str, str]) -> str:
    """What a read gives, as an expression of 32 bits.

    ``fields`` are expressions by the name of a field. Fields that cannot be read, and what is
    between fields, are zero.
    """
    return f"{{{', '.join(reversed(list(_parts(register, fields))))}}}"


def _parts(register: Register, fields: Mapping[str, str]) -> Iterator[str]:
    """The parts of a register, the lowest first; zeros beside each other are one part."""
    end, zeros = 0, 0
    for field in register.fields:
        zeros += field.low - end
        end = field.low + field.width
        if not _readable(register, field):
            zeros += field.width
            continue
        if zeros:
            yield f"{zeros}'d0"
        zeros = 0
        yield fields[field.name]
    if zeros + WORD_BITS - end:
        yield f"{zeros + WORD_BITS - end}'d0"


def _readable(register: Register, field: Field) -> bool:
    return (field.access or register.access) not in ("w", "e")


def constants(identity: Mapping[str, int]) -> dict[str, str]:
    """The values of registers that never change, as Verilog, by their names."""
    return {name: f"{WORD_BITS}'h{value:08x}" for name, value in identity.items()}
