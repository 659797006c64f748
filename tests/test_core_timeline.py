# SPDX-License-Identifier: Apache-2.0
"""The setup cycle by cycle, and the signals that its controls become."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from amaranth.hdl import Const, Signal

from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.controls import ControlSignals, Phases
from headwater.kinds.stepped.description import Injected
from headwater.kinds.stepped.facts import SteppedFacts
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher
from headwater.kinds.stepped.timeline import Timeline

SETUP_CYCLES = [
    *[("grain_v1", radix, radix, 304 // radix) for radix in (1, 2, 4, 8, 16)],
    ("a51", 1, 1, 186),
    # 86 load bits in words of 3 and of 4; of 100 blank steps one is left over at radix 3.
    ("a51", 3, 3, 29 + 33),
    ("a51", 4, 4, 22 + 25),
    ("mickey2", 1, 1, 160 + 100 + 1),
    # The four of 100 steps that 8 leaves over are made as slowly as the load.
    ("mickey2", 8, 1, 160 + 4 + 12),
    ("mickey128", 1, 1, 416 + 1),
    ("mickey128", 8, 1, 256 + 20),
    ("e0", 1, 4, 239),
    ("e0", 2, 8, 28 + 92),
    ("e0", 8, 32, 7 + 23),
    ("e0_payload", 1, 1, 4 + 128 + 128 + 239),
    ("e0_payload", 8, 8, 35 + 28),
    ("trivium", 64, 64, 3 + 18),
    *[("grain128aead", radix, 2 * radix, 512 // radix) for radix in (1, 2, 4, 8, 16, 32, 64)],
    *[("grain128aeadv2", radix, 2 * radix, 640 // radix) for radix in (1, 2, 4, 8, 16, 32, 64)],
    *[("grain128a-ae", radix, 2 * radix, 448 // radix) for radix in (1, 2, 4, 8, 16, 32, 64)],
]


@pytest.mark.parametrize(("name", "radix", "load_width", "cycles"), SETUP_CYCLES)
def test_setup_cycles(name: str, radix: int, load_width: int, cycles: int) -> None:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=radix)
    assert architecture.load_width == load_width
    assert SteppedFacts(cipher, architecture).setup_cycles == cycles


def architectures(cipher: Cipher) -> Iterator[Architecture]:
    """At some radices and load widths."""
    radices = [radix for radix in cipher.legal_radices() if radix < 10 or radix % 31 == 1]
    for radix in radices:
        for load_width in {None, cipher.lane_count, 3 * cipher.lane_count}:
            try:
                yield Architecture.choose(cipher, radix=radix, load_width=load_width)
            except InputError:
                assert not isinstance(load_width, type(None))


@pytest.mark.parametrize(
    "cipher",
    [
        cipher
        for cipher in CATALOGUE.values()
        if isinstance(cipher, ShiftRegisterCipher | ClockedCipher)
    ],
    ids=lambda cipher: cipher.name,
)
def test_waves_are_the_description_step_by_step(cipher: Cipher) -> None:
    """Every step of load and setup is made in one cycle, at one position, in order; there, and in
    the first running cycle, the controls are the description's. Where output bits are kept, the
    last blank cycle makes the first steps that are not blank; so does one that is decided early."""
    for architecture in architectures(cipher):
        timeline = Timeline(cipher, architecture)
        load_steps = steps_of_load(timeline)
        for control in cipher.controls:
            made = list(values(timeline, control, load_steps))
            first = -load_steps
            assert made == [
                cipher.control_at(control, step) for step in range(first, first + len(made))
            ]
            late = int(timeline.decides_early)
            assert len(made) == (
                load_steps + cipher.blank_steps + timeline.surplus_bits + architecture.radix + late
            )


def steps_of_load(timeline: Timeline) -> int:
    """Steps of the load that a timeline shows: those of one word where it may have any length."""
    if not isinstance(timeline.cipher.load, Injected):
        return 0
    words = 1 if timeline.cipher.any_length else timeline.load_cycles
    return words * timeline.load_steps_per_cycle


def values(timeline: Timeline, control: str, load_steps: int) -> Iterator[bool | None]:
    """A control's values in the order of steps, as the waves have them."""
    width, radix = timeline.load_steps_per_cycle, timeline.architecture.radix
    last = radix + timeline.steps_ahead
    waves = [timeline.wave(control, position) for position in range(max(width, last))]
    words = len(waves[0]) - timeline.blank_cycles - 1
    for cycle in range(len(waves[0])):
        load, blank = cycle < words, cycle - words
        slow = load or blank < timeline.slow_cycles
        steps = width if slow else radix
        if load and not load_steps:
            continue
        if blank == timeline.blank_cycles:
            steps = last
        yield from (waves[position][cycle] for position in range(steps))


@pytest.mark.parametrize("radix", [1, 2, 4, 8])
def test_waves_of_e0(radix: int) -> None:
    """The registers fill in 25, 31, 33 and 39 steps; the load has 55, rounded up to whole words;
    the reload is in step 183 after it."""
    cipher = CATALOGUE["e0"]
    timeline = Timeline(cipher, Architecture.choose(cipher, radix=radix))
    words = -(-55 // radix)
    spare = words * radix - 55
    for name, steps in (("filling_1", 25), ("filling_2", 31), ("filling_3", 33), ("filling_4", 39)):
        for position in range(radix):
            wave = timeline.wave(name, position)
            assert len(wave) == words + 184 // radix + 1
            ones = [cycle for cycle, value in enumerate(wave) if value]
            assert ones == [
                cycle for cycle in range(words) if cycle * radix + position < steps + spare
            ]
    reloads = {
        (cycle * radix + position)
        for position in range(radix)
        for cycle, value in enumerate(timeline.wave("reload", position))
        if value
    }
    assert reloads == {words * radix + 183}


@pytest.mark.parametrize(
    ("name", "radix", "load_width", "slow", "blank", "ahead"),
    [
        ("mickey2", 1, 1, 0, 101, 0),
        ("mickey2", 3, 1, 1, 34, 0),
        ("mickey2", 8, 1, 4, 16, 0),
        ("mickey2", 8, 2, 2, 14, 0),
        ("mickey2", 8, 4, 1, 13, 0),
        ("mickey2", 8, 8, None, None, None),
        ("mickey128", 7, 2, 3, 25, 0),
        ("mickey128", 7, 3, 2, 24, 0),
        # One step is left over, which a load cycle of two cannot make: it is read ahead.
        ("mickey128", 3, 2, 0, 53, 1),
        ("a51", 3, 3, 0, 33, 1),
        ("a51", 3, 1, 1, 34, 0),
        ("trivium", 10, 3, 0, 115, 2),
    ],
)
def test_steps_that_are_left_over(
    name: str, radix: int, load_width: int, slow: int | None, blank: int | None, ahead: int | None
) -> None:
    cipher = CATALOGUE[name]
    if slow is None:
        with pytest.raises(InputError, match="must divide the 4 of its 100 blank steps"):
            Architecture.choose(cipher, radix=radix, load_width=load_width)
        return
    timeline = Timeline(cipher, Architecture.choose(cipher, radix=radix, load_width=load_width))
    assert (timeline.slow_cycles, timeline.blank_cycles, timeline.steps_ahead) == (
        slow,
        blank,
        ahead,
    )
    assert timeline.slow_wave == (
        *[True] * ((1 if cipher.any_length else timeline.load_cycles) + timeline.slow_cycles),
        *[False] * (timeline.blank_cycles - timeline.slow_cycles + 1),
    )


# --- the signals


def connected(
    name: str, radix: int, load_width: int | None = None
) -> tuple[Phases, ControlSignals]:
    cipher = CATALOGUE[name]
    architecture = Architecture.choose(cipher, radix=radix, load_width=load_width)
    running = Signal(name="running")
    phases = Phases(Signal(name="loading"), running, lambda _: Const(0, 1), running, waits=False)
    controls = ControlSignals(Timeline(cipher, architecture))
    controls.connect(phases)
    return phases, controls


def test_controls_that_are_phases_of_the_core_need_no_register() -> None:
    phases, controls = connected("a51", 4)
    assert all(controls("regular", position) is phases.loading for position in range(4))
    phases, controls = connected("grain_v1", 8)
    assert repr(controls("feedback", 0)) == repr(~phases.running)
    phases, controls = connected("mickey2", 2)
    assert repr(controls("mixing", 1)) == repr(~phases.running)
    assert controls.flags == {}
    assert controls.slow is phases.loading


def test_positions_with_the_same_wave_share_a_register() -> None:
    _, controls = connected("grain128aead", 16)
    flags = {id(controls("key_again", position)) for position in range(16)}
    assert len(flags) == 1
    assert [flag.name for flag in controls.flags.values()] == ["feedback", "key_again"]
    _, controls = connected("grain_v1", 9)
    # Of 160 steps seven are left over: the feedback is off in the last blank cycle behind them.
    first, last = controls("feedback", 0), controls("feedback", 7)
    assert last is controls("feedback", 8)
    assert isinstance(last, Signal)
    assert first is not last


def test_registers_of_e0_have_the_value_of_the_first_load_cycle() -> None:
    _, controls = connected("e0", 1)
    names = {flag.name: flag.init for flag in controls.flags.values()}
    assert names == {
        "filling_1": 1,
        "filling_2": 1,
        "filling_3": 1,
        "filling_4": 1,
        "reload": 0,
    }


def test_a_control_is_zero_where_it_is_not_used() -> None:
    _, controls = connected("grain_v1", 4)
    assert repr(controls("feedback", 4)) == repr(Const(0, 1))
    _, controls = connected("e0", 8)
    assert repr(controls("reload", 0)) == repr(Const(0, 1))
    assert isinstance(controls("reload", 7), Signal)


def test_slow_cycles_have_a_register_if_there_are_any() -> None:
    _, controls = connected("mickey2", 8)
    assert isinstance(controls.slow, Signal)
    assert controls.slow.name == "slow"
    assert controls.slow.init == 1
