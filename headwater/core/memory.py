# SPDX-License-Identifier: Apache-2.0
"""Memories of a core, which are RAM on an FPGA.

Words are read in the cycle of their address, and written at the clock. A RAM takes one word in a
cycle. A memory in which a cycle stores several words is as many RAMs: a word is the sum (xor) of
those that all of them have at its address, and each of the words of a cycle changes one of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor

from amaranth.hdl import Cat, Const, MemoryData, MemoryInstance, Module, Mux, Signal, Value

from headwater.algebra.memory import (
    Addressed,
    entry_of,
    fetch,
    store,
    with_entry,
)
from headwater.core.naming import named


@entry_of.register(Value)
def _entry_of_value(content: Value, memory: Addressed, index: Value) -> Value:
    filled = Cat(content, Const(0, (memory.bits << memory.address_bits) - len(content)))
    return filled.word_select(index, memory.bits)


@with_entry.register(Value)
def _with_value(
    content: Value, memory: Addressed, index: Value, word: Value, when: Value | None
) -> Value:
    stores = Const(1, 1) if when is None else when
    return Cat(
        Mux(stores & (index == place), word, content.word_select(place, memory.bits))
        for place in range(memory.words)
    )


def _has(memory: Addressed, address: Value) -> Value:
    """Whether there is a word at an address: behind the last one a sum has a carry."""
    size = memory.address_bits
    over = Cat(address, Const(0, 1)) + Const((1 << size) - memory.words, size)
    return ~over[size]


@dataclass(frozen=True)
class Stored:
    """A word on its way into a memory. All are signals."""

    when: Value
    index: Value
    word: Value


class StoredMemory(Addressed):
    """A memory of a core behind some words that are stored in this cycle."""

    def __init__(self, ram: _Named, stored: tuple[Stored, ...] = ()) -> None:
        super().__init__(ram.words, ram.bits)
        self.ram = ram
        self.stored = stored

    @property
    def content(self) -> Value:
        """All words side by side, word 0 lowest, for checkers."""
        return Cat(self._content(place) for place in range(self.words))

    def _content(self, place: int) -> Value:
        assert isinstance(self.ram, _Watched)
        word = self.ram.content(place)
        for one in self.stored:
            word = Mux(one.when & (one.index == place), one.word, word)
        return word

    def if_chosen(self, condition: Value, otherwise: StoredMemory) -> StoredMemory:
        """This memory if a bit is one, else one that it was made of."""
        own = self.stored[len(otherwise.stored) :]
        stored = (
            Stored(self.ram.named("chosen", condition & one.when), one.index, one.word)
            for one in own
        )
        return StoredMemory(self.ram, (*otherwise.stored, *stored))


@fetch.register
def _fetch_stored(memory: StoredMemory, index: Value) -> Value:
    memory.check(index)
    address = memory.ram.named("address", index)
    word = memory.ram.read(address)
    for one in memory.stored:
        word = Mux(one.when & (one.index == address), one.word, word)
    return memory.ram.named("fetched", word) if memory.stored else word


@store.register
def _store_stored(
    memory: StoredMemory, index: Value, word: Value, when: Value | None = None
) -> StoredMemory:
    memory.check(index, word, when)
    ram, when = memory.ram, Const(1, 1) if when is None else when
    address = ram.named("target", index)
    if not memory.is_full:
        when = when & _has(memory, address)
    stored = Stored(ram.named("stores", when), address, ram.named("word", word))
    return StoredMemory(ram, (*memory.stored, stored))


class _Named(Addressed, ABC):
    """What functions read: each of their words becomes a signal of a module."""

    def __init__(self, m: Module, name: str, words: int, bits: int) -> None:
        super().__init__(words, bits)
        self.m, self.name = m, name
        self._names: dict[str, int] = {}

    def named(self, role: str, value: Value) -> Signal:
        """A signal for a value, called after the memory and its role."""
        number = self._names[role] = self._names.get(role, -1) + 1
        return named(self.m, f"{self.name}_{role}_{number}", value)

    @abstractmethod
    def read(self, address: Value) -> Value:
        """The word at an address; zeros behind the last one."""


class _Watched(_Named):
    """What a checker reads: the registers that take the place of RAMs."""

    def __init__(self, m: Module, ram: Ram) -> None:
        super().__init__(m, ram.name, ram.words, ram.bits)
        self._contents = ram.contents

    def read(self, address: Value) -> Value:
        """The word at an address; zeros behind the last one."""
        return reduce(xor, (entry_of(content, self, address) for content in self._contents))

    def content(self, place: int) -> Value:
        """The word at a place."""
        return reduce(xor, (one.word_select(place, self.bits) for one in self._contents))


class Ram(_Named):
    """A memory of a core.

    Parameters
    ----------
    printed
        Whether the circuit is to be printed. If not, registers take the place of the RAMs, so that
        checkers see what they hold.

    Members
    -------
    present : StoredMemory
        What functions get.
    contents : list of Signal
        What each RAM holds, all words side by side, word 0 lowest; empty if ``printed``.
    notes : dict of str to str
        Comments for the Verilog, by the name of a RAM.
    """

    def __init__(self, m: Module, name: str, words: int, bits: int, *, printed: bool) -> None:
        super().__init__(m, name, words, bits)
        self.present = StoredMemory(self)
        self.contents: list[Signal] = []
        self.notes: dict[str, str] = {}
        self._printed = printed
        self._reads: list[tuple[Value, Signal]] = []

    def watched(self, m: Module) -> StoredMemory:
        """The memory as functions get it that are read in a checker."""
        return StoredMemory(_Watched(m, self))

    def read(self, address: Value) -> Value:
        """The word at an address; zeros behind the last one."""
        word = Signal(self.bits, name=f"{self.name}_entry_{len(self._reads)}")
        self._reads.append((address, word))
        return word if self.is_full else Mux(_has(self, address), word, 0)

    def connect(
        self, after: Sequence[tuple[Value, StoredMemory]], emptied: Value, place: Value
    ) -> None:
        """Make the RAMs. Each of ``after`` is what the memory becomes if a bit is one; no two are
        one together, nor with ``emptied``: then the word at ``place`` becomes zero."""
        count = max(1, *(len(memory.stored) for _, memory in after))
        ports = [self._port(after, number) for number in range(count)]
        rams = [self._ram(number, count) for number in range(count)]
        for number, (one, ram) in enumerate(zip(ports, rams, strict=True)):
            others = [other for other in rams if other is not ram]
            word = reduce(xor, self._read(others, one.index, f"other_{number}"), one.word)
            overtaken = [later.when & (later.index == one.index) for later in ports[number + 1 :]]
            ram.write(
                emptied | (one.when & ~Cat(*overtaken).any()),
                Mux(emptied, place[: self.address_bits], one.index),
                Mux(emptied, 0, word)[: self.bits],
            )
        for number, (address, word) in enumerate(self._reads):
            self.m.d.comb += word.eq(reduce(xor, self._read(rams, address, f"entry_{number}")))

    def _ram(self, number: int, count: int) -> _Ram | _Registers:
        name = self.name if count == 1 else f"{self.name}_{number}"
        if count > 1:
            self.notes[name] = f"a word of {self.name} is the sum of {count}: one of them"
        content = Signal(self.words * self.bits, name=name, reset_less=True)
        if not self._printed:
            self.contents.append(content)
        return bare_ram(self.m, content, self.bits, printed=self._printed)

    def _port(self, after: Sequence[tuple[Value, StoredMemory]], number: int) -> Stored:
        """Word ``number`` of those that a cycle stores."""
        when: Value = Const(0, 1)
        index: Value = Const(0, self.address_bits)
        word: Value = Const(0, self.bits)
        for condition, memory in after:
            if number < len(memory.stored):
                one = memory.stored[number]
                when = when | (condition & one.when)
                index = Mux(condition, one.index, index) if len(after) > 1 else one.index
                word = Mux(condition, one.word, word) if len(after) > 1 else one.word
        return Stored(self.named("writes", when), self.named("place", index), word)

    def _read(self, rams: Sequence[_Ram | _Registers], address: Value, name: str) -> list[Signal]:
        """What each of these RAMs has at an address."""
        entries = []
        for number, ram in enumerate(rams):
            several = f"_of_{number}" if len(rams) > 1 else ""
            entries.append(Signal(self.bits, name=f"{self.name}_{name}{several}"))
            ram.read(address, entries[-1])
        return entries


def bare_ram(m: Module, content: Signal, bits: int, *, printed: bool) -> _Ram | _Registers:
    """A RAM of words of ``bits`` bits. If it is not ``printed``, registers take its place, and
    ``content`` is what they hold, all words side by side, word 0 lowest. In both the name is that
    of ``content``."""
    size = Addressed(len(content) // bits, bits)
    return _Ram(m, content.name, size) if printed else _Registers(m, content, size)


class _Ram:
    """A RAM that is read at several places, and written at one."""

    def __init__(self, m: Module, name: str, size: Addressed) -> None:
        data = MemoryData(shape=size.bits, depth=size.words, init=[])
        m.submodules[name] = self._instance = MemoryInstance(data=data)

    def read(self, address: Value, entry: Signal) -> None:
        """Drive a word with what is at an address."""
        self._instance.read_port(
            domain="comb", addr=address, data=entry, en=Const(1, 1), transparent_for=()
        )

    def write(self, when: Value, address: Value, word: Value) -> None:
        """Write a word at an address if a bit is one."""
        self._instance.write_port(domain="sync", addr=address, data=word, en=when)


class _Registers:
    """The same of registers."""

    def __init__(self, m: Module, content: Signal, size: Addressed) -> None:
        self._m, self.content, self._size = m, content, size

    def read(self, address: Value, entry: Signal) -> None:
        """Drive a word with what is at an address."""
        self._m.d.comb += entry.eq(entry_of(self.content, self._size, address))

    def write(self, when: Value, address: Value, word: Value) -> None:
        """Write a word at an address if a bit is one."""
        when, address, word = (
            named(self._m, f"{self.content.name}_{role}", value)
            for role, value in (("writes", when), ("address", address), ("word", word))
        )
        self._m.d.sync += self.content.eq(with_entry(self.content, self._size, address, word, when))
