# SPDX-License-Identifier: Apache-2.0
"""Ciphers of shift registers that all move one place per clock.

Their step function reads stages through windows, so that one reading can be many steps at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headwater.algebra.gates import GateCounter
from headwater.algebra.polynomial import Polynomial
from headwater.cipher.description import Bits
from headwater.cipher.option import Option
from headwater.cipher.register import Register
from headwater.kinds.stepped.description import Placed, SteppedCipher
from headwater.kinds.stepped.retiming import retiming

FORM = Option(
    "form",
    ("fibonacci", "galois"),
    "fibonacci: feedback enters at one end; galois: feedback enters in parts at several "
    "stages, for speed",
)
OUTPUT = Option(
    "output",
    ("plain", "split"),
    "plain: the output is one sum; split: the output is fed back in parts, and comes out "
    "of a pipeline",
)

Window = Callable[[int], Bits]
"""A register as a step sees it: called with a stage number, it gives that stage's bits."""


@dataclass(frozen=True, kw_only=True)
class ShiftRegisterCipher(SteppedCipher):
    """A cipher made of shift registers.

    ``step(wire, *windows, **controls)`` is one clock, or several at once where no window reaches a
    bit that they make: it returns the output and what enters each register. ``wire(value)``
    gives a value a name of its own: that of the variable it is assigned to. Controls are given by
    name, as wide as the windows. Use ``^ & | ~`` alone.
    """

    load: Placed

    @property
    def max_radix(self) -> int:
        """Widest radix offered: as many bits per cycle as the state has."""
        return self.state_bits

    def legal_radices(self) -> tuple[int, ...]:
        """Every radix that is offered."""
        return tuple(range(1, self.max_radix + 1))

    @property
    def options(self) -> tuple[Option, ...]:
        """Those of every core, and the form of the feedback."""
        output = (OUTPUT,) if self.feeds_output_back else ()
        return (*super().options, FORM, *output)

    def check_choices(self, radix: int, load_width: int, options: Mapping[str, str]) -> None:
        """Refuse a form in which nothing moves at this radix."""
        super().check_choices(radix, load_width, options)
        retiming(self, radix, options.get("form", ""), options.get("output", ""))

    @cached_property
    def feedback(self) -> tuple[Polynomial, Mapping[str, Polynomial]]:
        """The step read with symbols: output, and what enters each register, over variables
        (register, stage) and (control, 0)."""

        def window(register: Register) -> Window:
            return lambda stage: Polynomial.variable(register.name, stage)

        controls = {name: Polynomial.variable(name, 0) for name in self.controls}
        return self.step(lambda value: value, *map(window, self.registers), **controls)

    @cached_property
    def equations(self) -> tuple[Polynomial, Mapping[str, Mapping[int, Polynomial]]]:
        """Output, and what the entrance of each register becomes once the cipher runs."""
        output, entering = self.feedback
        zero = frozenset((name, 0) for name in self.controls)
        newest = {register.name: register.newest for register in self.registers}
        return output.without(zero), {
            name: {newest[name]: function.without(zero)} for name, function in entering.items()
        }

    @cached_property
    def gates(self) -> Counter[str]:
        """Two-input gates of one step as the description writes it."""
        counter = GateCounter()
        windows = [lambda _stage: counter.bit() for _ in self.registers]
        self.step(lambda value: value, *windows, **{name: counter.bit() for name in self.controls})
        return counter.gates

    @property
    def feeds_output_back(self) -> bool:
        """Whether a control lets the output into the feedback during the setup."""
        output, entering = self.feedback
        return any(
            term | {(control, 0)} in function.monomials
            for term in output.monomials
            for control in self.controls
            for function in entering.values()
        )

    @cached_property
    def natural_radix(self) -> int:
        """Widest radix at which no step reads a bit made in the same cycle.

        A stage that is the ``n``-th from the entrance still holds old bits for ``n`` steps.
        """
        output, entering = self.feedback
        return self._steps_before_new_bits(output, *entering.values())

    @cached_property
    def output_lookahead(self) -> int:
        """Steps that the output alone can be computed ahead without any new bit."""
        return self._steps_before_new_bits(self.feedback[0])

    def _steps_before_new_bits(self, *functions: Polynomial) -> int:
        entrance = {register.name: register.newest for register in self.registers}
        stages = [variable for function in functions for variable in function.variables]
        return min(abs(stage - entrance[name]) + 1 for name, stage in stages if name in entrance)

    def loaded_state(self, key: Sequence[Any], iv: Sequence[Any]) -> dict[str, list[Any]]:
        """Each register's content after a load, oldest bit first."""
        content = self.load.content(key, iv)
        return {
            register.name: register.oldest_first(content[register.name])
            for register in self.registers
        }
