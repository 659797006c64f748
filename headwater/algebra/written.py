# SPDX-License-Identifier: Apache-2.0
"""Descriptions that move whole registers, read as the Python of one function.

The model of a cipher runs its step very often. Here the step is read once, with words that stand
for local variables; every operation writes a line. The function of these lines makes the same of
integers as the description does of `headwater.algebra.word.IntegerWord`, without an object for each
result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from headwater.algebra.bitstring import bounds
from headwater.algebra.word import IntegerWord, add, choose, concatenate, lookup

Function = Callable[..., tuple[int, ...]]

_NAME = re.compile(r"\b_v\d+\b")


class Lines:
    """The lines of a function: what each variable is made of, and the tables that it reads."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        """The variable of each expression; the same expression again is the same variable."""
        self.tables: dict[str, tuple[int, ...]] = {}

    def word(self, expression: str, width: int) -> WrittenWord:
        """The word that the expression makes."""
        return WrittenWord(self, self.names.setdefault(expression, f"_v{len(self.names)}"), width)

    def constant(self, value: int, width: int) -> WrittenWord:
        """The word of a known value."""
        return WrittenWord(self, hex(value), width)

    def table(self, entries: tuple[int, ...]) -> str:
        """The name of a table."""
        for name, known in self.tables.items():
            if known == entries:
                return name
        name = f"_t{len(self.tables)}"
        self.tables[name] = entries
        return name

    def needed(self, results: Sequence[str]) -> Iterator[str]:
        """The lines that make these variables, the last one first."""
        wanted = set(results)
        for expression, name in reversed(self.names.items()):
            if name in wanted:
                wanted.update(_NAME.findall(expression))
                yield f"{name} = {expression}"


class WrittenWord:
    """A word that is a variable of the function, or a number in it."""

    __slots__ = ("lines", "name", "width")

    def __init__(self, lines: Lines, name: str, width: int) -> None:
        self.lines = lines
        self.name = name
        self.width = width

    def __len__(self) -> int:
        return self.width

    def __getitem__(self, place: int | slice) -> WrittenWord:
        low, high = bounds(place, self.width)
        shifted = f"{self.name} >> {low}"
        if high == self.width:
            return self._made(shifted, high - low) if low else self
        return self._made(f"{shifted} & {_ones(high - low)}", high - low)

    def __xor__(self, other: WrittenWord | IntegerWord | int) -> WrittenWord:
        return self._made(f"{self.name} ^ {_operand(other)}", self.width)

    def __and__(self, other: WrittenWord | IntegerWord | int) -> WrittenWord:
        return self._made(f"{self.name} & {_operand(other)}", self.width)

    def __or__(self, other: WrittenWord) -> WrittenWord:
        return self._made(f"{self.name} | {_operand(other)}", self.width)

    def __invert__(self) -> WrittenWord:
        return self._made(f"{self.name} ^ {_ones(self.width)}", self.width)

    def __lshift__(self, places: int) -> WrittenWord:
        """The word above so many zero bits."""
        return self._made(f"{self.name} << {places}", self.width + places)

    def replicate(self, count: int) -> WrittenWord:
        """A one-bit word, ``count`` times."""
        return self._made(f"-{self.name} & {_ones(count)}", count)

    def _made(self, expression: str, width: int) -> WrittenWord:
        return self.lines.word(expression, width)


def _ones(width: int) -> str:
    return hex((1 << width) - 1)


def _operand(word: WrittenWord | IntegerWord | int) -> str:
    match word:
        case WrittenWord():
            return word.name
        case IntegerWord():
            return hex(word.value)
    return hex(word)


@concatenate.register
def _concatenate_written(lowest: WrittenWord, *higher: WrittenWord) -> WrittenWord:
    parts, width = [lowest.name], lowest.width
    for word in higher:
        parts.append(f"{word.name} << {width}")
        width += word.width
    return lowest.lines.word(" | ".join(parts), width)


@choose.register
def _choose_written(
    condition: WrittenWord, chosen: WrittenWord, otherwise: WrittenWord
) -> WrittenWord:
    if condition.name.startswith("0x"):  # It is known, so only one of both is needed.
        return chosen if int(condition.name, 16) else otherwise
    text = f"{_operand(chosen)} if {condition.name} else {_operand(otherwise)}"
    return condition.lines.word(text, len(chosen))


@add.register
def _add_written(left: WrittenWord, right: WrittenWord | IntegerWord | int) -> WrittenWord:
    text = f"{left.name} + {_operand(right)} & {_ones(left.width)}"
    return left.lines.word(text, left.width)


@lookup.register
def _lookup_written(index: WrittenWord, table: WrittenWord | IntegerWord) -> WrittenWord:
    value = table.value if isinstance(table, IntegerWord) else int(table.name, 16)
    width = len(table) >> index.width
    entries = tuple(value >> place * width & (1 << width) - 1 for place in range(1 << index.width))
    return index.lines.word(f"{index.lines.table(entries)}[{index.name}]", width)


def written(
    circuit: Callable[..., Sequence[Any]],
    words: dict[str, int],
    named: dict[str, int],
    constants: Mapping[str, IntegerWord],
) -> Function:
    """The function of a circuit.

    Parameters
    ----------
    circuit
        ``circuit(*words, **named, **constants)`` makes a sequence of words.
    words, named
        The width of each word that differs from call to call, by name. The function has these
        arguments in this order: non-negative integers of so many bits.
    constants
        The words that do not differ.

    Returns
    -------
    Function
        Gives the integers of the words that the circuit makes.
    """
    lines = Lines()
    inputs = {name: WrittenWord(lines, name, width) for name, width in (words | named).items()}
    fixed = {name: lines.constant(word.value, word.width) for name, word in constants.items()}
    positional = [inputs.pop(name) for name in words]
    results = [word.name for word in circuit(*positional, **inputs, **fixed)]
    head = f"def function({', '.join((*words, *named))}):"
    body = [head, *reversed([*lines.needed(results)]), f"return {', '.join(results)},"]
    space: dict[str, Any] = dict(lines.tables)
    exec("\n    ".join(body), space)
    function: Function = space["function"]
    return function
