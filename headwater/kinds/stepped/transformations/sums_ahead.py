# SPDX-License-Identifier: Apache-2.0
"""The circuit of sums that are made in two parts, one of them a cycle ahead; see `ahead`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from amaranth.hdl import Module, Signal, Value

from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.sums import Sums, names_of_sums, shorter_sums, sum_of
from headwater.kinds.stepped.transformations.ahead import parts_ahead
from headwater.kinds.stepped.transformations.transformation import Transformation

if TYPE_CHECKING:
    from headwater.kinds.stepped.core import SteppedCore


class SumsAhead(Transformation):
    """The parts of sums that are made a cycle ahead, in registers. With ``kept`` a reset leaves
    them as they are."""

    def __init__(
        self, cipher: ShiftRegisterCipher, radix: int, load_width: int, *, kept: bool
    ) -> None:
        self._cipher, self._radix = cipher, radix
        self._parts = parts_ahead(cipher, radix, load_width)
        names = names_of_sums(cipher)
        self.registers = {
            place: Signal(radix, name=f"{names[place]}_ahead", reset_less=kept)
            for place in self._parts
        }
        """By the place of the sum among those that a step names."""
        self.secrets = tuple(self.registers.values())

    @property
    def sums(self) -> Sums:
        """How the sums of the step are written: the rest of each added to its register."""
        rests = {place: parts.rest for place, parts in self._parts.items()}
        return Sums({**shorter_sums(self._cipher), **rests}, self.registers)

    def move(self, m: Module, core: SteppedCore) -> None:
        """Make the parts for the next cycle."""
        with m.If(core.enable):
            for place, value in self.following(core.state).items():
                m.d.sync += self.registers[place].eq(value)
        core.session.clear_at_once(m, self.secrets)

    def are_right(self, core: SteppedCore) -> Value:
        """Whether the parts are what the present state gives, from the end of the load on."""
        meant = self.present(core.state)
        right = (self.registers[place] == value for place, value in meant.items())
        return core.loading | reduce(and_, right)

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
