# SPDX-License-Identifier: Apache-2.0
"""The counter goes through all its states, each once."""

from __future__ import annotations

from itertools import combinations

import pytest
from amaranth.hdl import Module, Signal
from amaranth.sim import Simulator, SimulatorContext

from headwater.core.counter import (
    best_start,
    counter_states,
    counter_taps,
    counter_width,
    first_reached,
    first_reached_in,
    telling_bits,
)

WIDTHS = range(2, 15)


@pytest.mark.parametrize("width", WIDTHS)
def test_all_states_but_all_ones(width: int) -> None:
    ones = (1 << width) - 1
    states = counter_states(width, ones)
    assert states[0] == 0
    assert set(states) == set(range(ones))
    assert len(states) == ones


@pytest.mark.parametrize("width", WIDTHS)
def test_next_state_shifts_in_the_xnor_of_the_taps(width: int) -> None:
    taps = counter_taps(width)
    states = counter_states(width, (1 << width) - 1)
    for now, then in zip(states, [*states[1:], states[0]], strict=True):
        parity = sum(now >> tap & 1 for tap in taps) % 2
        assert then == (now << 1) % (1 << width) + (1 - parity)


@pytest.mark.parametrize("width", WIDTHS)
def test_taps(width: int) -> None:
    taps = counter_taps(width)
    assert len(taps) in (2, 4)
    assert sorted(set(taps)) == list(taps)
    assert taps[-1] == width - 1


def test_two_taps_where_two_do() -> None:
    # Degrees up to 14 for which a primitive trinomial exists.
    few = {width for width in WIDTHS if len(counter_taps(width)) == 2}
    assert few == {2, 3, 4, 5, 6, 7, 9, 10, 11}


def test_width_is_enough_and_not_more() -> None:
    for states in range(1, 5000):
        width = counter_width(states)
        assert states <= (1 << width) - 1
        assert width == 2 or states > (1 << width - 1) - 1


@pytest.mark.parametrize("count", [1, 2, 3])
def test_as_many_states_as_asked_for(count: int) -> None:
    assert counter_states(2, count) == [0b00, 0b01, 0b10][:count]


def _alike(states: list[int], bits: tuple[int, ...]) -> list[int]:
    """The places of states that are the last one as far as these bits go."""
    mask = sum(1 << bit for bit in bits)
    return [place for place, state in enumerate(states) if not (state ^ states[-1]) & mask]


@pytest.mark.parametrize("width", [2, 3, 5, 6])
def test_telling_bits_tell_a_number_from_those_before_and_fewer_do_not(width: int) -> None:
    for start in range((1 << width) - 1):
        for number in range((1 << width) - 1):
            states = counter_states(width, number + 1, start)
            bits = telling_bits(width, number, start)
            assert _alike(states, bits) == [number]
            fewer = combinations(range(width), len(bits) - 1) if bits else ()
            assert all(len(_alike(states, some)) > 1 for some in fewer)


@pytest.mark.parametrize("width", [2, 4, 7, 9])
def test_the_last_number_is_told_by_the_fewest_bits_of_ones(width: int) -> None:
    def ones(start: int, number: int) -> int:
        """Bits that are all one for the first time after this number, at least; many if none."""
        states = counter_states(width, number + 1, start)
        sizes = (
            size
            for size in range(1, width + 1)
            for bits in combinations(range(width), size)
            if all(states[-1] >> bit & 1 for bit in bits) and len(_alike(states, bits)) == 1
        )
        return next(sizes, width + 1)

    last = (1 << width) - 1 - (1 << width) // 4
    starts = range((1 << width) - 1)
    fewest = min(ones(start, last) for start in starts)
    for earlier in (None, 1, last // 3):
        assert ones(best_start(width, last, earlier), last) == fewest


def test_a_second_number_is_told_by_few_bits() -> None:
    """Trivium, one bit per cycle: 160 load words and 1152 blank cycles."""
    start = best_start(11, 1311, 159)
    assert len(telling_bits(11, 1311, start)) <= 8
    assert len(telling_bits(11, 159, start)) <= 6
    assert len(telling_bits(11, 1311, 0)) + len(telling_bits(11, 159, 0)) > 14


@pytest.mark.parametrize("number", [0, 1, 20, 61])
def test_what_tells_a_number_in_any_state(number: int) -> None:
    count, m, told, seen = Signal(6, init=best_start(6, number)), Module(), Signal(), list[int]()
    states = counter_states(6, 63, count.init)
    m.d.comb += told.eq(first_reached(count, number))
    simulator = Simulator(m)

    async def look(context: SimulatorContext) -> None:
        for state in states:
            context.set(count, state)
            seen.append(context.get(told))

    simulator.add_testbench(look)
    simulator.run()
    assert seen == first_reached_in(count, number, states)
    assert seen[: number + 1] == [0] * number + [1]


def test_a_very_wide_counter_is_not_searched() -> None:
    """There are as many sets of bits as states, each with as many values."""
    assert best_start(30, 1_000_000_000, 7) == 0
    assert telling_bits(30, 1_000_000_000, 0) == tuple(range(30))
