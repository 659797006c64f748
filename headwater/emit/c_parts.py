# SPDX-License-Identifier: Apache-2.0
"""A part of a description as C: its statements, its tables, and the expressions of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amaranth.hdl import Signal

from headwater.algebra.word import Circuit, IntegerWord, lookup, table_word, unnamed
from headwater.emit import c_cells  # noqa: F401 (operations on cells)
from headwater.emit.c_expression import Term
from headwater.emit.c_statements import local
from headwater.emit.c_words import CWord, Lines, Table, names_in
from headwater.kinds.software import Part

_TABLE_BITS = 8
"""Inputs of a circuit that becomes a table, at most."""


@dataclass(frozen=True)
class Printed:
    """A part as C.

    Members
    -------
    lines : Lines
        What was printed.
    results : mapping of str to tuple of str
        The expressions of each result's limbs, the lowest first.
    """

    lines: Lines
    results: Mapping[str, tuple[str, ...]]

    @property
    def text(self) -> list[str]:
        """The statements that the results need, in their lines."""
        return self.lines.needed(self._expressions)

    @property
    def tables(self) -> dict[str, Table]:
        """The tables that they read."""
        read = names_in(*self.text, *self._expressions)
        return {name: table for name, table in self.lines.tables.items() if name in read}

    @property
    def _expressions(self) -> list[str]:
        return [text for limbs in self.results.values() for text in limbs]


def printed(
    part: Part,
    limb_bits: int,
    prefix: str,
    kind: str = "",
    tables: dict[str, Table] | None = None,
) -> Printed:
    """A part read as C; its inputs are variables of their names, limbs with a number behind.

    ``kind`` is the type of the variables, by default that of a limb. ``tables`` are those of other
    parts in the same file, to which this one's are added."""
    lines = Lines(limb_bits, prefix, kind or f"uint{limb_bits}_t")
    if tables is not None:
        lines.tables = tables
    words = []
    for name, width in part.inputs.items():
        limbs = limb_names(name, width, limb_bits)
        for one in limbs:
            lines.take(one)
        words.append(CWord(lines, [Term(one) for one in limbs], width))
    fixed = {name: lines.constant(word) for name, word in part.constants.items()}
    made = part.circuit(_TableWire() if part.has_tables else _wire, *words, **fixed)
    return Printed(
        lines,
        {
            name: tuple(term.text for term in word.named(f"{name}_next").limbs)
            for name, word in made.items()
        },
    )


def limb_names(name: str, width: int, limb_bits: int) -> list[str]:
    """The variables that hold a word."""
    count = -(-width // limb_bits)
    return [local(name)] if count == 1 else [f"{name}_{place}" for place in range(count)]


def _wire(value: CWord, name: str = "") -> CWord:
    """The word as variables of this name, or of that of the variable it is assigned to."""
    found = name or Signal(src_loc_at=1).name
    return value.named("" if found.startswith("$") else found)


class _TableWire:
    """The same where circuits of a byte become tables."""

    __call__ = staticmethod(_wire)

    def function(self, name: str, width: int, circuit: Circuit, *words: CWord) -> CWord:  # noqa: ARG002
        """The word that a circuit makes."""
        if len(words) > 1 or words[0].width > _TABLE_BITS:
            return circuit(unnamed, *words)
        return self.tabled(1 << (width - 1).bit_length(), circuit, words[0])[:width]

    def tabled(self, width: int, circuit: Circuit, octet: CWord) -> CWord:
        """The same, of a byte or less, and of a width that is a power of two."""
        inputs = octet.width
        entries = [circuit(unnamed, IntegerWord(one, inputs)).value for one in range(1 << inputs)]
        return lookup(octet, table_word(entries, width))
