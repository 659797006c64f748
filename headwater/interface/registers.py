# SPDX-License-Identifier: Apache-2.0
"""The numbers that software and hardware share: instructions, registers, their fields.

The Verilog gets them as parameters, software as headers and pages made from the same data.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

WORD_BITS = 32
"""Bits of a register, and of a word of the processor."""
MAP_VERSION = 1
"""Version of the register map, which software can read."""
PATIENCE = 16384
"""Cycles after which an access that waits is given up."""


@dataclass(frozen=True)
class Entry:
    """A number, its name, and what it stands for; ``needs`` as in `Register`."""

    name: str
    value: int
    meaning: str
    needs: str = ""


@dataclass(frozen=True)
class Field:
    """Bits of a register.

    Members
    -------
    name, meaning : str
    low, width : int
        The lowest bit, and how many.
    needs : str
        See `Register`.
    access : str
        "r" or "w"; "1" for a bit that can be read and that writing a one clears; "e" for an event
        that a write of the register is, whatever its value; empty where it is the register's.
    """

    name: str
    low: int
    width: int
    meaning: str
    needs: str = ""
    access: Literal["", "r", "w", "1", "e"] = ""

    @property
    def mask(self) -> int:
        """The bits as they stand in the register."""
        return (1 << self.width) - 1 << self.low

    @property
    def span(self) -> str:
        """The bits as Verilog selects them."""
        high = self.low + self.width - 1
        return f"[{high}]" if self.width == 1 else f"[{high}:{self.low}]"


@dataclass(frozen=True)
class Register:
    """A register on a bus.

    Members
    -------
    name, meaning : str
    address : int
        In bytes.
    access : str
        "r", "w" or "rw".
    fields : tuple of Field
        Empty where all 32 bits are one value.
    needs : str
        What the core or the interface must have for it: "text", "tag", "decrypt" or "dma"; empty
        for a register of every coprocessor.
    words : int
        How many addresses it has, one after the other.
    """

    name: str
    address: int
    access: Literal["r", "w", "rw"]
    meaning: str
    fields: tuple[Field, ...] = ()
    needs: str = ""
    words: int = 1


INSTRUCTIONS = (
    Entry(
        "LOAD",
        0,
        "a word of key and IV; the first one, with a second operand of 0, begins a load. Gives 0",
    ),
    Entry("GET", 1, "gives the next word, XORed with the first operand; waits for it"),
    Entry("PUT", 2, "a word of text goes in; funct7 marks it. Gives 0", "text"),
    Entry("EXCHANGE", 3, "PUT, then gives the next word", "text"),
    Entry("STATUS", 4, "gives the status"),
    Entry("CLEAR", 5, "forgets key, state and words. Gives 0"),
    Entry(
        "REGISTER",
        6,
        "gives register funct7 (word address, CONTROL and above); with a second operand of 1 "
        "writes the first",
    ),
    Entry("CHECK", 7, "compares the first operand with the next word of the tag. Gives 0", "tag"),
)
"""Values of funct3 in the opcode custom-0."""

_INTERRUPTS = (
    Field("WORD", 0, 1, "a word can be read", access="r"),
    Field("LOADED", 1, 1, "a load has become complete", access="1"),
    Field(
        "TAG",
        2,
        1,
        "a word of the tag has become the next to read, or the comparison is complete",
        "tag",
        access="1",
    ),
    Field("DONE", 3, 1, "DMA has ended", "dma", access="1"),
)

REGISTERS = (
    Register(
        "DATA",
        0x00,
        "r",
        "the next word: of the keystream, of the text, then of the tag; waits for it",
    ),
    Register(
        "STATUS",
        0x04,
        "rw",
        "the status; written, with whatever value: clears",
        (
            Field("LEVEL", 0, 8, "words that can be read without waiting", access="r"),
            Field(
                "LATE",
                8,
                1,
                "a read was answered with zero, or a put dropped, after a long wait",
                access="r",
            ),
            Field("BUSY", 9, 1, "DMA goes on", "dma", "r"),
            Field("LOADED", 10, 1, "a load is complete", access="r"),
            Field("TAG", 11, 1, "the next word to read is one of the tag", "tag", "r"),
            Field(
                "TAG_OK",
                12,
                1,
                "the words of the expected tag were equal; where tags have "
                "several lengths, those so far",
                "tag",
                "r",
            ),
            Field(
                "TAG_BAD",
                13,
                1,
                "a word of the expected tag differed, or waited too long",
                "tag",
                "r",
            ),
            Field(
                "CLEAR",
                31,
                1,
                "forgets key, state, words and the result of a comparison",
                access="e",
            ),
        ),
    ),
    Register("LOAD_FIRST", 0x08, "w", "the first word of key and IV, which begins a load"),
    Register("LOAD_NEXT", 0x0C, "w", "a further word of key and IV"),
    Register("DMA_ADDRESS", 0x10, "w", "where DMA writes, in bytes, a multiple of 4", needs="dma"),
    Register("DMA_WORDS", 0x14, "w", "begins DMA of so many words", needs="dma"),
    Register(
        "CONTROL",
        0x18,
        "rw",
        "taken over by a load, until it is complete",
        (Field("DECRYPT", 0, 1, "whether text is ciphertext"),),
        "decrypt",
    ),
    Register(
        "IRQ_ENABLE",
        0x1C,
        "rw",
        "which bits of IRQ_STATUS interrupt",
        tuple(replace(one, access="") for one in _INTERRUPTS),
    ),
    Register("IRQ_STATUS", 0x20, "rw", "what has happened", _INTERRUPTS),
    Register(
        "TAG_EXPECTED",
        0x24,
        "w",
        "a word of the expected tag: takes the next word of the tag, waits for it, and compares",
        needs="tag",
    ),
    Register(
        "TEXT_SPARE",
        0x28,
        "rw",
        "for messages whose length is no multiple of 8 bits",
        (Field("BITS", 0, 3, "bits of the last byte of a message that do not count"),),
        "text",
    ),
    Register("IDENTITY", 0x30, "r", "the first 32 bits of the hash of the cipher's description"),
    Register(
        "PARAMETERS",
        0x34,
        "r",
        "how the core was built",
        (
            Field("RADIX", 0, 16, "steps in a cycle"),
            Field("LOAD_WIDTH", 16, 16, "bits of key and IV taken in a cycle"),
        ),
    ),
    Register("VERSION", 0x38, "r", "the version of this map"),
    Register("OPTIONS", 0x3C, "r", "the first 32 bits of the hash of the chosen options"),
    Register(
        "TEXT", 0x80, "w", "a word of text; address bits 6 to 2 mark it", needs="text", words=32
    ),
)
"""The registers on a bus, by ascending address."""

TEXT_MARKS = (
    Entry("LAST", 1 << 4, "the last word of a message"),
    Entry("DATA", 1 << 3, "associated data"),
    Entry("BYTES", 0x7, "bytes of the word that count, 0 to 4"),
)
"""Marks of a word of text: bits of funct7, or of the word address behind TEXT."""


def offered(features: Collection[str]) -> tuple[Register, ...]:
    """The registers of a coprocessor that has these features; see ``needs`` of `Register`."""
    there = {"", *features}
    return tuple(
        replace(one, fields=tuple(field for field in one.fields if field.needs in there))
        for one in REGISTERS
        if one.needs in there
    )


def c_header() -> str:
    """The numbers as a C header."""
    registers = [Entry(one.name, one.address, one.meaning) for one in REGISTERS]
    fields = [
        Entry(f"{one.name}_{field.name}", field.mask, field.meaning)
        for one in REGISTERS
        for field in one.fields
    ]
    groups = (
        ("COP_", INSTRUCTIONS),
        ("COP_REG_", registers),
        ("COP_", fields),
        ("COP_MARK_", TEXT_MARKS),
    )
    lines = ["// SPDX-License-Identifier: Apache-2.0", "#pragma once"]
    for prefix, entries in groups:
        lines += [
            "",
            *(
                f"#define {prefix + entry.name:24} 0x{entry.value:x}  // {entry.meaning}"
                for entry in entries
            ),
        ]
    return "\n".join([*lines, "", ""])
