# SPDX-License-Identifier: Apache-2.0
"""Properties of a step, which the description of a stepped cipher may state of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial, reduce
from operator import and_

from headwater.algebra.word import IntegerWord, Wire, Word, concatenate
from headwater.cipher.law import Law, equal
from headwater.cipher.register import Register
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.word_cipher import WordCipher

State = Mapping[str, Word]


@dataclass(frozen=True)
class StepLaw(Law):
    """A property of two states and their successors in the running cipher: ``holds(one, after_one,
    other, after_other)``."""

    def words_of(self, cipher: SteppedCipher) -> Mapping[str, int]:
        """The registers of two states."""
        return {
            f"{name}_{register.name}": register.length
            for name in ("one", "other")
            for register in cipher.registers
        }

    def bit(self, cipher: SteppedCipher, wire: Wire, words: Mapping[str, Word]) -> Word:
        """The bit that must be one for any two states."""
        both = []
        for name in ("one", "other"):
            state = {
                register.name: words[f"{name}_{register.name}"] for register in cipher.registers
            }
            # What the setup alone uses is over, and may hold anything.
            both += [_running(cipher, one) for one in (state, _after(cipher, wire, state))]
        return self.holds(*both)


def _running(cipher: SteppedCipher, state: State) -> State:
    """The registers of the running cipher."""
    return {
        register.name: state[register.name]
        for register in cipher.registers
        if not register.setup_only
    }


def _after(cipher: SteppedCipher, wire: Wire, state: State) -> State:
    """The state after a step of the running cipher."""
    words = [state[register.name] for register in cipher.registers]
    zero = words[0][0] ^ words[0][0]
    controls = dict.fromkeys(cipher.controls, zero)
    if isinstance(cipher, ShiftRegisterCipher):
        windows = (
            partial(_stage, register, word)
            for register, word in zip(cipher.registers, words, strict=True)
        )
        _, entering = cipher.step(wire, *windows, **controls)
        return {name: concatenate(word[1:], entering[name]) for name, word in state.items()}
    assert isinstance(cipher, ClockedCipher | WordCipher)
    others: dict[str, Word] = dict(cipher.constants)
    if isinstance(cipher, ClockedCipher):
        others = {name: _of_bits(word, zero) for name, word in others.items()}
        others["entering"] = zero.replicate(cipher.lane_count)
    _, after = cipher.step(wire, *words, **controls, **others)
    return after


def _of_bits(constant: IntegerWord, zero: Word) -> Word:
    """A constant in the reading of ``zero``, a bit."""
    return concatenate(
        *(~zero if constant.value >> place & 1 else zero for place in range(constant.width))
    )


def _stage(register: Register, word: Word, stage: int) -> Word:
    return word[register.position(stage)]


def _same(one: State, other: State) -> Word:
    return reduce(and_, (equal(one[name], other[name]) for name in one))


def _no_two_alike(one: State, after_one: State, other: State, after_other: State) -> Word:
    return ~_same(after_one, after_other) | _same(one, other)


def _stays_off_zero(one: State, after_one: State, _other: State, _after_other: State) -> Word:
    zeros = {name: word ^ word for name, word in one.items()}
    return ~_same(after_one, zeros) | _same(one, zeros)


BIJECTIVE = StepLaw("bijective", "no two states have the same successor", _no_two_alike)

NEVER_ZERO = StepLaw("never_zero", "no other state than zero becomes zero", _stays_off_zero)
