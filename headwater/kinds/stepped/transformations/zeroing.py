# SPDX-License-Identifier: Apache-2.0
"""Zeros before a load that adds to them, without a reset of every bit.

Key and IV enter a state of zeros. If nothing resets it, what it held must leave while the first
load words enter. In these cycles a bit that is a sum takes only what enters it, which is right as
long as no bit of the load has come to where the sum reads. A bit that takes another one follows it;
in a long row of such bits one in so many takes a zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from headwater.algebra.polynomial import Polynomial, Variable, as_polynomial
from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import unnamed
from headwater.cipher.option import Option

if TYPE_CHECKING:
    from headwater.kinds.stepped.clocked import ClockedCipher

ZEROING = Option(
    "zeroing",
    ("reset", "shift"),
    "reset: the state is zero as soon as the core is idle; shift: zeros are shifted in with the "
    "first load words",
    "A reset costs a gate on every bit of state in standard cells, and nothing on most FPGAs. "
    "Choose shift for standard cells.",
    unsaid=True,
)
"""How a state becomes zero to which the load adds."""

_ENTERING = ""
"""The name of the variables that are bits of a load word; registers have others."""


@dataclass(frozen=True)
class Zeroing:
    """What makes the state zero while the first load words enter. Bits are given by register and
    place in its word."""

    cycles: int
    """Load cycles in which it is done."""
    taken: Mapping[Variable, int | None]
    """The bits that do not follow the step in these cycles, each with the bit of the load word
    that it takes, or None for zero."""
    reached: Mapping[Variable, int]
    """Load cycles after which a bit may be another one than zero, where these are no more."""
    left: Mapping[Variable, int]
    """Load cycles after which what a bit held before has left it."""

    @classmethod
    @lru_cache
    def of(cls, cipher: ClockedCipher, load_width: int) -> Zeroing | None:
        """That with the fewest bits in ``taken``; None if even two cycles are too many."""
        cycles = _cycles(cipher, load_width)
        candidates = (_zeroing(cycles[:count]) for count in range(2, len(cycles)))
        return min(filter(None, candidates), key=lambda one: len(one.taken), default=None)


@dataclass(frozen=True)
class _Next:
    """What a bit takes in a load cycle."""

    read: frozenset[Variable]
    """Bits of the state."""
    moves: bool
    """Whether it is one of these, as it is."""
    entering: Polynomial
    """What it is in a state of zeros, of bits of the load word by their places."""


_Cycle = Mapping[Variable, _Next]


def _zeroing(cycles: Sequence[_Cycle]) -> Zeroing | None:
    """Zeroing in these first cycles of a load; None if a bit would have to read the load, or would
    not take one bit of it or zero."""
    gated = _gated(cycles)
    reached, left = _reached(cycles), _left(cycles, gated)
    for number, cycle in enumerate(cycles):
        read = frozenset().union(*(cycle[bit].read for bit in gated))
        if any(reached.get(bit, len(cycles)) <= number for bit in read):
            return None
    entering = {bit: {cycle[bit].entering for cycle in cycles} for bit in gated}
    if not left or any(len(term) > 1 or not _is_a_bit(*term) for term in entering.values()):
        return None
    taken = {
        bit: next((place for _, place in term.variables), None) for bit, (term,) in entering.items()
    }
    return Zeroing(len(cycles), taken, reached, left)


def _gated(cycles: Sequence[_Cycle]) -> frozenset[Variable]:
    """The bits that must not follow the step: those that are made of others, and in a row of bits
    that move on one in as many as there are cycles."""
    places: dict[Variable, int] = {}

    def place_in_row(bit: Variable) -> int:
        if bit not in places:
            places[bit] = 0
            if before := _moved_on(bit, cycles):
                places[bit] = (place_in_row(before) + 1) % len(cycles)
        return places[bit]

    return frozenset(
        bit
        for bit in cycles[0]
        if not place_in_row(bit) and any(cycle[bit].read for cycle in cycles)
    )


def _moved_on(bit: Variable, cycles: Sequence[_Cycle]) -> Variable | None:
    """The bit that moves on to this one in all cycles, if there is one."""
    first = cycles[0][bit]
    if not first.moves or any(cycle[bit] != first for cycle in cycles):
        return None
    return next(iter(first.read))


def _left(cycles: Sequence[_Cycle], gated: Set[Variable]) -> Mapping[Variable, int]:
    """Cycles after which what a bit held before has left it; empty if it does not leave all."""
    old, left = set(cycles[0]), dict[Variable, int]()
    for number, cycle in enumerate(cycles, start=1):
        old = {bit for bit in cycle.keys() - gated if cycle[bit].read & old}
        left = dict.fromkeys(cycle.keys() - old, number) | left
    return {} if old else left


def _reached(cycles: Sequence[_Cycle]) -> Mapping[Variable, int]:
    """Cycles after which a bit may be another one than zero, for the first time."""
    reached: dict[Variable, int] = {}
    for number, cycle in enumerate(cycles, start=1):
        others = [
            bit
            for bit, takes in cycle.items()
            if takes.entering.monomials or takes.read & reached.keys()
        ]
        reached = dict.fromkeys(others, number) | reached
    return reached


def _is_a_bit(value: Polynomial) -> bool:
    """Whether it is a single variable, or zero."""
    return not value.monomials or len(value.monomials) == len(value.variables) == 1


def _cycles(cipher: ClockedCipher, load_width: int) -> list[_Cycle]:
    """What each bit takes in each cycle of a load."""
    steps, total = load_width // cipher.lane_count, cipher.load_cycles(load_width)
    controls = [
        frozenset(name for name in cipher.controls if cipher.control_at(name, step))
        for step in range(-total * steps, 0)
    ]
    cycles = [tuple(controls[first : first + steps]) for first in range(0, total * steps, steps)]
    known = {ones: _cycle(cipher, ones) for ones in set(cycles)}
    return [known[ones] for ones in cycles]


def _cycle(cipher: ClockedCipher, controls: Sequence[Set[str]]) -> _Cycle:
    """What each bit takes in a cycle of steps with these controls."""
    bits = [_variables(one.name, range(one.length)) for one in cipher.registers]
    zeros = [SymbolicWord((0,) * one.length) for one in cipher.registers]
    read = {bit: (frozenset([bit]), True) for bit in _by_place(cipher, bits)}
    for number, ones in enumerate(controls):
        places = range(number, cipher.lane_count * len(controls), len(controls))
        symbols = {name: SymbolicWord((int(name in ones),)) for name in cipher.controls}
        step = partial(
            cipher.step,
            unnamed,
            entering=_variables(_ENTERING, places),
            **symbols,
            **cipher.constant_bits,
        )
        after, after_zeros = step(*bits)[1], step(*zeros)[1]
        zeros = [after_zeros[one.name] for one in cipher.registers]
        functions = _by_place(cipher, [after[one.name] for one in cipher.registers])
        read = {bit: _through(function, read) for bit, function in functions.items()}
    entered = _by_place(cipher, zeros)
    return {bit: _Next(*read[bit], entered[bit]) for bit in read}


def _variables(name: str, places: range) -> SymbolicWord:
    return SymbolicWord(tuple(Polynomial.variable(name, place) for place in places))


def _by_place(cipher: ClockedCipher, words: Sequence[SymbolicWord]) -> dict[Variable, Polynomial]:
    """The bits of all registers, by register and place."""
    return {
        (register.name, place): as_polynomial(bit)
        for register, word in zip(cipher.registers, words, strict=True)
        for place, bit in enumerate(word.bits)
    }


def _through(
    function: Polynomial, read: Mapping[Variable, tuple[frozenset[Variable], bool]]
) -> tuple[frozenset[Variable], bool]:
    """What a function of the state after some steps reads of the state before them."""
    state = [variable for variable in function.variables if variable[0] != _ENTERING]
    if state and function == Polynomial.variable(*state[0]):
        return read[state[0]]
    return frozenset().union(*(read[variable][0] for variable in state)), False
