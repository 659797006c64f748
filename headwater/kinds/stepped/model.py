# SPDX-License-Identifier: Apache-2.0
"""The model: a description read with integers. The golden reference, and a fast keystream."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from headwater.algebra import bitstring
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher


class Model:
    """The output of one cipher under one key and IV, from its first bit; see
    `headwater.kinds.reading.Keystream`."""

    def __init__(
        self, cipher: SteppedCipher, *, key: bytes, iv: bytes, iv_bits: int | None = None
    ) -> None:
        self._cipher = cipher
        self._reading: Windows | WholeRegisters
        match cipher:
            case ShiftRegisterCipher():
                self._reading = Windows(cipher, *cipher.input_bits(key, iv, iv_bits))
            case ClockedCipher():
                self._reading = WholeRegisters(cipher, cipher.load_lanes(key, iv, iv_bits))
            case _:
                raise TypeError(f"{type(cipher).__name__} has no reading with integers")
        for phase in cipher.phases:
            self._reading.set_controls(phase.controls)
            self.skip(phase.steps)
        self._reading.set_controls(())

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
        """``steps`` divided into the largest legal widths, whole bytes where possible."""
        natural = self._cipher.natural_radix
        width = natural - natural % 8 or natural
        for _ in range(steps // width):
            yield width
        if steps % width:
            yield steps % width


class Windows:
    """The state of a shift-register cipher. A window is a register shifted down to a stage."""

    def __init__(self, cipher: ShiftRegisterCipher, key: Sequence[int], iv: Sequence[int]) -> None:
        self._cipher = cipher
        self._state = [
            sum(bit << place for place, bit in enumerate(bits))
            for bits in cipher.loaded_state(key, iv).values()
        ]
        self._controls: dict[str, int] = {}
        self._rewriting: list[str] = []

    def set_controls(self, ones: Collection[str]) -> None:
        """Choose the controls that are one in the following steps."""
        self._controls = {name: -(name in ones) for name in self._cipher.controls}
        self._rewriting = [name for name in self._cipher.rewrites if name in ones]

    def content(self, register: str) -> int:
        """The present content of a register."""
        return self._state[self._index(register)]

    def advance(self, width: int) -> int:
        """Run ``width`` steps at once; return their output, oldest bit at bit 0. Windows are not
        cut to width: the bits above have no meaning and are masked at the end."""
        if self._rewriting:
            return sum(self._rewritten_step() << number for number in range(width))
        return self._advance(width)

    def set_content(self, register: str, value: int) -> None:
        """Put a value into a register."""
        self._state[self._index(register)] = value

    def _index(self, register: str) -> int:
        return [one.name for one in self._cipher.registers].index(register)

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


class WholeRegisters:
    """The state of a cipher whose step reads and writes whole registers, one word for each, loaded
    with the bits of all lanes."""

    def __init__(self, cipher: ClockedCipher | WordCipher, lanes: Sequence[Sequence[int]]) -> None:
        self._cipher = cipher
        self._state = {one.name: IntegerWord(0, one.length) for one in cipher.registers}
        self._step: Callable[..., tuple[IntegerWord, Mapping[str, IntegerWord]]] = cipher.step
        if isinstance(cipher, ClockedCipher):
            self._step = partial(cipher.step, entering=IntegerWord(0, cipher.lane_count))
        for step, bits in enumerate(zip(*lanes, strict=True), start=-len(lanes[0])):
            self.set_controls({name for name in cipher.controls if cipher.control_at(name, step)})
            self._enter(IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), len(bits)))

    def set_controls(self, ones: Collection[str]) -> None:
        """Choose the controls that are one in the following steps."""
        controls = {name: IntegerWord(int(name in ones), 1) for name in self._cipher.controls}
        self._operands = {**controls, **self._cipher.constants}

    def content(self, register: str) -> int:
        """The present content of a register."""
        return self._state[register].value

    def advance(self, width: int) -> int:
        """Run ``width`` steps; return their output, oldest bit at bit 0."""
        return sum(self.step() << number for number in range(width))

    def step(self) -> int:
        """Run one step in which nothing enters; return its output."""
        output, after = self._step(unnamed, *self._state.values(), **self._operands)
        self._state = {name: after[name] for name in self._state}
        return output.value

    def _enter(self, word: IntegerWord) -> None:
        """Run one step of the load."""
        operands = {"entering": word, **self._operands}
        match self._cipher:
            case ClockedCipher():
                _, after = self._cipher.step(unnamed, *self._state.values(), **operands)
            case WordCipher():
                after = self._cipher.load.enter(unnamed, *self._state.values(), **operands)
        self._state = {name: after[name] for name in self._state}


def _window(register: Register, value: int) -> Callable[[int], int]:
    oldest = register.oldest
    if register.newest < oldest:
        return lambda stage: value >> oldest - stage
    return lambda stage: value >> stage - oldest
