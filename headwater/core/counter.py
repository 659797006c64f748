# SPDX-License-Identifier: Apache-2.0
"""A counter that costs one gate: a maximal-length shift register whose states are the count.

It counts from its initial value. Which one that is matters little to the counter, but much to what
asks it for a number: a few of its bits may tell the state after that number from all before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, pairwise

from amaranth.hdl import Array, Cat, Const, Signal, Value

from headwater.core.naming import equals

_SEARCHED = 13
"""The widest counter whose sets of bits are searched for the best one: there are ``2**width``, each
with as many values."""


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


def counter_states(width: int, count: int, start: int = 0) -> list[int]:
    """The first ``count`` states of the counter, from ``start`` on."""
    taps, states = counter_taps(width), [start]
    while len(states) < count:
        states.append(_next(states[-1], width, taps))
    return states


def states_of(count: Signal, number: int) -> list[int]:
    """The first ``number`` states of a counting register, from its initial value on."""
    return counter_states(len(count), number, count.init)


def following(count: Value) -> Value:
    """The state after that of a counting register."""
    return Cat(~Cat(count[tap] for tap in counter_taps(len(count))).xor(), count[:-1])


def reached(count: Signal, number: int, name: str) -> Value:
    """Whether a counting register has counted ``number``; ``name`` is this value's in the
    Verilog."""
    return equals(count, states_of(count, number + 1)[number], name)


def first_reached(count: Signal, number: int) -> Value:
    """One when a counting register has counted ``number``, zero at every number before, and
    whatever needs the fewest gates at those behind it."""
    told = _telling(count, number).items()
    return Cat(count[bit] if one else ~count[bit] for bit, one in told).all()


def first_reached_in(count: Signal, number: int, states: Iterable[int]) -> list[int]:
    """What `first_reached` is in some states of a counting register."""
    told = _telling(count, number).items()
    return [int(all(state >> bit & 1 == one for bit, one in told)) for state in states]


def _telling(count: Signal, number: int) -> dict[int, int]:
    """The bits that tell the state after ``number`` counts from those before, with their values."""
    state = states_of(count, number + 1)[number]
    return {bit: state >> bit & 1 for bit in telling_bits(len(count), number, count.init)}


def state_after(count: Signal, number: Value, most: int) -> Value:
    """The state of a counting register after ``number`` counts, which are at most ``most``."""
    states = states_of(count, most + 1)
    return Value.cast(Array(Const(state, len(count)) for state in states)[number])


def counter_width(states: int) -> int:
    """Bits that a counter of ``states`` states needs."""
    return max(2, states.bit_length())


@lru_cache
def telling_bits(width: int, number: int, start: int) -> tuple[int, ...]:
    """The fewest bits that together tell the state after ``number`` counts from those before, and
    of those the ones that read the most ones, lowest first. All bits of a very wide counter."""
    if width > _SEARCHED:
        return tuple(range(width))
    *others, here = counter_states(width, number + 1, start)
    differences = {other ^ here for other in others}
    ones_first = sorted(range(width), key=lambda bit: not here >> bit & 1)
    for size in range(width + 1):
        for bits in combinations(ones_first, size):
            mask = sum(1 << bit for bit in bits)
            if all(difference & mask for difference in differences):
                return tuple(sorted(bits))
    raise AssertionError("a counter must not have the same state twice")


@lru_cache
def best_start(width: int, last: int, earlier: int | None = None) -> int:
    """The state from which a counter best starts that is asked for the number ``last``, and for a
    smaller one. A few bits that are all one then tell ``last`` from the numbers before it. Of such
    states this is the one where the smaller number takes the fewest bits, then the fewest zeros,
    and of equal ones the highest. A very wide counter starts from zero."""
    if width > _SEARCHED:
        return 0
    starts = _starts_of_ones(width, last)
    if earlier is None:
        return starts[0]

    def cost(start: int) -> tuple[int, int, int]:
        bits = telling_bits(width, earlier, start)
        state = counter_states(width, earlier + 1, start)[earlier]
        return len(bits), sum(not state >> bit & 1 for bit in bits), -start

    return min(starts, key=cost)


def _starts_of_ones(width: int, number: int) -> list[int]:
    """The states from which the fewest bits are all one for the first time after ``number``
    counts, which are fewer than the counter has states."""
    period = (1 << width) - 1
    states = counter_states(width, period)
    places: dict[int, list[int]] = {}
    for place, state in enumerate(states):
        for mask in _parts(state):
            places.setdefault(mask, []).append(place)
    starts: dict[int, list[int]] = {}
    for mask, at in places.items():
        ends = (here for before, here in pairwise((at[-1] - period, *at)) if here - before > number)
        beginnings = [states[(end - number) % period] for end in ends]
        starts.setdefault(mask.bit_count(), []).extend(beginnings)
    return next(starts[size] for size in sorted(starts) if starts[size])


def _parts(state: int) -> Iterator[int]:
    """The sets of bits that are one in a state, as masks, without the empty one."""
    mask = state
    while mask:
        yield mask
        mask = (mask - 1) & state


def _next(state: int, width: int, taps: tuple[int, ...]) -> int:
    ones = sum(state >> tap & 1 for tap in taps)
    return (state << 1 | (ones + 1) % 2) & ((1 << width) - 1)


def _period(width: int, taps: tuple[int, ...]) -> int:
    state, steps = _next(0, width, taps), 1
    while state and steps < 1 << width:
        state, steps = _next(state, width, taps), steps + 1
    return steps
