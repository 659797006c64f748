# SPDX-License-Identifier: Apache-2.0
"""A word of bits that have no value, which tells what a description computes, and refuses what no
reading has: each mistake is one sentence."""

from __future__ import annotations

from typing import Any, NoReturn

from headwater.algebra.word import IntegerWord, add, choose, concatenate, lookup
from headwater.errors import InputError, between


class SymbolicWord:
    """A word of bits that are polynomials, counted bits, or the constants 0 and 1; ``size`` is how
    many operations its expression has if nothing is shared (`headwater.cipher.expanded`)."""

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
        _check_place(place, len(self))
        bits = self.bits[place] if isinstance(place, slice) else (self.bits[place],)
        return SymbolicWord(bits, self.size + 1)

    def __xor__(self, other: SymbolicWord | int) -> SymbolicWord:
        return SymbolicWord(tuple(map(_xor, self.bits, self._bits_of(other))), _size(self, other))

    def __and__(self, other: SymbolicWord | int) -> SymbolicWord:
        return SymbolicWord(tuple(map(_and, self.bits, self._bits_of(other))), _size(self, other))

    def __or__(self, other: SymbolicWord | int) -> SymbolicWord:
        both = ~(~self & ~SymbolicWord(self._bits_of(other)))
        return SymbolicWord(both.bits, _size(self, other))

    def __invert__(self) -> SymbolicWord:
        return SymbolicWord(tuple(_xor(bit, 1) for bit in self.bits), self.size + 1)

    def __lshift__(self, places: int) -> SymbolicWord:
        """The word above so many zero bits."""
        return SymbolicWord((0,) * places + self.bits, self.size + 1)

    def replicate(self, count: int) -> SymbolicWord:
        """A one-bit word, ``count`` times."""
        if len(self) != 1:
            raise InputError(f"a word that is replicated must have one bit, not {len(self)}")
        return SymbolicWord(self.bits * count, self.size + 1)

    def _on_the_left(self, other: object) -> NoReturn:
        raise InputError(f"a number must stand on the right of ^, & and |, not {other!r} before it")

    __rxor__ = __rand__ = __ror__ = _on_the_left

    def _no_operator(self, other: object) -> NoReturn:  # noqa: ARG002
        raise InputError("words must be added with add(a, b), not with +, and likewise - and *")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_operator

    def _bits_of(self, other: SymbolicWord | int) -> tuple[Any, ...]:
        if isinstance(other, int):
            if not 0 <= other < 1 << len(self):
                raise InputError(
                    f"number beside a word of {len(self)} bits must fit it, not {other:#x}"
                )
            return _constant_bits(other, len(self))
        if not isinstance(other, SymbolicWord):
            raise InputError(f"what stands beside a word must be a word or a number, not {other!r}")
        if len(other) != len(self):
            raise InputError(f"words must have equal lengths, not {len(self)} and {len(other)}")
        return other.bits


def _check_place(place: int | slice, width: int) -> None:
    """Refuse a bit that a word of ``width`` bits has not, and a place that is no whole number."""
    if not isinstance(place, slice):
        between(-width, width - 1, f"bit of a word of {width} bits", place)
    elif any(not isinstance(end, int | None) for end in (place.start, place.stop)):
        raise InputError(f"bits of a word must be between whole numbers, not {place!r}")


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
    if len(condition) != 1:
        raise InputError(f"condition of choose must have one bit, not {len(condition)}")
    differs = (chosen ^ otherwise) & condition.replicate(len(chosen))
    return SymbolicWord((otherwise ^ differs).bits, _size(condition, chosen, otherwise))


@add.register
def _add_symbols(left: SymbolicWord, right: SymbolicWord | int) -> SymbolicWord:
    """A ripple carry: two half adders a bit."""
    carry: Any = 0
    sums = []
    for one, other in zip(left.bits, left._bits_of(right), strict=True):
        half = _xor(one, other)
        sums.append(_xor(half, carry))
        if len(sums) < len(left):  # The carry out of the last bit is dropped.
            carry = _xor(_and(one, other), _and(half, carry))
    return SymbolicWord(tuple(sums), _size(left, right))


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
