# SPDX-License-Identifier: Apache-2.0
"""The model: a description read with integers. The golden reference, and a fast keystream."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from headwater.algebra import bitstring
from headwater.algebra.memory import WholeMemory
from headwater.algebra.word import IntegerWord, Word, unnamed
from headwater.algebra.written import Function, written
from headwater.cipher.memory import Memory
from headwater.cipher.register import Register
from headwater.kinds.stepped.beginning import whole_state
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher


class Running:
    """The output of a cipher from its first bit, from what a load has left in ``reading`` on."""

    def __init__(self, cipher: SteppedCipher, reading: Windows | WholeRegisters) -> None:
        self._cipher, self._reading = cipher, reading
        for phase in cipher.phases:
            reading.set_controls(phase.controls)
            self.skip(phase.steps)
        reading.set_controls(())

    def content(self, register: str) -> int:
        """The present content of a register, as its number in the Verilog."""
        return self._reading.content(register)

    def skip(self, steps: int) -> None:
        """Run ``steps`` steps and discard their output."""
        for width in self._widths(steps):
            self._reading.advance(width)

    def read(self, bits: int) -> bytes:
        """The next ``bits`` output bits, packed in the cipher's order, zeros to the byte."""
        data, pending, filled = bytearray(), 0, 0
        for width in self._widths(bits):
            pending |= self._reading.advance(width) << filled
            filled += width
            whole = filled // 8
            data += bitstring.to_bytes(pending, 8 * whole, self._cipher.bit_order)
            pending, filled = pending >> 8 * whole, filled % 8
        return bytes(data) + bitstring.to_bytes(pending, filled, self._cipher.bit_order)

    def _widths(self, steps: int) -> Iterator[int]:
        """``steps`` divided into the most that the reading makes at once, and the rest."""
        width = self._reading.at_once
        for _ in range(steps // width):
            yield width
        if steps % width:
            yield steps % width


class Model(Running):
    """The output of one cipher under one key and IV, from its first bit; see
    `headwater.kinds.reading.Keystream`."""

    def __init__(
        self, cipher: SteppedCipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        match cipher:
            case ShiftRegisterCipher():
                super().__init__(cipher, Windows(cipher, *cipher.input_bits(key, iv, iv_bits)))
            case ClockedCipher():
                lanes = cipher.load_lanes(key, iv, iv_bits)
                super().__init__(cipher, WholeRegisters(cipher, lanes))
            case _:
                raise TypeError(f"{type(cipher).__name__} has no reading with integers")


def from_state(cipher: ShiftRegisterCipher | ClockedCipher, state: bytes) -> Running:
    """The output of a cipher from a whole state on. A setup of zeros comes before it: what it
    leaves in registers that are no part of the state, every setup does."""
    reading: Windows | WholeRegisters
    match cipher:
        case ShiftRegisterCipher():
            reading = Windows(cipher, [0] * cipher.key_bits, [0] * cipher.iv_bits[-1])
        case ClockedCipher():
            reading = WholeRegisters(cipher, [[0] * cipher.load_steps] * cipher.lane_count)
    running, places = Running(cipher, reading), whole_state(cipher)
    assert places is not None
    for name, content in places.contents(state).items():
        reading.set_content(name, content)
    return running


def memories_of(cipher: SteppedCipher) -> tuple[Memory, ...]:
    """The memories of a cipher; only those of words can have some."""
    return cipher.memories if isinstance(cipher, WordCipher) else ()


class Contents:
    """Contents of registers and memories, in the order of a description."""

    def __init__(self, registers: Sequence[Register | Memory], contents: Iterable[int]) -> None:
        self._places = {register.name: place for place, register in enumerate(registers)}
        self._state = [*contents]

    def content(self, register: str) -> int:
        """The present content of a register."""
        return self._state[self._places[register]]

    def set_content(self, register: str, value: int) -> None:
        """Put a value into a register."""
        self._state[self._places[register]] = value


class Windows(Contents):
    """The state of a shift-register cipher. A window is a register shifted down to a stage."""

    def __init__(self, cipher: ShiftRegisterCipher, key: Sequence[int], iv: Sequence[int]) -> None:
        self._cipher = cipher
        loaded = cipher.loaded_state(key, iv).values()
        super().__init__(
            cipher.registers, (sum(bit << n for n, bit in enumerate(bits)) for bits in loaded)
        )
        self._controls: dict[str, int] = {}
        self._rewriting: list[str] = []
        natural = cipher.natural_radix
        self.at_once = natural - natural % 8 or natural
        """The most steps that are made at once, whole bytes where possible."""

    def set_controls(self, ones: Collection[str]) -> None:
        """Choose the controls that are one in the following steps."""
        self._controls = {name: -(name in ones) for name in self._cipher.controls}
        self._rewriting = [name for name in self._cipher.rewrites if name in ones]

    def advance(self, width: int) -> int:
        """Run ``width`` steps at once; return their output, oldest bit at bit 0. Windows are not
        cut to width: the bits above have no meaning and are masked at the end."""
        if self._rewriting:
            return sum(self._rewritten_step() << number for number in range(width))
        return self._advance(width)

    def _rewritten_step(self) -> int:
        """One step that begins with a rewriting."""
        registers = self._cipher.registers
        for control in self._rewriting:
            words = {
                register.name: IntegerWord(value, register.length)
                for register, value in zip(registers, self._state, strict=True)
            }
            words |= self._cipher.rewritten(control, words)
            self._state = [words[register.name].value for register in registers]
        return self._advance(1)

    def _advance(self, width: int) -> int:
        mask = (1 << width) - 1
        registers = self._cipher.registers
        windows = map(_window, registers, self._state)
        output, entering = self._cipher.step(unnamed, *windows, **self._controls)
        self._state = [
            value >> width | (entering[register.name] & mask) << register.length - width
            for register, value in zip(registers, self._state, strict=True)
        ]
        return output & mask


class WholeRegisters(Contents):
    """The state of a cipher whose step reads and writes whole registers, one word for each, loaded
    with the bits of all lanes."""

    at_once = 64
    """The most steps of one call: more would not be quicker."""

    def __init__(self, cipher: ClockedCipher | WordCipher, lanes: Sequence[Sequence[int]]) -> None:
        self._cipher = cipher
        self._enter = _load_step(cipher)
        held: list[Register | Memory] = [*cipher.registers, *memories_of(cipher)]
        super().__init__(held, [0] * len(held))
        self._memories = len(held) - len(cipher.registers)
        for step, bits in enumerate(zip(*lanes, strict=True), start=-len(lanes[0])):
            ones = [name for name in cipher.controls if cipher.control_at(name, step)]
            self.enter(sum(bit << lane for lane, bit in enumerate(bits)), ones)
        self.set_controls(())

    def enter(self, bits: int, ones: Collection[str]) -> int:
        """Run one step with a bit for each lane, that of the first lane lowest; return its output.
        A load that has steps of its own makes none: then zero."""
        controls = [int(name in ones) for name in self._cipher.controls]
        count = len(self._state) - self._memories
        words = self._enter(*self._state[:count], *controls, bits)
        self._state[:count] = words[-count:]
        return words[0] if len(words) > count else 0

    def set_controls(self, ones: Collection[str]) -> None:
        """Choose the controls that are one in the following steps."""
        self._step = _running_step(self._cipher, frozenset(ones))

    def advance(self, width: int) -> int:
        """Run ``width`` steps; return their output, oldest bit at bit 0."""
        outputs = [self.step() for _ in range(width)]
        return sum(output << number for number, output in enumerate(outputs))

    def step(self) -> int:
        """Run one step in which nothing enters; return its output."""
        output, *self._state = self._step(*self._state)
        return output


@lru_cache(maxsize=64)
def _running_step(cipher: ClockedCipher | WordCipher, ones: frozenset[str]) -> Function:
    """A step in which nothing enters and these controls are one, as a function of the registers. It
    gives the output and the next content of each register."""
    constants = dict(cipher.constants)
    constants |= {name: IntegerWord(int(name in ones), 1) for name in cipher.controls}
    if isinstance(cipher, ClockedCipher):
        constants["entering"] = IntegerWord(0, cipher.lane_count)

    memories = memories_of(cipher)

    def circuit(*state: Word, **others: Word) -> list[Word]:
        contents = {
            one.name: WholeMemory(others.pop(one.name), one.words, one.bits) for one in memories
        }
        output, after = cipher.step(unnamed, *state, **others, **contents)
        return [output, *_in_order(cipher, after), *(after[one.name].content for one in memories)]

    contents = {one.name: one.words * one.bits for one in memories}
    return written(circuit, _widths(cipher), contents, constants)


@lru_cache(maxsize=64)
def _load_step(cipher: ClockedCipher | WordCipher) -> Function:
    """A step of the load, as a function of registers, controls and entering bits. It gives the next
    content of each register, behind the output where the load takes steps of the running cipher."""

    def circuit(*state: Word, **others: Word) -> list[Word]:
        if isinstance(cipher, WordCipher):
            return _in_order(cipher, cipher.load.enter(unnamed, *state, **others))
        output, after = cipher.step(unnamed, *state, **others)
        return [output, *_in_order(cipher, after)]

    others = dict.fromkeys(cipher.controls, 1) | {"entering": cipher.lane_count}
    return written(circuit, _widths(cipher), others, cipher.constants)


def _widths(cipher: SteppedCipher) -> dict[str, int]:
    return {register.name: register.length for register in cipher.registers}


def _in_order(cipher: SteppedCipher, after: Mapping[str, Word]) -> list[Word]:
    return [after[register.name] for register in cipher.registers]


def _window(register: Register, value: int) -> Callable[[int], int]:
    oldest = register.oldest
    if register.newest < oldest:
        return lambda stage: value >> oldest - stage
    return lambda stage: value >> stage - oldest
