# SPDX-License-Identifier: Apache-2.0
"""Where an early step reads zeros before its first step.

The step is decided from what the registers hold in the next cycle, which is zero before a load. The
reset of the registers does not show there, so each bit that is read needs a gate. Where it costs
nothing, the gate stands before the register: a bit that few others decide has an input left in its
lookup table, and what reads the bit has one input less.
"""

from __future__ import annotations

from dataclasses import dataclass

from headwater.algebra.polynomial import Polynomial, Variable, as_polynomial
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import unnamed
from headwater.kinds.stepped.clocked import ClockedCipher

_INPUTS = 4
"""Inputs of the smallest lookup tables."""


@dataclass(frozen=True)
class EarlyMasks:
    """Which gates an early step needs, and where. Bits are given by register and place."""

    before: frozenset[Variable]
    """Bits that have their gate before the register."""
    controls: frozenset[str]
    """Controls that have a gate."""
    without: frozenset[Variable]
    """Bits that have none: they are read in products with such a control alone."""

    @classmethod
    def of(cls, cipher: ClockedCipher) -> EarlyMasks:
        """The gates of a cipher's early step, from its polynomials. Gates of the bits that one
        decision reads are moved before the registers if all can be."""
        room = _with_room(cipher)
        before: set[Variable] = set()
        behind: set[Variable] = set()
        masking: set[str] = set()
        masked: set[Variable] = set()
        decisions = _reads(cipher)
        needed = frozenset().union(*(reads.controls for reads in decisions if reads.matter))
        for reads in decisions:
            by_control = reads.alone <= room and not reads.controlled <= room
            if by_control and not reads.controls & needed:
                before |= reads.alone
                masking |= reads.controls
                masked |= reads.controlled
            elif reads.alone | reads.controlled <= room:
                before |= reads.alone | reads.controlled
            else:
                behind |= reads.alone | reads.controlled
        return cls(frozenset(before), frozenset(masking), frozenset(masked - before - behind))


@dataclass(frozen=True)
class _Reads:
    """What one decision reads."""

    alone: frozenset[Variable]
    """Bits of registers in terms without a control."""
    controlled: frozenset[Variable]
    """Bits of registers in terms with a control."""
    controls: frozenset[str]
    matter: bool
    """Whether controls matter while the registers are zero."""


def _reads(cipher: ClockedCipher) -> list[_Reads]:
    controls = frozenset(map(_control, cipher.controls))
    entering = _variables("", cipher.lane_count)
    operands = {
        name: SymbolicWord((Polynomial.variable(*_control(name)),)) for name in cipher.controls
    }
    decided = cipher.early.decide(unnamed, *_words(cipher), entering=entering, **operands)
    return [_reads_of(as_polynomial(*decided[name].bits), controls) for name in cipher.early.names]


def _reads_of(function: Polynomial, controls: frozenset[Variable]) -> _Reads:
    alone = function.without(controls)
    controlled = function ^ alone
    bits = frozenset(variable for variable in function.variables - controls if variable[0])
    return _Reads(
        alone=alone.variables & bits,
        controlled=controlled.variables & bits,
        controls=frozenset(name for name, _ in controlled.variables & controls),
        matter=bool(controlled.without(bits).monomials),
    )


def _with_room(cipher: ClockedCipher) -> frozenset[Variable]:
    """Bits whose next value is found from fewer others than a lookup table has inputs."""
    decided = {name: SymbolicWord((Polynomial.variable(name, 0),)) for name in cipher.early.names}
    moved = cipher.early.move(unnamed, *_words(cipher), **decided, **cipher.constant_bits)
    return frozenset(
        (name, place)
        for name, word in moved.items()
        for place, bit in enumerate(word.bits)
        if len(as_polynomial(bit).variables) < _INPUTS
    )


def _words(cipher: ClockedCipher) -> list[SymbolicWord]:
    """The registers, of variables by register and place."""
    return [_variables(register.name, register.length) for register in cipher.registers]


def _variables(name: str, count: int) -> SymbolicWord:
    return SymbolicWord(tuple(Polynomial.variable(name, place) for place in range(count)))


def _control(name: str) -> Variable:
    """The variable of a control, which no register has."""
    return name, -1
