# SPDX-License-Identifier: Apache-2.0
"""The numbers that software and hardware share: instructions, register addresses, status bits.

The Verilog gets them as parameters, the C drivers as a header.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """A number, its name, and what it stands for."""

    name: str
    value: int
    meaning: str


INSTRUCTIONS = (
    Entry(
        "LOAD",
        0,
        "a word of key and IV; the first one, with a second operand of 0, begins a load. Gives 0",
    ),
    Entry("GET", 1, "gives the next word, XORed with the first operand; waits for it"),
    Entry("PUT", 2, "a word of text goes in; funct7 marks it. Gives 0"),
    Entry("EXCHANGE", 3, "PUT, then gives the next word"),
    Entry("STATUS", 4, "gives the status"),
    Entry("CLEAR", 5, "forgets key, state and words. Gives 0"),
)
"""Values of funct3 in the opcode custom-0."""

REGISTERS = (
    Entry("DATA", 0x00, "read: the next word; waits for it"),
    Entry("STATUS", 0x04, "read: the status; written: forgets key, state and words"),
    Entry("LOAD_FIRST", 0x08, "written: the first word of key and IV, which begins a load"),
    Entry("LOAD_NEXT", 0x0C, "written: a further word of key and IV"),
    Entry("DMA_ADDRESS", 0x10, "written: where DMA writes, in bytes, a multiple of 4"),
    Entry("DMA_WORDS", 0x14, "written: begins DMA of so many words"),
    Entry("TEXT", 0x80, "written: a word of text; address bits 6 to 2 mark it"),
)
"""Byte addresses of the registers on a bus."""

STATUS_BITS = (
    Entry("LEVEL", 0xFF, "words that can be read without waiting"),
    Entry("LATE", 1 << 8, "a read was answered with zero, or a put dropped, after a long wait"),
    Entry("BUSY", 1 << 9, "DMA goes on"),
    Entry("LOADED", 1 << 10, "a load is complete"),
)

TEXT_MARKS = (
    Entry("LAST", 1 << 4, "the last word of a message"),
    Entry("DATA", 1 << 3, "associated data"),
    Entry("BYTES", 0x7, "bytes of the word that count, 0 to 4"),
)


def c_header(settings: Mapping[str, int] | None = None) -> str:
    """The numbers as a C header; ``settings`` adds macros and their values."""
    groups = {
        "COP_": INSTRUCTIONS,
        "COP_REG_": REGISTERS,
        "COP_STATUS_": STATUS_BITS,
        "COP_MARK_": TEXT_MARKS,
    }
    lines = ["// SPDX-License-Identifier: Apache-2.0", "#pragma once"]
    for prefix, entries in groups.items():
        lines += ["", *(f"#define {prefix + entry.name:24} 0x{entry.value:x}  // {entry.meaning}"
                        for entry in entries)]  # fmt: skip
    lines += ["", *(f"#define {name} {value}" for name, value in (settings or {}).items())]
    return "\n".join([*lines, ""])


def instruction_parameters() -> dict[str, int]:
    """Verilog parameters of the instruction port."""
    return {entry.name: entry.value for entry in INSTRUCTIONS}


def register_parameters() -> dict[str, int]:
    """Verilog parameters of the bus port: word addresses."""
    return {entry.name: entry.value >> 2 for entry in REGISTERS}
