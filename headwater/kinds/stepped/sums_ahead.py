# SPDX-License-Identifier: Apache-2.0
"""The circuit of sums that are made in two parts, one of them a cycle ahead; see `ahead`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from operator import and_, xor
from typing import Any

from amaranth.hdl import Const, Module, Signal, Value

from headwater.algebra.polynomial import Polynomial
from headwater.core.function import FunctionNaming
from headwater.kinds.stepped.ahead import parts_ahead
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

Window = Callable[[str, int], Value]
"""The bits of a register from a stage on."""


class SumsAhead:
    """The parts of sums that are made a cycle ahead, in registers. With ``kept`` a reset leaves
    them as they are."""

    def __init__(
        self, cipher: ShiftRegisterCipher, radix: int, load_width: int, *, kept: bool
    ) -> None:
        self._cipher, self._radix = cipher, radix
        self._parts = parts_ahead(cipher, radix, load_width)
        names = _names_of_sums(cipher)
        self.registers = {
            place: Signal(radix, name=f"{names[place]}_ahead", reset_less=kept)
            for place in self._parts
        }
        """By the place of the sum among those that a step names."""

    def naming(
        self, m: Module, suffix: str, whole: Collection[str], window: Window
    ) -> FunctionNaming:
        """The names of one evaluation of the step, whose windows are given."""
        rests = {place: parts.rest for place, parts in self._parts.items()}
        return _Completing(m, suffix, whole, rests, self.registers, window)

    def following(self, state: Mapping[str, Value]) -> Mapping[int, Value]:
        """What the registers become when ``state`` moves on by a radix."""
        return self._made(state, self._radix)

    def present(self, state: Mapping[str, Value]) -> Mapping[int, Value]:
        """What the registers must be beside ``state``."""
        return self._made(state, 0)

    def _made(self, state: Mapping[str, Value], higher: int) -> dict[int, Value]:
        places = {register.name: register.position for register in self._cipher.registers}

        def window(name: str, stage: int) -> Value:
            first = places[name](stage) + higher
            return state[name][first : first + self._radix]

        return {
            place: sum_of(parts.ahead, window, self._radix) for place, parts in self._parts.items()
        }


def sum_of(terms: Polynomial, window: Window, width: int, start: Sequence[Value] = ()) -> Value:
    """The sum of some products of windows of ``width`` bits, and of what is given to ``start``
    with."""
    products = [
        reduce(and_, (window(*variable) for variable in sorted(term)))
        for term in sorted(terms.monomials, key=sorted) if term
    ]  # fmt: skip
    total = reduce(xor, [*start, *products] or [Const(0, width)])
    return ~total if frozenset() in terms.monomials else total


def _names_of_sums(cipher: ShiftRegisterCipher) -> list[str]:
    """The names that a step gives, in its order."""
    found: list[str] = []

    def wire(value: Any, name: str = "") -> Any:
        found.append(name or Signal(src_loc_at=1).name)
        return value

    cipher.read_step(wire)
    return found


class _Completing(FunctionNaming):
    """Names of a step, of which some sums are the part that was made ahead and the rest."""

    def __init__(
        self, m: Module, suffix: str, whole: Collection[str], rests: Mapping[int, Polynomial],
        registers: Mapping[int, Signal], window: Window,
    ) -> None:  # fmt: skip
        super().__init__(m, suffix, whole)
        self._rests, self._registers, self._window = rests, registers, window
        self._place = 0

    def __call__(self, value: Value, name: str = "") -> Signal:
        """A signal for a value; see `Naming`."""
        place, self._place = self._place, self._place + 1
        if place in self._rests:
            value = sum_of(self._rests[place], self._window, len(self._registers[place]),
                           [self._registers[place]])  # fmt: skip
        return super().__call__(value, name or Signal(src_loc_at=1).name)
