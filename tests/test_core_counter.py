# SPDX-License-Identifier: Apache-2.0
"""The counter goes through all its states, each once."""

from __future__ import annotations

import pytest

from headwater.core.counter import counter_states, counter_taps, counter_width

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
