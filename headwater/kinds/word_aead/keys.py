# SPDX-License-Identifier: Apache-2.0
"""Working key and nonce of the Phelix core, and the keys of the half blocks.

Both are stored as words that turn with the blocks, so that a block finds its words in fixed places:
X at word 0, the other word of X' at word 4. X' is computed when it is needed: storing all eight X'
costs more than two adders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from headwater.algebra.word import add
from headwater.kinds.word_aead.description import WORD_BITS

PERIOD = 8
"""Blocks after which the keys are the same, but for the block number."""


class RoundKeys:
    """The keys of ``words`` blocks in a row; ``zeros`` is a constant, above the lengths."""

    def __init__(self, words: int, zeros: Signal, *, kept: bool) -> None:
        self._words = words
        self.zeros = zeros
        self.key = [
            Signal(WORD_BITS, name=f"key_{place}", reset_less=kept) for place in range(PERIOD)
        ]
        self.nonce = [
            Signal(WORD_BITS, name=f"nonce_{place}", reset_less=kept) for place in range(4)
        ]
        self.lengths = Signal(13, reset_less=kept)
        """Bytes of the key in bits 0 to 5, bits of the tag modulo 128 in the others."""
        self.turn_bits = (PERIOD // words).bit_length() - 1
        """Bits of the number that give the place in a period."""
        self.number = Signal(WORD_BITS - 3 + self.turn_bits)
        """Blocks made, in units of ``words``. It counts modulo 2^32 blocks."""
        self.following = Signal(len(self.number), name="number_next")

    def connect(self, m: Module) -> None:
        """Drive ``following``, the number of the next blocks."""
        m.d.comb += self.following.eq(self.number + 1)

    def first(self, place: int) -> Value:
        """X of the block at ``place`` of a cycle."""
        return self.key[place]

    def second(self, m: Module, place: int) -> Value:
        """X' of the block at ``place`` of a cycle, with the block number. In the second half of a
        period the nonce is subtracted: its complement plus one is added."""
        suffix = f"_{place}" if self._words > 1 else ""
        negative = self._told(place, lambda number: number >= 4)
        nonce = self.nonce[place % 4] ^ negative.replicate(WORD_BITS)
        key = Signal(WORD_BITS, name=f"second_key{suffix}")
        counted = self._counted(place)
        m.d.comb += key.eq(add(add(self.key[(place + 4) % PERIOD], nonce), counted))
        return key

    def _counted(self, place: int) -> Value:
        """The block number, the constant of X', and the lengths where they are added."""
        present, following = self.number[self.turn_bits :], self.following[self.turn_bits :]
        carries = any(_constant(number) >= PERIOD for number in self._numbers(place))
        # With several blocks per cycle, a carry is one exactly when the next number has it, too.
        rounds = following if carries and self._words > 1 else present
        low = Cat(self._told(place, partial(_bit_of_constant, bit)) for bit in range(3))
        carry = self._told(place, lambda number: _constant(number) >= PERIOD)
        with_lengths = self._told(place, lambda number: number % 4 == 1)
        if all(number % 4 != 1 for number in self._numbers(place)):
            return Cat(low, rounds)
        # Four times the bytes of the key, and 256 times the bits of the tag.
        lengths = Cat(Const(0, 2), self.lengths & with_lengths.replicate(len(self.lengths)))
        if self._words == 1:
            lengths = Cat(lengths[:3], lengths[3] | carry, lengths[4:])
        return add(Cat(low, rounds), Cat(lengths, self.zeros))

    def _numbers(self, place: int) -> list[int]:
        """The numbers modulo 8 of the blocks at ``place``, in order."""
        return [turn * self._words + place for turn in range(PERIOD // self._words)]

    def _told(self, place: int, holds: Callable[[int], int]) -> Value:
        """The value of ``holds`` for the number modulo 8 of the block at ``place``."""
        return lookup_bit(self.number[: self.turn_bits], list(map(holds, self._numbers(place))))

    def turned(self) -> tuple[list[Value], list[Value]]:
        """Key and nonce after the blocks of a cycle."""
        return _turned(self.key, self._words), _turned(self.nonce, self._words)


def _constant(number: int) -> int:
    """The sum of block number modulo 8 and constant of X'."""
    return number + number - 3 if number >= 4 else number


def _bit_of_constant(bit: int, number: int) -> int:
    return _constant(number) >> bit & 1


def lookup_bit(index: Value, entries: Sequence[int]) -> Value:
    """One entry of a table of bits, with few gates."""
    if len(set(entries)) == 1:
        return Const(int(entries[0]), 1)
    half = len(entries) // 2
    low, high = entries[:half], entries[half:]
    if low == high:
        return lookup_bit(index[:-1], low)
    top = index[-1]
    narrower = index[:-1]
    if not any(low):
        return top if all(high) else top & lookup_bit(narrower, high)
    if not any(high):
        return ~top if all(low) else ~top & lookup_bit(narrower, low)
    if all(low):
        return ~top | lookup_bit(narrower, high)
    if all(high):
        return top | lookup_bit(narrower, low)
    return Mux(top, lookup_bit(narrower, high), lookup_bit(narrower, low))


def encode(marked: Iterable[tuple[Value, int]], width: int) -> Value:
    """The number of the mark that is one; at most one mark is."""
    bits: list[Value] = [Const(0, 1)] * width
    for mark, number in marked:
        for bit in range(width):
            if number >> bit & 1:
                bits[bit] = mark if isinstance(bits[bit], Const) else bits[bit] | mark
    return Cat(*bits)


def _turned(words: Sequence[Signal], places: int) -> list[Value]:
    return [words[(place + places) % len(words)] for place in range(len(words))]
