# SPDX-License-Identifier: Apache-2.0
"""Words of bits for descriptions that move whole registers: the operations, and two readings.

A description may use ``^ & | ~``, ``word << n``, ``word[n]``, ``word[low:high]``,
``bit.replicate(n)`` and the functions of this module. Bit 0 is the lowest. The same
text is then read with integers (`IntegerWord`), with symbols (`SymbolicWord`), and, through
implementations registered elsewhere, with hardware values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce, singledispatch
from operator import and_, xor
from typing import Any, Protocol, runtime_checkable

from headwater.algebra.bitstring import bounds
from headwater.errors import InputError, between

Word = Any
"""Whatever a description is being read with."""


class Wire(Protocol):
    """Gives a value a name: the given one, or the name of the variable that the result is assigned
    to."""

    def __call__(self, value: Word, name: str = ...) -> Word: ...  # noqa: D102


Circuit = Callable[..., Word]
"""``circuit(wire, *words)`` makes a word of words."""


@runtime_checkable
class FunctionWire(Wire, Protocol):
    """A `Wire` of readings that hold a circuit once and use it several times."""

    def function(self, name: str, width: int, circuit: Circuit, *words: Word) -> Word:
        """The circuit's word of ``width`` bits."""


@runtime_checkable
class TableWire(Wire, Protocol):
    """A `Wire` of readings in which a table is quicker than any circuit of a byte."""

    def tabled(self, width: int, circuit: Circuit, octet: Word) -> Word:
        """The word of ``width`` bits, a power of two, that a circuit makes of one byte."""


def unnamed(value: Word, name: str = "") -> Word:  # noqa: ARG001
    """The `Wire` of readings in which nothing needs a name."""
    return value


def through(wire: Wire, name: str, width: int, circuit: Circuit, *words: Word) -> Word:
    """A circuit's word of ``width`` bits; hardware holds the circuit once, as a function."""
    if isinstance(wire, FunctionWire):
        return wire.function(name, width, circuit, *words)
    return circuit(unnamed, *words)


@singledispatch
def concatenate(lowest: Word, *higher: Word) -> Word:  # noqa: ARG001
    """One word of several, the lowest bits first."""
    raise TypeError(f"no words of type {type(lowest).__name__} are known")


@singledispatch
def choose(condition: Word, chosen: Word, otherwise: Word) -> Word:  # noqa: ARG001
    """``chosen`` where the one-bit ``condition`` is one, else ``otherwise``; of equal width."""
    raise TypeError(f"no words of type {type(condition).__name__} are known")


@singledispatch
def add(left: Word, right: Word | int) -> Word:  # noqa: ARG001
    """The sum of two words of equal width, or of a word and a number, modulo 2^width."""
    raise TypeError(f"no words of type {type(left).__name__} are known")


def subtract(left: Word, right: Word | int) -> Word:
    """The difference of two words of equal width, or of a word and a number, modulo 2^width."""
    return ~add(~left, right)


def multiply(left: Word, right: Word) -> Word:
    """The product of two words as numbers, modulo 2^width of the first one."""
    if isinstance(right, int):
        raise InputError(f"both factors must be words, not {right}: with a number it is shifts")
    size, product = len(left), left & 0
    for place in range(min(size, len(right))):
        moved = (left << place)[:size] & right[place].replicate(size)
        product = add(product, moved) if place else moved
    return product


def field_multiply(left: Word, right: Word, constant: int) -> Word:
    """The product of two polynomials over GF(2), bit n being that of x^n, modulo x^width plus
    ``constant``: 0x1B for the field of AES, with words of 8 bits. Name both words before: each bit
    is read several times."""
    size = len(left)
    powers = [1]
    for _ in range(2 * size - 2):
        moved = powers[-1] << 1
        powers.append(moved ^ (constant | 1 << size) if moved >> size else moved)

    def of(place: int, bit: int) -> Word:
        """What bit ``place`` of the right word adds to a bit of the product, if it is one."""
        added = [left[one] for one in range(size) if powers[place + one] >> bit & 1]
        return right[place] & reduce(xor, added) if added else right[place] & 0

    return concatenate(
        *(reduce(xor, (of(place, bit) for place in range(size))) for bit in range(size))
    )


@singledispatch
def lookup(index: Word, table: Word) -> Word:  # noqa: ARG001
    """The entry number ``index`` of a table: a word of all entries side by side, entry 0 lowest.

    There are 2^len(index) entries of equal width, which divide the width of the table.
    """
    raise TypeError(f"no words of type {type(index).__name__} are known")


def rotate_left(word: Word, places: int) -> Word:
    """The word with each bit so many places higher, and the highest ones lowest; lower for a
    negative number."""
    between(-len(word), len(word), f"places that {len(word)} bits are rotated by", places)
    split = -places % len(word)
    return concatenate(word[split:], word[:split]) if split else word


def times_x(word: Word, constant: int) -> Word:
    """A polynomial over GF(2), bit n being that of x^n, times x: the bit that leaves at the top
    adds ``constant``, whose bit 0 is one."""
    top = word[len(word) - 1]
    moved = ((word[bit - 1], constant >> bit & 1) for bit in range(1, len(word)))
    return concatenate(top, *(bit ^ top if added else bit for bit, added in moved))


def all_ones(word: Word) -> Word:
    """Whether no bit is zero."""
    return reduce(and_, (word[bit] for bit in range(len(word))))


def table_word(entries: Sequence[int], width: int) -> IntegerWord:
    """The word that `lookup` reads: entries of ``width`` bits, the first one lowest. Number and
    width are powers of two, so that the place of an entry is the index, moved."""
    for what, number in (("number of entries", len(entries)), ("bits of an entry", width)):
        if number < 1 or number & (number - 1):
            raise InputError(f"{what} of a table must be a power of two, not {number}")
    for entry in entries:
        between(0, (1 << width) - 1, f"entries of a table of {width} bits", entry)
    value = sum(entry << place * width for place, entry in enumerate(entries))
    return IntegerWord(value, width * len(entries))


class IntegerWord:
    """A word whose value is known: ``width`` bits held in a non-negative integer."""

    __slots__ = ("value", "width")

    def __init__(self, value: int, width: int) -> None:
        self.value = value
        self.width = width

    def __len__(self) -> int:
        return self.width

    def __getitem__(self, place: int | slice) -> IntegerWord:
        low, high = bounds(place, self.width)
        return IntegerWord(self.value >> low & ((1 << high - low) - 1), high - low)

    def __xor__(self, other: IntegerWord | int) -> IntegerWord:
        if isinstance(other, int):
            return IntegerWord(self.value ^ other, self.width)
        return IntegerWord(self.value ^ other.value, self.width)

    def __and__(self, other: IntegerWord | int) -> IntegerWord:
        if isinstance(other, int):
            return IntegerWord(self.value & other, self.width)
        return IntegerWord(self.value & other.value, self.width)

    def __or__(self, other: IntegerWord | int) -> IntegerWord:
        if isinstance(other, int):
            return IntegerWord(self.value | other, self.width)
        return IntegerWord(self.value | other.value, self.width)

    def __invert__(self) -> IntegerWord:
        return IntegerWord(~self.value & ((1 << self.width) - 1), self.width)

    def __lshift__(self, places: int) -> IntegerWord:
        """The word above so many zero bits."""
        return IntegerWord(self.value << places, self.width + places)

    def replicate(self, count: int) -> IntegerWord:
        """A one-bit word, ``count`` times."""
        return IntegerWord(((1 << count) - 1) * self.value, count)


@concatenate.register
def _concatenate_integers(lowest: IntegerWord, *higher: IntegerWord) -> IntegerWord:
    value, width = lowest.value, lowest.width
    for word in higher:
        value |= word.value << width
        width += word.width
    return IntegerWord(value, width)


@choose.register
def _choose_integer(
    condition: IntegerWord, chosen: IntegerWord, otherwise: IntegerWord
) -> IntegerWord:
    return chosen if condition.value else otherwise


@add.register
def _add_integers(left: IntegerWord, right: IntegerWord | int) -> IntegerWord:
    number = right if isinstance(right, int) else right.value
    return IntegerWord(left.value + number & ((1 << left.width) - 1), left.width)


@lookup.register
def _lookup_integer(index: IntegerWord, table: IntegerWord) -> IntegerWord:
    width = table.width >> index.width
    return table[index.value * width : (index.value + 1) * width]
