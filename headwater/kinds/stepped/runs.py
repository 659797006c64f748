# SPDX-License-Identifier: Apache-2.0
"""A description read with many runs side by side: bit n of every integer belongs to run n."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from headwater.algebra.word import SymbolicWord, unnamed
from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

Place = tuple[str, int]
"""A register and one of its stages, as the paper numbers it."""

BitCipher = ShiftRegisterCipher | ClockedCipher


class Bit:
    """A bit in every run. Above the last run an integer means nothing, as `~` makes ones there."""

    __slots__ = ("value",)

    def __init__(self, value: int) -> None:
        self.value = value

    def __xor__(self, other: Any) -> Bit:
        return Bit(self.value ^ _value(other))

    def __and__(self, other: Any) -> Bit:
        return Bit(self.value & _value(other))

    def __or__(self, other: Any) -> Bit:
        return Bit(self.value | _value(other))

    def __invert__(self) -> Bit:
        return Bit(~self.value)

    __rxor__, __rand__, __ror__ = __xor__, __and__, __or__


def _value(bit: Any) -> int:
    """The integer of a bit; a constant is the same in every run."""
    value: int = bit.value if isinstance(bit, Bit) else -(bit & 1)
    return value


def is_of_bits(cipher: Cipher) -> bool:
    """Whether the registers of a cipher are of bits, and each step gives a bit."""
    return isinstance(cipher, ShiftRegisterCipher | ClockedCipher)


def bit_cipher(cipher: Cipher) -> BitCipher:
    """The cipher, if it is one of registers of bits that gives a bit in each step.

    Raises
    ------
    InputError
        If it is none.
    """
    if not isinstance(cipher, ShiftRegisterCipher | ClockedCipher):
        raise InputError(
            f"cipher must have registers of bits and give a bit of keystream in each step, "
            f"not {cipher.name!r}"
        )
    return cipher


def places(cipher: BitCipher) -> dict[str, list[Place]]:
    """By register, its stages in the order of the bits of its word in hardware."""
    found = {}
    for register in cipher.registers:
        way = 1 if register.oldest >= register.newest else -1
        stages = [*range(register.newest, register.oldest + way, way)]
        if isinstance(cipher, ShiftRegisterCipher):
            stages.reverse()
        found[register.name] = [(register.name, stage) for stage in stages]
    return found


class Runs:
    """Runs of one cipher, from the end of their load on.

    Parameters
    ----------
    cipher
        The description.
    key, iv
        The first key and IV bit first, an integer for each: bit n is that of run n.
    count
        Number of runs.
    """

    def __init__(
        self, cipher: BitCipher, key: Sequence[int], iv: Sequence[int], count: int
    ) -> None:
        self.cipher, self._mask = cipher, (1 << count) - 1
        self._step_number = 0
        padded = [0] * (0 if cipher.any_length else cipher.iv_bits[-1] - len(iv)) + [*iv]
        strings = [Bit(bit) for bit in key], [Bit(bit) for bit in padded]
        if isinstance(cipher, ShiftRegisterCipher):
            loaded = cipher.loaded_state(*strings)
            self._words = {name: [*map(_value, bits)] for name, bits in loaded.items()}
        else:
            self._words = {one.name: [0] * one.length for one in cipher.registers}
            self._inject(cipher, *strings)
        self._mask_words()

    def _inject(self, cipher: ClockedCipher, key: list[Bit], iv: list[Bit]) -> None:
        lanes = cipher.entering_lanes(key, iv)
        steps = max(map(len, lanes))
        filled = [[Bit(0)] * (steps - len(lane)) + [*lane] for lane in lanes]
        for step, bits in enumerate(zip(*filled, strict=True), start=-steps):
            ones = [name for name in cipher.controls if cipher.control_at(name, step)]
            self._move(cipher, bits, ones)

    def state(self) -> dict[Place, int]:
        """Each stage as it is before the next step."""
        stages = places(self.cipher)
        return {
            place: value
            for name, word in self._words.items()
            for place, value in zip(stages[name], word, strict=True)
        }

    def set_state(self, state: Mapping[Place, int], step: int) -> None:
        """Begin anew from a state, before the step of this number: negative ones are of no use."""
        self._step_number = step
        self._words = {
            name: [state[place] for place in stages] for name, stages in places(self.cipher).items()
        }

    def step(self) -> int:
        """Make a step; gives the output bit in every run."""
        cipher, number = self.cipher, self._step_number
        self._step_number += 1
        ones = [name for name in cipher.controls if cipher.control_at(name, number)]
        if isinstance(cipher, ShiftRegisterCipher):
            return self._shift(cipher, ones)
        return self._move(cipher, [Bit(0)] * cipher.lane_count, ones)

    def _shift(self, cipher: ShiftRegisterCipher, ones: Collection[str]) -> int:
        for control in cipher.rewrites:
            if control in ones:
                whole = {
                    name: SymbolicWord(tuple(map(Bit, word))) for name, word in self._words.items()
                }
                for name, word in cipher.rewritten(control, whole).items():
                    self._words[name] = [*map(_value, word.bits)]
        words = self._words
        windows = [
            lambda stage, one=register: Bit(words[one.name][one.position(stage)])
            for register in cipher.registers
        ]
        controls = {name: Bit(-(name in ones)) for name in cipher.controls}
        output, entering = cipher.step(unnamed, *windows, **controls)
        self._words = {name: [*word[1:], _value(entering[name])] for name, word in words.items()}
        self._mask_words()
        return _value(output) & self._mask

    def _move(self, cipher: ClockedCipher, entering: Sequence[Bit], ones: Collection[str]) -> int:
        words = [SymbolicWord(tuple(map(Bit, self._words[one.name]))) for one in cipher.registers]
        controls = {name: SymbolicWord((int(name in ones),)) for name in cipher.controls}
        output, after = cipher.step(
            unnamed,
            *words,
            entering=SymbolicWord(tuple(entering)),
            **controls,
            **cipher.constant_bits,
        )
        self._words = {name: [*map(_value, word.bits)] for name, word in after.items()}
        self._mask_words()
        return _value(output.bits[0]) & self._mask

    def _mask_words(self) -> None:
        mask = self._mask
        self._words = {name: [bit & mask for bit in word] for name, word in self._words.items()}
