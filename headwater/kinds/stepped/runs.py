# SPDX-License-Identifier: Apache-2.0
"""A description read with many runs side by side: bit n of every integer belongs to run n."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import Word, unnamed
from headwater.cipher.description import Cipher
from headwater.errors import InputError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher

Place = tuple[str, int]
"""A register and one of its stages, as the paper numbers it."""

BitCipher = ShiftRegisterCipher | ClockedCipher
RunCipher = BitCipher | WordCipher
"""What can be read side by side: it goes in steps, and each gives a bit or a word."""


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


def is_read(cipher: Cipher) -> bool:
    """Whether a cipher can be read side by side."""
    return isinstance(cipher, RunCipher) and not getattr(cipher, "memories", ())


def run_cipher(cipher: Cipher) -> RunCipher:
    """The cipher, if it can be read side by side.

    Raises
    ------
    InputError
        If it cannot.
    """
    if not isinstance(cipher, RunCipher) or not is_read(cipher):
        raise InputError(
            "cipher must have registers and no memory, and give a bit or a word of keystream in "
            f"each step, not {cipher.name!r}"
        )
    return cipher


def places(cipher: RunCipher) -> dict[str, list[Place]]:
    """By register, its stages in the order of the bits of its word in hardware."""
    positions = {}
    for register in cipher.registers:
        way = 1 if register.oldest >= register.newest else -1
        stages = [*range(register.newest, register.oldest + way, way)]
        if isinstance(cipher, ShiftRegisterCipher):
            stages.reverse()
        positions[register.name] = [(register.name, stage) for stage in stages]
    return positions


def numbers(cipher: RunCipher) -> dict[Place, int]:
    """The place of each stage in the word of its register in hardware."""
    return {place: bit for stages in places(cipher).values() for bit, place in enumerate(stages)}


def first_bit_first(cipher: RunCipher, word: Sequence[Any]) -> list[Any]:
    """What a step gives, in the order of the keystream."""
    turned = isinstance(cipher, WordCipher) and cipher.first_bit_on_top
    return [*reversed(word)] if turned else [*word]


def filled_up(cipher: RunCipher, iv: Sequence[Any], zero: Any) -> list[Any]:
    """The IV with zeros to the longest legal length, where a load has one length."""
    padding = [zero] * (0 if cipher.any_length else cipher.iv_bits[-1] - len(iv))
    behind = isinstance(cipher, WordCipher) and cipher.load.zeros_last
    return [*iv, *padding] if behind else [*padding, *iv]


def without_filling(cipher: RunCipher, iv: Sequence[Any], length: int) -> Sequence[Any]:
    """The IV of a length that `filled_up` makes longer."""
    behind = isinstance(cipher, WordCipher) and cipher.load.zeros_last
    return iv[:length] if behind else iv[-length:]


def loaded(
    cipher: RunCipher, key: Sequence[Any], iv: Sequence[Any], zero: Any
) -> Mapping[str, Sequence[Any]]:
    """The bits of each register when the load is over, in the order of `places`; ``zero`` is a bit
    of the type of those of key and IV. The load is no sequence of steps of the cipher."""
    assert not isinstance(cipher, ClockedCipher)
    iv = filled_up(cipher, iv, zero)
    if isinstance(cipher, ShiftRegisterCipher):
        return cipher.loaded_state(key, iv)
    lanes = cipher.entering_lanes(key, iv)
    steps = max(map(len, lanes))
    filled = [[zero] * (steps - len(lane)) + [*lane] for lane in lanes]
    words = {one.name: SymbolicWord((0,) * one.length) for one in cipher.registers}
    for step, bits in enumerate(zip(*filled, strict=True), start=-steps):
        ones = [name for name in cipher.controls if cipher.control_at(name, step)]
        after = cipher.load.enter(
            unnamed, *words.values(), entering=SymbolicWord(bits), **_others(cipher, ones)
        )
        words = {one.name: after[one.name] for one in cipher.registers}
    return {name: word.bits for name, word in words.items()}


def _others(cipher: ClockedCipher | WordCipher, ones: Collection[str]) -> dict[str, Word]:
    """Controls and constants of a step."""
    controls = {name: SymbolicWord((int(name in ones),)) for name in cipher.controls}
    constants = {name: SymbolicWord.of(word) for name, word in cipher.constants.items()}
    return {**controls, **constants}


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
        self, cipher: RunCipher, key: Sequence[int], iv: Sequence[int], count: int
    ) -> None:
        self.cipher, self._mask = cipher, (1 << count) - 1
        self._step_number = 0
        strings = [Bit(bit) for bit in key], [Bit(bit) for bit in iv]
        self._words = {one.name: [0] * one.length for one in cipher.registers}
        if isinstance(cipher, ClockedCipher):
            self._inject(cipher, strings[0], filled_up(cipher, strings[1], Bit(0)))
        else:
            self._words = {
                name: [*map(_value, bits)]
                for name, bits in loaded(cipher, *strings, Bit(0)).items()
            }
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

    def step(self) -> list[int]:
        """Make a step; gives the bits of its output in every run, the first one first."""
        cipher, number = self.cipher, self._step_number
        self._step_number += 1
        ones = [name for name in cipher.controls if cipher.control_at(name, number)]
        if isinstance(cipher, ShiftRegisterCipher):
            return [self._shift(cipher, ones)]
        if isinstance(cipher, ClockedCipher):
            return [self._move(cipher, [Bit(0)] * cipher.lane_count, ones)]
        output, after = cipher.step(unnamed, *self._symbols(), **_others(cipher, ones))
        self._set(after)
        return first_bit_first(cipher, [_value(bit) & self._mask for bit in output.bits])

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
        others = _others(cipher, ones)
        output, after = cipher.step(
            unnamed, *self._symbols(), entering=SymbolicWord(tuple(entering)), **others
        )
        self._set(after)
        return _value(output.bits[0]) & self._mask

    def _symbols(self) -> list[SymbolicWord]:
        """The registers as a step reads them."""
        return [
            SymbolicWord(tuple(map(Bit, self._words[one.name]))) for one in self.cipher.registers
        ]

    def _set(self, after: Mapping[str, SymbolicWord]) -> None:
        self._words = {
            one.name: [*map(_value, after[one.name].bits)] for one in self.cipher.registers
        }
        self._mask_words()

    def _mask_words(self) -> None:
        mask = self._mask
        self._words = {name: [bit & mask for bit in word] for name, word in self._words.items()}
