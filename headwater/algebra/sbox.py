# SPDX-License-Identifier: Apache-2.0
"""S-boxes of bytes, each as a table and as a circuit.

In hardware the circuit of a byte is a function, used for each byte of a word. In other readings a
whole word is substituted at once: its bytes go through one circuit side by side. A signal of the
circuit is a word with one bit for each byte.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from headwater.algebra.field import IDENTITY, Field, LinearMap
from headwater.algebra.shallow_inversion import ShallowInversion
from headwater.algebra.straight_line import Program, levelled
from headwater.algebra.tower import ByteInversion, Tower
from headwater.algebra.word import (
    FunctionWire,
    IntegerWord,
    Wire,
    Word,
    concatenate,
    lookup,
    table_word,
    through,
)

FORMS = ("table", "algebraic", "small", "fast")
"""How an S-box can be made: as a table, or as a circuit of gates; "small" is the one of fewest
gates, "fast" the one of fewest levels."""


@dataclass(frozen=True)
class SBox:
    """A map of bytes."""

    name: str
    """Prefix of the names of its signals."""
    entries: tuple[int, ...]
    """The value of each byte."""
    circuit: Callable[[], Program]
    """Makes the straight-line program of the algebraic form."""
    small: Callable[[], Program] | None = None
    """The same of the form of fewest gates; None where it is the algebraic one."""
    fast: Callable[[], Program] | None = None
    """The same of the form of fewest levels."""

    @classmethod
    def of_inversion(
        cls,
        name: str,
        inversion: ByteInversion,
        linear: LinearMap,
        constant: int,
        small: ByteInversion | None = None,
        fast: ShallowInversion | None = None,
    ) -> SBox:
        """``linear(1 / x) ^ constant`` in the field of the inversion's tower."""
        field = inversion.tower.field

        def program(way: ByteInversion) -> Program:
            return way.program(IDENTITY, linear, constant)

        return cls(
            name,
            tuple(linear(field.inverse(x)) ^ constant for x in range(256)),
            lambda: program(inversion),
            None if small is None else lambda: levelled(program(small)),
            None if fast is None else lambda: program(fast),
        )

    @cached_property
    def programs(self) -> dict[str, Program]:
        """The circuit of one byte, bit 0 first, in each form that is a circuit."""
        algebraic = self.circuit()
        others = {"small": self.small, "fast": self.fast}
        programs = {form: make() if make else algebraic for form, make in others.items()}
        return {"algebraic": algebraic, **programs}

    @cached_property
    def table(self) -> IntegerWord:
        """All entries as one word, which a description can declare as a constant."""
        return table_word(self.entries, 8)

    def apply(
        self, word: Word, wire: Wire, form: str, table: Word | None = None, name: str = ""
    ) -> Word:
        """Every byte of a word substituted, in one of `FORMS`.

        ``table`` is the word `table` as a named constant of the circuit; without it, each lookup
        has its own copy of the entries. ``name`` is the prefix of signal names, by default the name
        of the S-box: two words that are substituted separately need two names.
        """
        name = name or self.name
        if form not in FORMS:
            raise ValueError(f"form must be one of {', '.join(FORMS)}, not {form!r}")
        # It gets a name because bits are taken of it; a slice of an expression is hard to read.
        word = wire(word, f"{name}_in")
        if form == "table":
            entries = self.table if table is None else table
            places = range(0, len(word), 8)
            entries_found = concatenate(*(lookup(word[low : low + 8], entries) for low in places))
            return wire(entries_found, f"{name}_out")
        if isinstance(wire, FunctionWire):
            octets = (word[low : low + 8] for low in range(0, len(word), 8))
            through_circuit = self.programs[form].word
            return concatenate(
                *(through(wire, f"{self.name}_box", 8, through_circuit, octet) for octet in octets)
            )
        return self._through_circuit(word, wire, self.programs[form], name)

    def _through_circuit(self, word: Word, wire: Wire, program: Program, name: str) -> Word:
        count = len(word) // 8
        inputs = [
            wire(concatenate(*(word[8 * byte + bit] for byte in range(count))), f"{name}_x{bit}")
            for bit in range(8)
        ]
        outputs = [
            wire(value, f"{name}_y{bit}")
            for bit, value in enumerate(program.read(inputs, wire, name))
        ]
        return concatenate(*(outputs[bit][byte] for byte in range(count) for bit in range(8)))


SR = SBox.of_inversion(
    "sr",
    ByteInversion.normal(Field(0x11B), v=0x0A, u=0x51),
    LinearMap((0x1F, 0x3E, 0x7C, 0xF8, 0xF1, 0xE3, 0xC7, 0x8F)),
    0x63,
    small=ByteInversion(
        Tower(Field(0x11B), basis=(0x39, 0x3A), low=(0x0D, 0x5C)),
        u=0xEC,
        unit=0xB1,
        factor=0x50,
        joined=(0, 1, 5, 8),
        seeds=(104, 0),
    ),
    fast=ShallowInversion(
        Tower(Field(0x11B), basis=(0x0B, 0xDB), low=(0x0D, 0x5D)),
        u=0x51,
        unit=0xE0,
        factor=0x50,
        joined=(0, 2, 5, 6),
        ties=(32, 51, 2),
    ),
)
"""Of AES (FIPS 197, section 5.1.1), and the S_R of SNOW 3G: 112 gates in 25 levels, 107 in the
small form, 32 of them ANDs; 124 in 16 levels in the fast form, 35 of them ANDs."""
