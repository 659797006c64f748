# SPDX-License-Identifier: Apache-2.0
"""How long the expressions of a function are where hardware reads it.

There they are trees: what is read twice and has no name is written out twice, and grows with each
turn of a loop as 2^turns. `SymbolicWord.size` counts it; a name ends it.
"""

from __future__ import annotations

from collections.abc import Iterable

from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import Circuit, Word
from headwater.cipher.keywords import check_name
from headwater.errors import InputError

MOST = 200_000
"""Operations of the longest expression, which takes seconds and tens of megabytes."""


class SizingWire:
    """A `Wire` of symbols, which notes the longest expression that it names."""

    def __init__(self) -> None:
        self.longest = 0

    def __call__(self, value: Word, name: str = "") -> Word:  # noqa: ARG002
        """The value as a word by itself."""
        if not isinstance(value, SymbolicWord):
            return value
        self.longest = max(self.longest, value.size)
        return SymbolicWord(value.bits)

    def function(self, name: str, width: int, circuit: Circuit, *words: Word) -> Word:
        """A circuit that stands in the Verilog once."""
        check_name("circuit", name)
        word = self(circuit(self, *map(self, words)))
        if len(word) != width:
            raise InputError(f"circuit {name} must give {width} bits, as stated, not {len(word)}")
        return word

    def check(self, what: str, words: Iterable[Word]) -> None:
        """Refuse a function whose results, or named values, are too long."""
        for word in words:
            self(word)
        if self.longest > MOST:
            raise InputError(
                f"{what} must name with wire(...) what it reads more than once: with all of it "
                f"written out, an expression has {self.longest} operations, not at most {MOST}"
            )
