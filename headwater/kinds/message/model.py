# SPDX-License-Identifier: Apache-2.0
"""The model of a message machine: its description read with integers, operation by operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Literal

from headwater.algebra import bitstring
from headwater.algebra.bitstring import BitOrder
from headwater.algebra.memory import WholeMemory
from headwater.algebra.word import unnamed
from headwater.algebra.written import Function as Written
from headwater.algebra.written import written
from headwater.cipher.message import Message, Sealed, tag_bits_of
from headwater.kinds.message.calling import asked_for, moved, word_of
from headwater.kinds.message.description import LENGTHS, MessageCipher
from headwater.kinds.message.operations import (
    Do,
    Function,
    Operation,
    Part,
    Repeat,
    Squeeze,
    Take,
)
from headwater.kinds.message.program import first_squeeze

State = dict[str, int]


def process(cipher: MessageCipher, message: Message) -> Sealed:
    """The output text of a message, and its tag."""
    return _machine(cipher).process(message)


@lru_cache(maxsize=16)
def _machine(cipher: MessageCipher) -> _Machine:
    return _Machine(cipher)


class _Machine:
    """Reads the functions of a description once, as functions of integers."""

    def __init__(self, cipher: MessageCipher) -> None:
        self._cipher = cipher
        self._widths = {one.name: one.bits for one in cipher.registers}
        self._widths |= {one.name: one.words * one.bits for one in cipher.memories}
        self._functions: dict[tuple[Function, tuple[tuple[str, int], ...]], Written] = {}
        self._order: Literal["big", "little"] = "big" if cipher.first_bit_on_top else "little"

    def process(self, message: Message) -> Sealed:
        """Everything, from the first bit of the key to the last of the tag."""
        cipher, tag = self._cipher, list[bytes]()
        state = dict.fromkeys(self._widths, 0)
        key, nonce = cipher.loaded(message.key, message.nonce)
        sources = {"key": key, "nonce": nonce, "initial": cipher.initial}
        state = self._all(cipher.start, state, sources, tag)
        before = cipher.prefix(message.associated_data, message.associated_bits)
        parts = {"ad_bytes": before, "text_bytes": message.text}
        state |= {name: len(part) for name, part in parts.items()}
        if cipher.associated is not None:
            spare = 8 * len(message.associated_data) - message.associated_bits
            state, _ = self._part(cipher.associated, state, before, 8 * len(before) - spare)
        state = self._all(cipher.middle, state, {}, tag)
        text, bits = message.text, message.bits
        if cipher.text.trailer:
            text, bits = _extended(text, bits, state[cipher.text.trailer], cipher.bit_order)
        state, other = self._part(cipher.text, state, text, bits, decrypts=message.decrypts)
        return Sealed(other, self._finished(state, tag_bits_of(cipher, message)))

    def _finished(self, state: State, bits: int) -> bytes:
        """So many bits of the tag."""
        finish, tag, order = self._cipher.finish, list[bytes](), self._cipher.bit_order
        state = self._all(finish, state, {}, tag)
        while 8 * sum(map(len, tag)) < bits:
            state = self._all(finish[first_squeeze(finish) :], state, {}, tag)
        return bitstring.to_bytes(bitstring.from_bytes(b"".join(tag), order), bits, order)

    def _part(
        self, part: Part, state: State, data: bytes, bits: int, *, decrypts: bool = False
    ) -> tuple[State, bytes]:
        """All blocks of a part of so many bits, and its other text."""
        other = bytearray()
        blocks = list(_blocks(part, data, bits))
        for number, (block, count) in enumerate(blocks):
            state = self._all(part.between if number else part.first, state, {}, [])
            if part.keystream is not None:
                stream = self._call(part.keystream, state, {}).to_bytes(part.rate // 8, "little")
                changed = bytes(ours ^ text for ours, text in zip(stream, block, strict=False))
                other += changed
                block = changed if decrypts else block
            state = self._entered(part, state, block, count)
        return self._all(part.end, state, {}, []) if blocks else state, bytes(other)

    def _entered(self, part: Part, state: State, block: bytes, bits: int) -> State:
        """The state behind a block of plaintext or of associated data, of so many bits."""
        size, unit = part.block_bits, self._cipher.text_unit
        word = int.from_bytes(block.ljust(size // 8, b"\0"), self._order)
        if part.pad is not None and bits < size:
            place = bits if self._order == "little" else size - unit - bits
            word |= part.pad.byte << place
        state = self._moved(part.enter, state, {"block": (word, size)})
        count, most = bits // unit, (part.rate // unit).bit_length()
        told = {"count": (count, most), "partial": (int(bits < part.rate), 1)}
        return self._moved(part.close, state, told)

    def _all(
        self,
        operations: Sequence[Operation],
        state: State,
        sources: dict[str, bytes],
        tag: list[bytes],
    ) -> State:
        """The state after operations. What they take is cut off the ``sources``."""
        for one in operations:
            match one:
                case Take():
                    data = sources[one.source][: one.bits // 8]
                    sources[one.source] = sources[one.source][one.bits // 8 :]
                    state = self._taken(one, state, data)
                case Do():
                    state = self._moved(one.function, state, {})
                case Repeat():
                    state = self._moved(one.begin, state, {})
                    bits = self._cipher.number_bits(one.step)
                    controls = {
                        name: (int(name in one.controls), 1)
                        for name in self._cipher.controls_of(one.step)
                    }
                    for number in range(one.first_number, one.first_number + one.count):
                        told = controls | {"number": (number, bits)}
                        state = self._moved(one.step, state, told)
                case Squeeze():
                    word = self._call(one.function, state, {})
                    tag.append(word.to_bytes(one.bits // 8, self._order))
        return state

    def _taken(self, take: Take, state: State, data: bytes) -> State:
        if take.enter is None:
            word, held, width = int.from_bytes(data, self._order), state[take.into], take.bits
            length = self._widths[take.into]
            if self._order == "big":
                return state | {take.into: (held << width | word) & (1 << length) - 1}
            return state | {take.into: (word << length | held) >> width}
        size = take.block_bits or take.bits
        for place in range(0, len(data), size // 8):
            word = int.from_bytes(data[place : place + size // 8], self._order)
            state = self._moved(take.enter, state, {"block": (word, size)})
        return state

    # --- functions of integers

    def _moved(
        self, function: Function | None, state: State, told: dict[str, tuple[int, int]]
    ) -> State:
        """The state after a function of it; ``told`` are values and widths of other words."""
        if function is None:
            return state
        compiled = self._read(function, told, gives_word=False)
        values = compiled(*(value for value, _ in told.values()), *self._values(state))
        return state | dict(zip(self._widths, values, strict=True))

    def _call(self, function: Function, state: State, told: dict[str, tuple[int, int]]) -> int:
        """The word that a function gives."""
        (word,) = self._read(function, told, gives_word=True)(*self._values(state))
        return word

    def _values(self, state: State) -> Iterator[int]:
        return chain((state[name] for name in self._widths), (state.get(n, 0) for n in LENGTHS))

    def _read(
        self, function: Function, told: dict[str, tuple[int, int]], *, gives_word: bool
    ) -> Written:
        """A function of a description as one of the integers of other words, registers and
        lengths."""
        widths = {name: width for name, (_, width) in told.items()}
        key = function, tuple(widths.items())
        if key not in self._functions:
            words = widths | self._widths | dict.fromkeys(LENGTHS, self._cipher.length_bits)
            names = list(self._widths)

            def circuit(*values: object, **constants: object) -> list[object]:
                every = dict(zip(words, values, strict=True)) | constants
                for one in self._cipher.memories:
                    every[one.name] = WholeMemory(every[one.name], one.words, one.bits)
                if gives_word:
                    return [word_of(function, unnamed, every)]
                state = {name: every[name] for name in names}
                behind = moved(function, unnamed, state, every).values()
                return [one.content if isinstance(one, WholeMemory) else one for one in behind]

            asked = {
                name: word
                for name, word in self._cipher.constants.items()
                if name in asked_for(function)
            }
            self._functions[key] = written(circuit, words, {}, asked)
        return self._functions[key]


def _extended(text: bytes, bits: int, trailer: int, order: BitOrder) -> tuple[bytes, int]:
    """A text with one more bit, and its length."""
    string = bitstring.from_bytes(text, order) | trailer << bits
    return bitstring.to_bytes(string, bits + 1, order), bits + 1


def _blocks(part: Part, data: bytes, bits: int) -> Iterator[tuple[bytes, int]]:
    """The bytes of each block, with their bits."""
    size = part.rate // 8
    for place in range(0, len(data), size):
        yield data[place : place + size], min(part.rate, bits - 8 * place)
    full = bits and bits % part.rate == 0
    if (full and part.pad is not None and part.pad.when == "always") or (
        not bits and part.at_least_one
    ):
        yield b"", 0
