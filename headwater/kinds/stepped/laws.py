# SPDX-License-Identifier: Apache-2.0
"""Properties of a step, which the description of a stepped cipher may state of itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from headwater.algebra.word import Word
from headwater.cipher.law import Law, equal

if TYPE_CHECKING:
    from headwater.kinds.stepped.description import SteppedCipher

State = Mapping[str, Word]


@dataclass(frozen=True)
class StepLaw(Law):
    """A property of two states and their successors in the running cipher: ``holds(one, after_one,
    other, after_other)``."""

    def words_of(self, cipher: SteppedCipher) -> Mapping[str, int]:
        """The registers of two states."""
        return {f"{name}_{register.name}": register.length
                for name in ("one", "other") for register in cipher.registers}  # fmt: skip

    def bit(self, cipher: SteppedCipher, wire: Any, words: Mapping[str, Word]) -> Word:
        """The bit that must be one for any two states."""
        both = []
        for name in ("one", "other"):
            state = {register.name: words[f"{name}_{register.name}"]
                     for register in cipher.registers}  # fmt: skip
            # What the setup alone uses is over, and may hold anything.
            both += [_running(cipher, one) for one in (state, _after(cipher, wire, state))]
        return self.holds(*both)


def _running(cipher: SteppedCipher, state: State) -> State:
    """The registers of the running cipher."""
    return {register.name: state[register.name]
            for register in cipher.registers if not register.setup_only}  # fmt: skip


def _after(cipher: SteppedCipher, wire: Any, state: State) -> State:
    """The state after a step of the running cipher."""
    # A description is read without the hardware that this needs.
    from headwater.kinds.stepped.unrolling import unroll

    return unroll(wire.m, cipher, state, radix=1, at_once=1).after(1)


def _same(one: State, other: State) -> Word:
    return reduce(and_, (equal(one[name], other[name]) for name in one))


def _no_two_alike(one: State, after_one: State, other: State, after_other: State) -> Word:
    return ~_same(after_one, after_other) | _same(one, other)


def _stays_off_zero(one: State, after_one: State, _other: State, _after_other: State) -> Word:
    zeros = {name: word ^ word for name, word in one.items()}
    return ~_same(after_one, zeros) | _same(one, zeros)


BIJECTIVE = StepLaw("bijective", "no two states have the same successor", _no_two_alike)

NEVER_ZERO = StepLaw("never_zero", "no other state than zero becomes zero", _stays_off_zero)
