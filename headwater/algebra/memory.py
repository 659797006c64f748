# SPDX-License-Identifier: Apache-2.0
"""Memories in descriptions: `fetch` reads a word by its address, `store` writes one.

A function gets a memory, and gives what `store` makes of it: the content behind the function. What
it got stays what it was. Here are the readings with integers, with lines of Python, and that counts
gates; `headwater.core.memory` has those with hardware values.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from headwater.algebra.gates import GateCounter
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import IntegerWord, Word
from headwater.algebra.written import WrittenWord
from headwater.errors import InputError

Content = Any
"""A memory in whatever a description is being read with."""


class Addressed:
    """What each reading of a memory knows: ``words`` of ``bits`` bits."""

    def __init__(self, words: int, bits: int) -> None:
        self.words = words
        self.bits = bits

    @property
    def address_bits(self) -> int:
        """Bits of an address."""
        return (self.words - 1).bit_length()

    @property
    def is_full(self) -> bool:
        """Whether there is a word behind every address."""
        return self.words == 1 << self.address_bits

    def check(self, index: Word, word: Word | None = None, when: Word | None = None) -> None:
        """Refuse an address, a word or a condition of another length."""
        lengths = (
            ("address", index, self.address_bits),
            ("word", word, self.bits),
            ("condition", when, 1),
        )
        for what, length, bits in lengths:
            if length is not None and len(length) != bits:
                raise InputError(
                    f"{what} of a memory of {self.words} words of {self.bits} bits must have "
                    f"{bits} bit{'s' * (bits > 1)}, not {len(length)}"
                )


@singledispatch
def fetch(memory: Content, index: Word) -> Word:  # noqa: ARG001
    """The word at an address; zeros behind the last word."""
    raise TypeError(f"fetch reads a memory of the description, not {type(memory).__name__}")


@singledispatch
def store(memory: Content, index: Word, word: Word, when: Word | None = None) -> Content:  # noqa: ARG001
    """The memory with a word at an address, if the bit ``when`` is one; without ``when`` always.
    Behind the last word nothing is written."""
    raise TypeError(f"store writes a memory of the description, not {type(memory).__name__}")


class WholeMemory(Addressed):
    """A memory as one word of all its words side by side, word 0 lowest."""

    def __init__(self, content: Word, words: int, bits: int) -> None:
        super().__init__(words, bits)
        self.content = content


@fetch.register
def _fetch_whole(memory: WholeMemory, index: Word) -> Word:
    memory.check(index)
    return entry_of(memory.content, memory, index)


@store.register
def _store_whole(
    memory: WholeMemory, index: Word, word: Word, when: Word | None = None
) -> WholeMemory:
    memory.check(index, word, when)
    content = with_entry(memory.content, memory, index, word, when)
    return WholeMemory(content, memory.words, memory.bits)


@singledispatch
def entry_of(content: Word, memory: Addressed, index: Word) -> Word:  # noqa: ARG001
    """The word at an address of a `WholeMemory`."""
    raise TypeError(f"no memory of {type(content).__name__} is known")


@singledispatch
def with_entry(
    content: Word,
    memory: Addressed,  # noqa: ARG001
    index: Word,  # noqa: ARG001
    word: Word,  # noqa: ARG001
    when: Word | None,  # noqa: ARG001
) -> Word:
    """The content of a `WholeMemory` behind `store`."""
    raise TypeError(f"no memory of {type(content).__name__} is known")


@entry_of.register
def _entry_of_integer(content: IntegerWord, memory: Addressed, index: IntegerWord) -> IntegerWord:
    low = index.value * memory.bits
    return IntegerWord(content.value >> low & (1 << memory.bits) - 1, memory.bits)


@with_entry.register
def _with_integer(
    content: IntegerWord,
    memory: Addressed,
    index: IntegerWord,
    word: IntegerWord,
    when: IntegerWord | None,
) -> IntegerWord:
    if index.value >= memory.words or (when is not None and not when.value):
        return content
    low = index.value * memory.bits
    kept = content.value & ~((1 << memory.bits) - 1 << low)
    return IntegerWord(kept | word.value << low, content.width)


@entry_of.register
def _entry_of_written(content: WrittenWord, memory: Addressed, index: Word) -> WrittenWord:
    moved = f"{content.name} >> {_operand(index)} * {memory.bits}"
    return content.lines.word(f"({moved}) & {(1 << memory.bits) - 1}", memory.bits)


@with_entry.register
def _with_written(
    content: WrittenWord, memory: Addressed, index: Word, word: Word, when: Word | None
) -> WrittenWord:
    """The difference of the old and the new word is added at its place."""
    lines, place = content.lines, _operand(index)
    low = lines.word(f"{place} * {memory.bits}", content.width)
    difference = f"({content.name} >> {low.name} ^ {_operand(word)}) & {(1 << memory.bits) - 1}"
    text = f"{content.name} ^ ({difference}) << {low.name}"
    asked = [] if when is None else [_operand(when)]
    asked += [] if memory.is_full else [f"{place} < {memory.words}"]
    if asked:
        text = f"({text}) if {' and '.join(asked)} else {content.name}"
    return lines.word(text, content.width)


def _operand(word: WrittenWord | IntegerWord) -> str:
    return word.name if isinstance(word, WrittenWord) else hex(word.value)


class CountedMemory(Addressed):
    """A memory without content, each use of which counts as one gate."""

    def __init__(self, counter: GateCounter, words: int, bits: int) -> None:
        super().__init__(words, bits)
        self.counter = counter


@fetch.register
def _fetch_counted(memory: CountedMemory, index: SymbolicWord) -> SymbolicWord:
    memory.check(index)
    memory.counter.gates["fetch"] += 1
    return SymbolicWord(tuple(memory.counter.bit() for _ in range(memory.bits)))


@store.register
def _store_counted(
    memory: CountedMemory,
    index: SymbolicWord,
    word: SymbolicWord,
    when: SymbolicWord | None = None,
) -> CountedMemory:
    memory.check(index, word, when)
    memory.counter.gates["store"] += 1
    return memory
