# SPDX-License-Identifier: Apache-2.0
"""What every description must be like, and what follows from each, against its papers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from headwater.algebra.polynomial import Polynomial
from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.catalogue import CATALOGUE
from headwater.cipher.description import Cipher
from headwater.cipher.register import Register
from headwater.cipher.trivium import TRIVIUM
from headwater.core.architecture import Architecture
from headwater.kinds.bit_aead.description import BitAead
from headwater.kinds.registry import facts_of
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.description import Injected, Phase, SteppedCipher
from headwater.kinds.stepped.shift_register import ShiftRegisterCipher

EVERY_CIPHER = pytest.mark.parametrize("cipher", CATALOGUE.values(), ids=CATALOGUE)


def each(*kinds: type) -> pytest.MarkDecorator:
    """For every cipher of some kinds."""
    ciphers = [cipher for cipher in CATALOGUE.values() if isinstance(cipher, kinds)]
    return pytest.mark.parametrize("cipher", ciphers, ids=lambda cipher: cipher.name)


EVERY_STEPPED = each(SteppedCipher)
EVERY_BITWISE = each(ShiftRegisterCipher, ClockedCipher)


@dataclass(frozen=True)
class Facts:
    """As the papers say; `widest` is the widest radix without chaining that they name."""

    state: tuple[int, ...]
    key: int
    iv: int
    blank_steps: int
    widest: int
    order: str


FACTS = {
    "trivium": Facts((93, 84, 111), 80, 80, 1152, 66, "lsb_first"),
    "bivium": Facts((93, 84), 80, 80, 708, 66, "lsb_first"),
    "grain_v1": Facts((80, 80), 80, 64, 160, 16, "lsb_first"),
    "grain128": Facts((128, 128), 128, 96, 256, 32, "lsb_first"),
    "grain128a": Facts((128, 128), 128, 96, 256, 32, "msb_first"),
    "grain128a-ae": Facts((128, 128, 64), 128, 96, 320, 32, "msb_first"),
    "grain128aead": Facts((128, 128, 128), 128, 96, 384, 32, "lsb_first"),
    "grain128aeadv2": Facts((128, 128, 128), 128, 96, 512, 32, "lsb_first"),
    "espresso": Facts((4,) * 6 + (14,) + (4,) * 6 + (194,), 128, 96, 256, 1, "lsb_first"),
    "lizard": Facts((90, 31), 120, 64, 256, 6, "msb_first"),
    "mickey1": Facts((80, 80), 80, 80, 80, 1, "msb_first"),
    "mickey2": Facts((100, 100), 80, 80, 100, 1, "msb_first"),
    "mickey128": Facts((160, 160), 128, 128, 160, 1, "msb_first"),
    "a51": Facts((19, 22, 23), 64, 22, 100, 1, "msb_first"),
    "zuc": Facts((31,) * 16 + (32, 32), 128, 128, 33, 32, "msb_first"),
    "snow2": Facts((32,) * 18, 128, 128, 33, 32, "msb_first"),
    "snow3g": Facts((32,) * 19, 128, 128, 33, 32, "msb_first"),
    "zuc256": Facts((31,) * 16 + (32, 32), 256, 128, 49, 32, "msb_first"),
    "zuc256_iv25": Facts((31,) * 16 + (32, 32), 256, 200, 33, 32, "msb_first"),
    "snow_v": Facts((128,) * 7, 256, 128, 16, 128, "lsb_first"),
    "snow5g": Facts((128,) * 7, 256, 128, 16, 128, "lsb_first"),
    "kcipher2": Facts((32,) * 20, 128, 128, 24, 64, "msb_first"),
    "kasumi": Facts((16,) * 8 + (32, 32, 64, 3), 128, 64, 8, 8, "msb_first"),
    "kasumi_f8": Facts((16,) * 8 + (32, 32, 64, 3, 64, 32, 32), 128, 64, 16, 8, "msb_first"),
    "a53": Facts((16,) * 8 + (32, 32, 64, 3, 64, 32, 32), 64, 22, 16, 8, "msb_first"),
    "gea3": Facts((16,) * 8 + (32, 32, 64, 3, 64, 32, 32), 64, 33, 16, 8, "msb_first"),
    "enocoro128v2": Facts((8,) * 34, 128, 64, 96, 8, "msb_first"),
    "zkcrypt": Facts(
        (13, 19, 18, 14, 15, 17, 32, 32, 3, 4, 5, 4, 6, 4, 3, 2, 5, 2, 1, 2, 2),
        128,
        128,
        32,
        32,
        "lsb_first",
    ),
    "sfinks": Facts((256,), 80, 80, 128, 44, "msb_first"),
    "sfinks-ae": Facts((256, 128), 80, 80, 128, 44, "msb_first"),
    "e0": Facts((25, 31, 33, 39, 2, 2), 128, 74, 184, 1, "lsb_first"),
    # Of the 239 steps of E0, the first 15 are made in the load.
    "e0_payload": Facts((25, 31, 33, 39, 2, 2), 128, 48 + 26 + 4, 224, 1, "lsb_first"),
    # Above one step at a time nothing is read at once, though the papers' registers would allow 8.
    "achterbahn": Facts((22, 23, 25, 26, 27, 28, 29, 31, 64), 80, 64, 64, 1, "lsb_first"),
    "achterbahn-v1-reduced": Facts((22, 23, 25, 26, 27, 28, 29, 31), 80, 64, 64, 1, "lsb_first"),
    "achterbahn80": Facts(tuple(range(22, 33)), 80, 80, 96, 1, "lsb_first"),
    "achterbahn128": Facts(tuple(range(21, 34)), 128, 128, 96, 1, "lsb_first"),
}


def test_every_cipher_has_its_facts() -> None:
    stepped = {cipher.name for cipher in CATALOGUE.values() if isinstance(cipher, SteppedCipher)}
    assert set(FACTS) == stepped


def test_a_legal_radix_leaves_a_cycle_of_setup() -> None:
    """At four blank steps wider cores must keep output bits: too many from some radix on."""
    cipher = replace(TRIVIUM, phases=(Phase("blank", 4),))
    legal = cipher.legal_radices()
    assert legal == tuple(range(1, len(legal) + 1))
    assert 4 < len(legal) < cipher.state_bits
    for radix in legal:
        architecture = Architecture.choose(cipher, radix=radix)
        assert facts_of(cipher, architecture).timeline.blank_cycles > 0


@EVERY_STEPPED
def test_sizes_are_those_of_the_papers(cipher: Cipher) -> None:
    facts = FACTS[cipher.name]
    lengths = [register.length for register in cipher.registers if not register.setup_only]
    assert tuple(lengths) == facts.state
    assert cipher.state_bits == sum(facts.state)
    assert (cipher.key_bits, cipher.iv_bits[-1]) == (facts.key, facts.iv)
    assert (cipher.blank_steps, cipher.natural_radix) == (facts.blank_steps, facts.widest)
    assert cipher.bit_order == facts.order


@EVERY_CIPHER
def test_names_and_texts(cipher: Cipher) -> None:
    assert all((cipher.title, cipher.source, cipher.security, cipher.convention))
    assert "first" in cipher.convention
    assert cipher.iv_bits == tuple(sorted(set(cipher.iv_bits)))
    assert len(cipher.digest) == 64


@EVERY_STEPPED
def test_registers_have_names_of_their_own(cipher: Cipher) -> None:
    names = [register.name for register in cipher.registers]
    assert len(set(names)) == len(names)


@EVERY_BITWISE
def test_legal_radices(cipher: Cipher) -> None:
    legal = cipher.legal_radices()
    assert legal[0] == 1
    assert list(legal) == sorted(set(legal))
    if isinstance(cipher, BitAead):
        assert legal == (1, 2, 4, 8, 16, 32, 64)
    elif isinstance(cipher, ClockedCipher):
        assert {1, 2, 4} <= set(legal) <= {*range(1, 9), 16}
    else:
        assert legal == tuple(range(1, cipher.state_bits + 1))


@EVERY_STEPPED
def test_lanes_hold_every_bit_of_key_and_iv_once(cipher: Cipher) -> None:
    """But for bits that must be zero."""
    key = [("key", place) for place in range(cipher.key_bits)]
    iv = [("iv", place) for place in range(cipher.iv_bits[-1])]
    lanes = cipher.entering_lanes(key, iv)
    bits = [bit for lane in lanes for bit in lane if not isinstance(bit, int)]
    free = [bit for place, bit in enumerate(iv) if place not in cipher.zero_iv_bits]
    assert sorted(bits) == sorted([*key, *free])
    assert cipher.lane_count == len(lanes)
    assert cipher.load_steps == max(map(len, lanes))


@EVERY_STEPPED
def test_lanes_end_together(cipher: Cipher) -> None:
    source = random.Random(cipher.name)
    key = source.randbytes(cipher.key_bits // 8)
    iv = bytes([0x81, *[0] * (-(-cipher.iv_bits[-1] // 8) - 1)])
    lanes = cipher.load_lanes(key, iv)
    assert len({len(lane) for lane in lanes}) == 1
    expected = cipher.entering_lanes(*cipher.input_bits(key, iv))
    for lane, bits in zip(lanes, expected, strict=True):
        filling = len(lane) - len(bits)
        assert lane == [0] * filling + list(bits)


@EVERY_STEPPED
def test_controls_are_zero_once_the_cipher_runs(cipher: Cipher) -> None:
    for control in cipher.controls:
        steps = range(-cipher.load_steps, cipher.blank_steps + 100)
        assert any(cipher.control_at(control, step) for step in steps)
        assert not any(cipher.control_at(control, cipher.blank_steps + step) for step in range(100))


@EVERY_STEPPED
def test_phases_follow_each_other(cipher: Cipher) -> None:
    if isinstance(cipher.load, Injected):
        assert sum(phase.steps for phase in cipher.load_phases) == cipher.load_steps
    expected = [
        set(phase.controls)
        for phase in (*cipher.load_phases, *cipher.phases)
        for _ in range(phase.steps)
    ]
    first = -cipher.load_steps if cipher.load_phases else 0
    found = [
        {name for name in cipher.controls if cipher.control_at(name, first + step)}
        for step in range(len(expected))
    ]
    assert found == expected


# --- the step read with symbols is the step read with bits


def worth(function: Polynomial | int, state: Mapping[tuple[str, int], int]) -> int:
    if isinstance(function, int):
        return function
    return sum(all(state[bit] for bit in monomial) for monomial in function.monomials) % 2


def in_numbers(cipher: Cipher, state: Mapping[tuple[str, int], int]) -> tuple[int, dict[Any, int]]:
    """One step from a state: the output, and the state after it, by register and stage."""
    if isinstance(cipher, ClockedCipher):
        return clocked_in_numbers(cipher, state)
    windows = [
        lambda stage, name=register.name: state[name, stage] for register in cipher.registers
    ]
    controls = dict.fromkeys(cipher.controls, 0)
    output, entering = cipher.step(lambda value: value, *windows, **controls)
    after = {
        (register.name, register.newest): entering[register.name] & 1
        for register in cipher.registers
    }
    return output & 1, after


def stages(register: Register) -> list[int]:
    """From the entrance on."""
    way = 1 if register.oldest >= register.newest else -1
    return list(range(register.newest, register.oldest + way, way))


def clocked_in_numbers(
    cipher: ClockedCipher, state: Mapping[tuple[str, int], int]
) -> tuple[int, dict[Any, int]]:
    words = [
        IntegerWord(
            sum(
                state[register.name, stage] << place for place, stage in enumerate(stages(register))
            ),
            register.length,
        )
        for register in cipher.registers
    ]
    controls = {name: IntegerWord(0, 1) for name in cipher.controls}
    entering = IntegerWord(0, cipher.lane_count)
    output, after = cipher.step(unnamed, *words, entering=entering, **controls, **cipher.constants)
    return output.value, {
        (register.name, stage): after[register.name].value >> place & 1
        for register in cipher.registers
        for place, stage in enumerate(stages(register))
    }


@EVERY_BITWISE
def test_equations_are_the_step(cipher: Cipher) -> None:
    output, feedback = cipher.equations
    source = random.Random(cipher.name)
    for _ in range(20):
        state = {
            (register.name, stage): source.getrandbits(1)
            for register in cipher.registers
            for stage in stages(register)
        }
        bit, after = in_numbers(cipher, state)
        assert worth(output, state) == bit
        found = {
            (name, stage): worth(function, state)
            for name, functions in feedback.items()
            for stage, function in functions.items()
        }
        assert found == after


@EVERY_STEPPED
def test_gates_are_counted(cipher: Cipher) -> None:
    assert cipher.gates["xor"] > 0
    assert cipher.gates["and"] > 0
