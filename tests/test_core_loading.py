# SPDX-License-Identifier: Apache-2.0
"""The derived load plan, executed with symbols: from any state, at every width."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.grain import GRAIN_V1
from headwater.cipher.register import Register
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.kinds.registry import build, facts_of, properties_of
from headwater.kinds.stepped.description import Placed
from headwater.kinds.stepped.load_sums import LoadSum
from headwater.kinds.stepped.loading import (
    Constant,
    Plan,
    Stage,
    Sum,
    Word,
    cycles_to_zero,
    load_plan,
)
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import is_kept
from headwater.verify.segments import Segment

WIDTHS = range(1, 161)
PLACED = [cipher for cipher in CATALOGUE.values() if isinstance(cipher, ShiftRegisterCipher)]
State = dict[str, list[Any]]


def unknown(*name: object) -> LoadSum:
    """A bit that nothing is known of."""
    return LoadSum(frozenset({name}))  # type: ignore[arg-type]


def dirty_state(cipher: ShiftRegisterCipher = TRIVIUM) -> State:
    """Every bit an unknown of its own."""
    return {
        register.name: [unknown("dirty", register.name, place) for place in range(register.length)]
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
            case Sum(parts, inverted):
                return reduce(xor, map(taken, parts), constant(inverted))
        raise AssertionError(source)

    return {name: [taken(source) for source in sources] for name, sources in plan.items()}


def zero(_: int) -> int:
    return 0


def assert_loads(cipher: ShiftRegisterCipher, width: int) -> None:
    plan, cycles = load_plan(cipher, width), cipher.load_cycles(width)
    key = [unknown("key", index) for index in range(cipher.key_bits)]
    iv = [unknown("iv", index) for index in range(cipher.iv_bits[-1])]
    each = width // cipher.lane_count
    lanes = [
        [unknown("spare", number) for number in range(cycles * each - len(lane))] + list(lane)
        for lane in cipher.entering_lanes(key, iv)
    ]

    state = dirty_state(cipher)
    for cycle in range(cycles):
        word = [bit for lane in lanes for bit in lane[cycle * each : (cycle + 1) * each]]
        state = load_cycle(plan, state, word.__getitem__)

    expected = cipher.loaded_state(key, iv)
    assert state == {name: list(map(simplest, bits)) for name, bits in expected.items()}


def simplest(bit: Any) -> Any:
    """A sum of nothing is a constant."""
    return bit.inverted if isinstance(bit, LoadSum) and not bit.bits else bit


@pytest.mark.parametrize("width", WIDTHS)
def test_load_leaves_the_loaded_state_and_nothing_else(width: int) -> None:
    assert_loads(TRIVIUM, width)


@pytest.mark.parametrize("cipher", PLACED, ids=lambda cipher: cipher.name)
def test_every_placed_cipher_at_every_load_width(cipher: ShiftRegisterCipher) -> None:
    lanes = cipher.lane_count
    widths = tuple(range(lanes, lanes * cipher.shortest_lane + 1, lanes))
    assert cipher.legal_load_widths(1) == widths
    for width in widths:
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


# --- loads that add


def load_both(key: Any, iv: Any) -> dict[str, list[Any]]:
    """The sum in one register, with an IV that begins anew at its end, and the inverted key."""
    mixed = [k ^ v for k, v in zip(key, [*iv, *iv[:16]], strict=True)]
    return {"b": mixed, "s": [*[~bit for bit in key[:79]], ~key[79] ^ mixed[0] ^ mixed[0]]}


def load_sum_alone(key: Any, iv: Any) -> dict[str, list[Any]]:
    """Neither of them alone anywhere."""
    return {"b": [*[k ^ v for k, v in zip(key, iv, strict=False)], *key[64:]], "s": [1, 0] * 40}


def load_sum_turned(key: Any, iv: Any) -> dict[str, list[Any]]:
    """As above, with the IV turned round: what comes after its end is needed before it."""
    return load_sum_alone(key, [*iv[5:], *iv[:5]])


def load_alone(key: Any, iv: Any) -> dict[str, list[Any]]:
    """No sum but an inverted bit."""
    return {"b": [*key[:-1], ~key[-1]], "s": [*iv, *[1] * 16]}


def load_product(key: Any, iv: Any) -> dict[str, list[Any]]:
    return {"b": [k & v for k, v in zip(key, [*iv, *iv[:16]], strict=True)], "s": [0] * 80}


def adding(load: Any, **others: Any) -> ShiftRegisterCipher:
    return replace(GRAIN_V1, name=load.__name__, load=Placed(load), **others)


ADDING = [adding(load) for load in (load_both, load_sum_alone, load_sum_turned, load_alone)]


@pytest.mark.parametrize("cipher", ADDING, ids=lambda cipher: cipher.name)
def test_every_legal_width_of_a_load_that_adds(cipher: ShiftRegisterCipher) -> None:
    for width in cipher.legal_load_widths(1):
        assert_loads(cipher, width)
        plan = load_plan(cipher, width)
        state = dirty_state(cipher)
        for _ in range(cycles_to_zero(plan)):
            assert any(bit != 0 for bits in state.values() for bit in bits)
            state = load_cycle(plan, state, zero, zero)
        assert all(bit == 0 for bits in state.values() for bit in bits)


def test_lanes_of_a_load_that_adds() -> None:
    """One bit a cycle where that can be, else side by side, else all at once."""
    both, alone, turned, inverted = ADDING
    assert (inverted.lane_count, inverted.legal_load_widths(1)) == (1, tuple(range(1, 145)))
    assert (both.lane_count, both.legal_load_widths(1)) == (2, tuple(range(2, 129, 2)))
    assert (alone.lane_count, alone.legal_load_widths(1)) == (2, tuple(range(2, 129, 2)))
    assert (alone.load_steps, alone.default_load_width(8)) == (80, 16)
    assert (turned.lane_count, turned.legal_load_widths(1)) == (1, (144,))
    assert Architecture.choose(turned, radix=1).load_width == 144
    with pytest.raises(InputError, match="load width of load_sum_turned must be 144, not 8"):
        Architecture.choose(turned, radix=1, load_width=8)


def test_given_lanes_are_kept() -> None:
    wide = adding(load_sum_alone, lanes=lambda key, iv: ([*key, *iv],))
    assert wide.lane_count == 1
    assert wide.legal_load_widths(1) == (144,)
    assert_loads(wide, 144)


def test_some_load_of_any_length_is_whole_words() -> None:
    """At every legal width, and at no other one."""
    ciphers = [one for one in CATALOGUE.values() if getattr(one, "any_length", False)]
    assert len(ciphers) == 7
    for cipher in ciphers:
        loads = [cipher.key_bits + bits for bits in cipher.iv_bits]
        whole = [
            width for width in range(1, max(loads) + 1) if any(load % width == 0 for load in loads)
        ]
        assert cipher.legal_load_widths(1) == tuple(whole)
    with pytest.raises(InputError, match="load width of achterbahn must be one of 1, 2, 3, 4, "):
        Architecture.choose(CATALOGUE["achterbahn"], load_width=77)


def test_what_a_load_cannot_be() -> None:
    with pytest.raises(InputError, match="a load must add bits of key and IV with \\^ and ~ alone"):
        adding(load_product).legal_load_widths(1)
    lost = adding(load_sum_alone, lanes=lambda key, iv: (key, iv[1:]))
    with pytest.raises(InputError, match="every bit of key and IV; iv bit 0 is missing"):
        lost.legal_load_widths(1)


@pytest.mark.parametrize(
    ("number", "radix", "width"), [(0, 4, 4), (0, 1, 34), (1, 3, 6), (2, 1, 144), (3, 2, 5)]
)
def test_a_load_that_adds_is_proven(number: int, radix: int, width: int) -> None:
    cipher = ADDING[number]
    made = Architecture.choose(cipher, radix=radix, load_width=width)
    load = next(one for one in properties_of(cipher, made) if one.name == "load")
    assert is_kept(load, build(cipher, made), cipher)


@pytest.mark.parametrize("cipher", ADDING, ids=lambda cipher: cipher.name)
def test_a_core_whose_load_adds_gives_the_model_s_keystream(cipher: ShiftRegisterCipher) -> None:
    segment = Segment(bytes(range(10)), bytes(range(8)), 0, 200, 64)
    expected = ModelEngine(cipher).run([segment])
    for radix, width in ((1, None), (7, None)):
        made = Architecture.choose(cipher, radix=radix, load_width=width)
        assert list(RtlEngine(cipher, made).run([segment])) == list(expected)


@pytest.mark.parametrize(
    ("name", "radix", "doubled"),
    [
        ("trivium", 8, False),
        ("trivium", 16, True),
        ("bivium", 16, False),
        ("bivium", 32, True),
        ("grain128a", 32, False),
    ],
)
def test_a_load_of_many_bits_has_two_registers_which_synthesis_keeps(
    name: str, radix: int, doubled: bool, tiny: Library, folder: Path
) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=radix)
    assert (facts_of(cipher, architecture).far_loaded is not None) is doubled
    made = generate(cipher, architecture)
    netlist = map_to_cells(made.text, made.name, tiny, folder).verilog
    assert ("loading_copy" in netlist) is doubled
