# SPDX-License-Identifier: Apache-2.0
"""A counter that costs one gate: a maximal-length shift register whose states are the count."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from amaranth.hdl import Array, Cat, Const, Signal, Value

from headwater.core.naming import equals


@lru_cache
def counter_taps(width: int) -> tuple[int, ...]:
    """Bits whose XNOR, shifted in at bit 0, walks through all ``2**width - 1`` states from zero.
    The fewest taps that do this. The state of all ones is left out. ``width`` is at least 2."""
    for count in (2, 4):
        for lower in combinations(range(width - 1), count - 1):
            taps = (*lower, width - 1)
            if _period(width, taps) == (1 << width) - 1:
                return taps
    raise AssertionError(f"no maximal-length shift register of {width} bits")


def counter_states(width: int, count: int) -> list[int]:
    """The first ``count`` states of the counter."""
    taps, states = counter_taps(width), [0]
    while len(states) < count:
        states.append(_next(states[-1], width, taps))
    return states


def following(count: Value) -> Value:
    """The state after that of a counting register."""
    return Cat(~Cat(count[tap] for tap in counter_taps(len(count))).xor(), count[:-1])


def reached(count: Signal, number: int, name: str) -> Value:
    """Whether a counting register has counted ``number``; ``name`` is this value's in the
    Verilog."""
    return equals(count, counter_states(len(count), number + 1)[number], name)


def state_after(count: Signal, number: Value, most: int) -> Value:
    """The state of a counting register after ``number`` counts, which are at most ``most``."""
    states = counter_states(len(count), most + 1)
    return Value.cast(Array(Const(state, len(count)) for state in states)[number])


def counter_width(states: int) -> int:
    """Bits that a counter of ``states`` states needs."""
    return max(2, states.bit_length())


def _next(state: int, width: int, taps: tuple[int, ...]) -> int:
    ones = sum(state >> tap & 1 for tap in taps)
    return (state << 1 | (ones + 1) % 2) & ((1 << width) - 1)


def _period(width: int, taps: tuple[int, ...]) -> int:
    state, steps = _next(0, width, taps), 1
    while state and steps < 1 << width:
        state, steps = _next(state, width, taps), steps + 1
    return steps
