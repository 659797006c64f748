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
    """The word with each bit so many places higher, and the highest ones lowest."""
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


class SymbolicWord:
    """A word of bits that are polynomials, counted bits, or the constants 0 and 1; ``size`` is how
    many operations its expression has if nothing is shared (`headwater.algebra.expanded`)."""

    def __init__(self, bits: tuple[Any, ...], size: int = 1) -> None:
        self.bits = bits
        self.size = size

    @classmethod
    def of(cls, word: IntegerWord) -> SymbolicWord:
        """A word whose value is known."""
        return cls(_constant_bits(word.value, word.width))

    def __len__(self) -> int:
        return len(self.bits)

    def __bool__(self) -> bool:
        raise TypeError("a word of a description has no value: it goes with & ^ | ~, not with if")

    def __getitem__(self, place: int | slice) -> SymbolicWord:
        bits = self.bits[place] if isinstance(place, slice) else (self.bits[place],)
        return SymbolicWord(bits, self.size + 1)

    def __xor__(self, other: SymbolicWord | int) -> SymbolicWord:
        return SymbolicWord(tuple(map(_xor, self.bits, self._bits_of(other))), _size(self, other))

    def __and__(self, other: SymbolicWord | int) -> SymbolicWord:
        return SymbolicWord(tuple(map(_and, self.bits, self._bits_of(other))), _size(self, other))

    def __or__(self, other: SymbolicWord) -> SymbolicWord:
        return ~(~self & ~other)

    def __invert__(self) -> SymbolicWord:
        return SymbolicWord(tuple(_xor(bit, 1) for bit in self.bits), self.size + 1)

    def __lshift__(self, places: int) -> SymbolicWord:
        """The word above so many zero bits."""
        return SymbolicWord((0,) * places + self.bits, self.size + 1)

    def replicate(self, count: int) -> SymbolicWord:
        """A one-bit word, ``count`` times."""
        return SymbolicWord(self.bits * count, self.size + 1)

    def _bits_of(self, other: SymbolicWord | int) -> tuple[Any, ...]:
        if isinstance(other, int):
            return _constant_bits(other, len(self))
        if len(other) != len(self):
            raise InputError(f"words must have equal lengths, not {len(self)} and {len(other)}")
        return other.bits


def _size(*operands: SymbolicWord | int) -> int:
    """Operations of an expression of these."""
    return 1 + sum(1 if isinstance(one, int) else one.size for one in operands)


@concatenate.register
def _concatenate_symbols(lowest: SymbolicWord, *higher: SymbolicWord) -> SymbolicWord:
    bits = sum((word.bits for word in higher), lowest.bits)
    return SymbolicWord(bits, _size(lowest, *higher))


@choose.register
def _choose_symbol(
    condition: SymbolicWord, chosen: SymbolicWord, otherwise: SymbolicWord
) -> SymbolicWord:
    differs = (chosen ^ otherwise) & condition.replicate(len(chosen))
    return SymbolicWord((otherwise ^ differs).bits, _size(condition, chosen, otherwise))


@add.register
def _add_symbols(left: SymbolicWord, right: SymbolicWord | int) -> SymbolicWord:
    """A ripple carry: two half adders a bit."""
    if isinstance(right, int) and not 0 <= right < 1 << len(left):
        raise InputError(f"number that is added to {len(left)} bits must fit them, not {right}")
    size = _size(left, right)
    right = left & 0 ^ right if isinstance(right, int) else right
    carry: Any = 0
    sums = []
    for one, other in zip(left.bits, right.bits, strict=True):
        half = _xor(one, other)
        sums.append(_xor(half, carry))
        if len(sums) < len(left):  # The carry out of the last bit is dropped.
            carry = _xor(_and(one, other), _and(half, carry))
    return SymbolicWord(tuple(sums), size)


@lookup.register
def _lookup_symbols(index: SymbolicWord, table: SymbolicWord | IntegerWord) -> SymbolicWord:
    """A multiplexer of the two halves of the table, controlled by the highest bit of the index."""
    if isinstance(table, IntegerWord):
        table = SymbolicWord.of(table)
    if not len(index):
        return table
    half = len(table) // 2
    low = _lookup_symbols(index[:-1], table[:half])
    high = _lookup_symbols(index[:-1], table[half:])
    chosen = low ^ ((low ^ high) & index[-1].replicate(len(low)))
    return SymbolicWord(chosen.bits, _size(index, table))


def _constant_bits(value: int, width: int) -> tuple[int, ...]:
    return tuple(value >> place & 1 for place in range(width))


def _xor(left: Any, right: Any) -> Any:
    """Exclusive or, where a constant costs no gate but an inverter."""
    for constant, other in ((left, right), (right, left)):
        if isinstance(constant, int):
            if isinstance(other, int):
                return constant ^ other
            return ~other if constant else other
    return left ^ right


def _and(left: Any, right: Any) -> Any:
    for constant, other in ((left, right), (right, left)):
        if isinstance(constant, int):
            return other if constant else 0
    return left & right
