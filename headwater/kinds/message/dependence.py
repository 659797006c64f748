# SPDX-License-Identifier: Apache-2.0
"""A description read with bits that have no value: which words it makes, and of what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headwater.algebra.memory import Addressed, fetch, store
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import IntegerWord, unnamed
from headwater.kinds.message.calling import moved
from headwater.kinds.message.operations import Repeat


class Reader:
    """Whether an operation has read a bit that an earlier step made."""

    def __init__(self) -> None:
        self.chained = False

    def word(self, bits: int) -> SymbolicWord:
        """A word of which nothing is known."""
        return SymbolicWord(tuple(Bit(self) for _ in range(bits)))


class Bit:
    """A bit without a value."""

    __slots__ = ("old", "reader")

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.old = False
        """Whether an earlier step of the cycle made it."""

    def _with(self, other: Any) -> Bit:
        if self.old or getattr(other, "old", False):
            self.reader.chained = True
        return Bit(self.reader)

    __and__ = __or__ = __xor__ = _with

    def __invert__(self) -> Bit:
        return self._with(self)


class ReadMemory(Addressed):
    """A memory without content."""

    def __init__(self, reader: Reader, words: int, bits: int, *, written: bool = False) -> None:
        super().__init__(words, bits)
        self.reader = reader
        self.written = written
        """Whether a word was stored."""


@fetch.register
def _fetch(memory: ReadMemory, index: SymbolicWord) -> SymbolicWord:
    memory.check(index)
    if memory.written or any(getattr(bit, "old", False) for bit in index.bits):
        memory.reader.chained = True
    return memory.reader.word(memory.bits)


@store.register
def _store(
    memory: ReadMemory, index: SymbolicWord, word: SymbolicWord, when: SymbolicWord | None = None
) -> ReadMemory:
    memory.check(index, word, when)
    return ReadMemory(memory.reader, memory.words, memory.bits, written=True)


def memories_of(cipher: Any, reader: Reader) -> dict[str, ReadMemory]:
    """The memories of a cipher."""
    return {one.name: ReadMemory(reader, one.words, one.bits) for one in cipher.memories}


def constants_of(cipher: Any) -> dict[str, SymbolicWord]:
    """The constants of a cipher."""
    return {name: SymbolicWord.of(word) for name, word in cipher.constants.items()}


def chain_free_steps(cipher: Any, repeat: Repeat, most: int) -> int:
    """How many steps, at most ``most``, a cycle can make so that none reads a bit that another one
    makes."""
    reader = Reader()
    state: dict[str, Any] = {one.name: reader.word(one.bits) for one in cipher.registers}
    state |= memories_of(cipher, reader)
    for number in range(most):
        controls = {name: reader.word(1) for name in cipher.controls_of(repeat.step)}
        others = (
            constants_of(cipher)
            | controls
            | {"number": SymbolicWord.of(IntegerWord(number, cipher.number_bits(repeat.step)))}
        )
        after = moved(repeat.step, unnamed, state, others)
        if reader.chained:
            return number
        _mark_made(state, after)
        state = after
    return most


def _mark_made(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Mark the bits of a state that a step has made, and not moved."""
    words = [word for word in before.values() if isinstance(word, SymbolicWord)]
    moved_on = {id(bit) for word in words for bit in word.bits}
    for word in after.values():
        for bit in word.bits if isinstance(word, SymbolicWord) else ():
            if isinstance(bit, Bit) and id(bit) not in moved_on:
                bit.old = True
