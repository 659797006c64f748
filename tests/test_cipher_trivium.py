# SPDX-License-Identifier: Apache-2.0
"""What follows from the description of Trivium, against the numbers of its papers."""

from __future__ import annotations

import re

import pytest

from headwater.algebra.polynomial import Polynomial
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.register import Register
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.timeline import Timeline

KEY = bytes.fromhex("0123456789abcdef1357")
IV = bytes.fromhex("fedcba98765432102468")


def s(stage: int) -> Polynomial:
    """State bit ``stage`` of the paper, which numbers all three registers through."""
    name = "a" if stage <= 93 else "b" if stage <= 177 else "c"
    return Polynomial.variable(name, stage)


def test_step_is_that_of_the_paper() -> None:
    output, feedback = TRIVIUM.equations
    t1, t2, t3 = s(66) ^ s(93), s(162) ^ s(177), s(243) ^ s(288)
    assert output == t1 ^ t2 ^ t3
    assert feedback == {
        "b": {94: t1 ^ s(91) & s(92) ^ s(171)},
        "c": {178: t2 ^ s(175) & s(176) ^ s(264)},
        "a": {1: t3 ^ s(286) & s(287) ^ s(69)},
    }


def test_taps() -> None:
    output, feedback = TRIVIUM.equations
    functions = [function for stages in feedback.values() for function in stages.values()]
    taps = output.variables.union(*(function.variables for function in functions))
    assert sorted(stage for _, stage in taps) == [
        66,
        69,
        91,
        92,
        93,
        162,
        171,
        175,
        176,
        177,
        243,
        264,
        286,
        287,
        288,
    ]


def test_degree() -> None:
    output, feedback = TRIVIUM.equations
    assert output.degree == 1
    assert [function.degree for stages in feedback.values() for function in stages.values()] == [
        2,
        2,
        2,
    ]


def test_gates_of_one_step() -> None:
    assert TRIVIUM.gates == {"xor": 11, "and": 3}


def test_sizes() -> None:
    assert [register.length for register in TRIVIUM.registers] == [93, 84, 111]
    assert TRIVIUM.state_bits == 288
    assert TRIVIUM.legal_radices() == tuple(range(1, 289))
    assert TRIVIUM.further_radices == range(289, 1025)
    assert TRIVIUM.load_bits == 160
    assert TRIVIUM.blank_steps == 1152


def test_natural_radix() -> None:
    assert TRIVIUM.natural_radix == 66
    assert TRIVIUM.output_lookahead == 66


def setup_cycles(radix: int, load_width: int) -> int:
    architecture = Architecture.choose(TRIVIUM, radix=radix, load_width=load_width)
    return SteppedFacts(TRIVIUM, architecture).setup_cycles


@pytest.mark.parametrize(
    ("width", "cycles"),
    [(1, 1312), (2, 656), (4, 328), (8, 164), (16, 82), (32, 41), (64, 21)],
)
def test_setup_cycles_published_by_gaj_et_al(width: int, cycles: int) -> None:
    assert setup_cycles(width, width) == cycles


@pytest.mark.parametrize(
    ("radix", "load_width", "cycles"),
    [(1, 160, 1153), (1, 159, 1154), (7, 80, 167), (64, 1, 178), (288, 160, 5), (200, 100, 8)],
)
def test_setup_cycles(radix: int, load_width: int, cycles: int) -> None:
    assert setup_cycles(radix, load_width) == cycles


def test_setup_formula() -> None:
    """A radix that does not divide the blank steps takes one cycle more where it keeps bits."""
    for radix in range(1, 289, 7):
        keeps = Timeline(TRIVIUM, Architecture.choose(TRIVIUM, radix=radix)).surplus_bits > 0
        assert not keeps or 1152 % radix
        for load_width in range(1, 161, 3):
            load_cycles = sum(1 for _ in range(0, 160, load_width))
            assert setup_cycles(radix, load_width) == load_cycles + 1152 // radix + keeps


def stages(state: dict[str, list[int]]) -> dict[int, int]:
    """The loaded state by the paper's stage numbers."""
    return {
        register.oldest - place: bit
        for register in TRIVIUM.registers
        for place, bit in enumerate(state[register.name])
    }


@pytest.mark.parametrize("iv", [IV, IV[:8], IV[:6], IV[:4]], ids=lambda iv: f"{8 * len(iv)}-bit-iv")
def test_loaded_state(iv: bytes) -> None:
    key_bits = {number: KEY[(number - 1) // 8] >> (number - 1) % 8 & 1 for number in range(1, 81)}
    length = 8 * len(iv)
    iv_bits = {
        number: iv[(number - 1) // 8] >> (number - 1) % 8 & 1 for number in range(1, length + 1)
    }

    state = stages(TRIVIUM.loaded_state(*TRIVIUM.input_bits(KEY, iv)))

    expected = dict.fromkeys(range(1, 289), 0)
    expected |= {stage: key_bits[81 - stage] for stage in range(1, 81)}
    expected |= {94 + place: iv_bits[length - place] for place in range(length)}
    expected |= {286: 1, 287: 1, 288: 1}
    assert state == expected


def test_load_is_the_key_then_the_iv() -> None:
    (lane,) = TRIVIUM.load_lanes(KEY, IV)
    assert sum(bit << place for place, bit in enumerate(lane)).to_bytes(20, "little") == KEY + IV


@pytest.mark.parametrize("length", [4, 6, 8])
def test_short_iv_is_the_long_one_with_leading_zeros(length: int) -> None:
    short = IV[:length]
    assert TRIVIUM.load_lanes(KEY, short) == TRIVIUM.load_lanes(KEY, bytes(10 - length) + short)


@pytest.mark.parametrize(
    ("register", "stage", "position"),
    [
        (Register("a", newest=1, oldest=93), 93, 0),
        (Register("a", newest=1, oldest=93), 1, 92),
        (Register("g", newest=127, oldest=0), 0, 0),
        (Register("g", newest=127, oldest=0), 127, 127),
    ],
)
def test_position_counts_from_the_oldest(register: Register, stage: int, position: int) -> None:
    assert register.position(stage) == position


@pytest.mark.parametrize("stage", [93, 178])
def test_stage_of_another_register(stage: int) -> None:
    message = f"stage of register b must lie between 94 and 177, not {stage}"
    with pytest.raises(ValueError, match=f"^{message}$"):
        TRIVIUM.registers[1].position(stage)


def test_content_is_put_oldest_first_whichever_way_stages_are_numbered() -> None:
    assert Register("a", newest=1, oldest=3).oldest_first("xyz") == ["z", "y", "x"]
    assert Register("g", newest=2, oldest=0).oldest_first("xyz") == ["x", "y", "z"]


@pytest.mark.parametrize("bits", [2, 4])
def test_content_of_another_length(bits: int) -> None:
    with pytest.raises(ValueError, match=f"^register a must be loaded with 3 bits, not {bits}$"):
        Register("a", newest=1, oldest=3).oldest_first([0] * bits)


def test_catalogue() -> None:
    assert find("trivium") is TRIVIUM
    assert all(cipher.name == name for name, cipher in CATALOGUE.items())


@pytest.mark.parametrize(
    ("name", "hint"), [("trivum", " (did you mean 'trivium'?)"), ("hc", ""), ("", "")]
)
def test_unknown_cipher(name: str, hint: str) -> None:
    message = f"cipher must be one of {', '.join(CATALOGUE)}, not {name!r}{hint}"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        find(name)
