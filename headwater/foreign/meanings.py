# SPDX-License-Identifier: Apache-2.0
"""What a flip-flop of a core may hold, and which does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, xor
from typing import Any

from headwater.foreign.search import Model, Reading
from headwater.foreign.session import Trace
from headwater.kinds.stepped.runs import Place

OUTPUT = ""
"""Stands for the output in place of a register's name."""

Term = tuple[str, int, int]
"""Register, stage and a number of steps: that stage so many steps later. Of the output: OUTPUT, the
number of the bit in what a step gives, the first one 0, and a number of steps, which is negative
for output that was made before."""

_WINDOW = 130
"""Cycles in which flip-flops are compared at most. So many steps fill the longest register of
zeros."""


@dataclass(frozen=True)
class Meaning:
    """What a flip-flop holds: the sum of its terms, or the product of such sums, inverted or
    not."""

    terms: frozenset[Term]
    inverted: bool = False
    factors: tuple[Meaning, ...] = ()
    """Of a product, whose terms are those of all factors."""

    def of(self, value: Callable[[Term], Any], constant: Callable[[int], Any]) -> Any:
        """What it is where ``value`` gives the terms and ``constant`` a 0 or 1: integers with a bit
        for each run, signals or polynomials."""
        parts = (
            [reduce(and_, (one.of(value, constant) for one in self.factors))]
            if self.factors
            else map(value, sorted(self.terms))
        )
        return reduce(xor, parts, constant(int(self.inverted)))

    def __str__(self) -> str:
        text = " + ".join(sorted(map(_shown, self.terms)))
        if self.factors:
            texts = sorted(map(str, self.factors), reverse=True)
            text = " AND ".join(f"({one})" if " + " in one else one for one in texts)
        return f"not {text}" if self.inverted else text


def _shown(term: Term) -> str:
    register, stage, later = term
    if register == OUTPUT:
        name = f"output bit {stage}" if stage else "output"
        return f"{name} {later:+d}" if later else name
    return f"{register}({stage})" + (f" in {later} steps" if later else "")


@dataclass(frozen=True)
class Alignment:
    """The state before a cycle is that before a step, and each cycle makes ``radix`` steps."""

    trace: Trace
    reading: Reading
    model: Model
    radix: int
    cycle: int
    step: int
    until: int
    """The last cycle in which the core is known to run so."""

    def step_at(self, cycle: int) -> int:
        """The step whose state a cycle begins with."""
        return self.step + self.radix * (cycle - self.cycle)

    def value(self, term: Term, cycle: int) -> int | None:
        """A term in all runs before a cycle; None where the description was not followed."""
        register, stage, later = term
        step = self.step_at(cycle) + later
        if not 0 <= step < len(self.model.outputs):
            return None
        if register == OUTPUT:
            return self.model.outputs[step][stage]
        return self.model.states[step][register, stage]

    @property
    def last_cycle(self) -> int:
        """The last cycle in which every term is known."""
        steps = len(self.model.outputs) - self.step - 2 * self.radix - 1
        return min(self.cycle + steps // self.radix, self.until, len(self.trace.states) - 1)


@dataclass
class StateMap:
    """The meaning of flip-flops, by their number; others are control, or of no known meaning."""

    alignment: Alignment
    meanings: dict[int, Meaning] = field(default_factory=dict)
    control: list[int] = field(default_factory=list)
    """Flip-flops that are the same whatever key and IV are."""
    counters: list[int] = field(default_factory=list)
    """Flip-flops that hold state bits which are the same whatever key and IV are."""
    derived: list[int] = field(default_factory=list)
    """Flip-flops that are taken to hold what the core's own logic makes of the state one cycle
    before."""
    free: list[int] = field(default_factory=list)
    """Flip-flops that depend on key and IV, and have no known meaning."""

    @property
    def window(self) -> range:
        """The cycles in which flip-flops are compared."""
        first = self.alignment.cycle
        last = min(self.alignment.last_cycle, first + _WINDOW)
        return range(first, max(first + 1, last))

    def places(self) -> set[Place]:
        """The state bits that some flip-flop holds by itself or inverted."""
        return {
            (register, stage)
            for meaning in self.meanings.values()
            if len(meaning.terms) == 1
            for register, stage, later in meaning.terms
            if register != OUTPUT and not later
        }

    def count(self) -> Counter[str]:
        """How many flip-flops hold what sort of meaning."""
        return Counter(_sort(one) for one in self.meanings.values())


def _sort(meaning: Meaning) -> str:
    if meaning.factors:
        return "product"
    if len(meaning.terms) > 1:
        return "sum"
    ((register, _, later),) = meaning.terms
    if register == OUTPUT:
        return "output"
    return "shifted" if later else "inverted" if meaning.inverted else "equal"
