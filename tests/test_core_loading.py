# SPDX-License-Identifier: Apache-2.0
"""The derived load plan, executed with symbols: from any state, at every width."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.register import Register
from headwater.cipher.trivium import TRIVIUM
from headwater.kinds.stepped.description import Placed
from headwater.kinds.stepped.loading import Constant, Plan, Stage, Word, cycles_to_zero, load_plan
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

WIDTHS = range(1, 161)
PLACED = [cipher for cipher in CATALOGUE.values() if isinstance(cipher, ShiftRegisterCipher)]
State = dict[str, list[Any]]


def dirty_state(cipher: ShiftRegisterCipher = TRIVIUM) -> State:
    """Every bit an unknown of its own."""
    return {
        register.name: [("dirty", register.name, place) for place in range(register.length)]
        for register in cipher.registers
    }


def load_cycle(
    plan: Plan, state: State, word: Callable[[int], Any], constant: Callable[[int], Any] = int
) -> State:
    """The state after one cycle of a plan."""

    def taken(source: object) -> Any:
        match source:
            case Word(bit):
                return word(bit)
            case Stage(register, place):
                return state[register][place]
            case Constant(value):
                return constant(value)
        raise AssertionError(source)

    return {name: [taken(source) for source in sources] for name, sources in plan.items()}


def zero(_: int) -> int:
    return 0


def assert_loads(cipher: ShiftRegisterCipher, width: int) -> None:
    plan, cycles = load_plan(cipher, width), cipher.load_cycles(width)
    key = [("key", index) for index in range(cipher.key_bits)]
    iv = [("iv", index) for index in range(cipher.iv_bits[-1])]
    each = width // cipher.lane_count
    lanes = [
        [("spare", number) for number in range(cycles * each - len(lane))] + list(lane)
        for lane in cipher.lanes(key, iv)
    ]

    state = dirty_state(cipher)
    for cycle in range(cycles):
        word = [bit for lane in lanes for bit in lane[cycle * each : (cycle + 1) * each]]
        state = load_cycle(plan, state, word.__getitem__)

    assert state == cipher.loaded_state(key, iv)


@pytest.mark.parametrize("width", WIDTHS)
def test_load_leaves_the_loaded_state_and_nothing_else(width: int) -> None:
    assert_loads(TRIVIUM, width)


@pytest.mark.parametrize("cipher", PLACED, ids=lambda cipher: cipher.name)
def test_every_placed_cipher_at_every_load_width(cipher: ShiftRegisterCipher) -> None:
    lanes = cipher.lane_count
    for width in range(lanes, lanes * cipher.shortest_lane + 1, lanes):
        assert_loads(cipher, width)


# Its registers count their stages downwards, hold key and IV mixed and in both directions, and
# more constants in a row than a load has cycles to shift in.
ODD_CIPHER = replace(
    TRIVIUM,
    key_bits=5,
    iv_bits=(8,),
    registers=(Register("x", newest=49, oldest=0), Register("y", newest=1, oldest=13)),
    load=Placed(
        lambda key, iv: {
            "x": [*[0] * 20, 1, *key, *reversed(iv), 0, *[1] * 15],
            "y": [iv[3], 1, *reversed(iv[:3]), *key[2:4], *[0] * 6],
        }
    ),
)


@pytest.mark.parametrize("width", range(1, 14))
def test_load_of_a_state_with_long_runs_of_constants(width: int) -> None:
    assert_loads(ODD_CIPHER, width)


@pytest.mark.parametrize("width", WIDTHS)
def test_zeros_flush_the_state_in_just_so_many_cycles(width: int) -> None:
    plan = load_plan(TRIVIUM, width)
    state = dirty_state()
    for _ in range(cycles_to_zero(plan) - 1):
        state = load_cycle(plan, state, zero, zero)
    assert any(bit != 0 for bits in state.values() for bit in bits)
    state = load_cycle(plan, state, zero, zero)
    assert all(bit == 0 for bits in state.values() for bit in bits)


@pytest.mark.parametrize("width", WIDTHS)
def test_plan_reads_nothing_that_is_not_there(width: int) -> None:
    lengths = {register.name: register.length for register in TRIVIUM.registers}
    plan = load_plan(TRIVIUM, width)
    assert {name: len(sources) for name, sources in plan.items()} == lengths
    for source in (source for sources in plan.values() for source in sources):
        match source:
            case Word(bit):
                assert 0 <= bit < width
            case Stage(register, place):
                assert 0 <= place < lengths[register]
            case Constant(value):
                assert value in (0, 1)


def test_serial_load_shifts_through_the_registers() -> None:
    plan = load_plan(TRIVIUM, 1)
    shifted = {
        (name, place)
        for name, sources in plan.items()
        for place, source in enumerate(sources)
        if source == Stage(name, place + 1)
    }
    elsewhere = {
        (name, place): source
        for name, sources in plan.items()
        for place, source in enumerate(sources)
        if (name, place) not in shifted
    }
    # The key follows the IV through b into a; zeros enter c, and its last three stages are ones.
    assert elsewhere == {
        ("a", 92): Stage("b", 4),
        ("a", 12): Constant(0),
        ("b", 83): Word(0),
        ("b", 3): Constant(0),
        ("c", 110): Constant(0),
        ("c", 2): Constant(1),
    }


def test_parallel_load_takes_every_bit_from_the_word() -> None:
    plan = load_plan(TRIVIUM, 160)
    # Register bit 13 is s80 = K1, the first bit of the load string.
    assert plan["a"][13:] == tuple(Word(index) for index in range(80))
    assert plan["b"][4:] == tuple(Word(index) for index in range(80, 160))
    constants = [*plan["a"][:13], *plan["b"][:4], *plan["c"]]
    assert constants == [Constant(0)] * 17 + [Constant(1)] * 3 + [Constant(0)] * 108
    assert cycles_to_zero(plan) == 1
