# SPDX-License-Identifier: Apache-2.0
"""Enocoro-128 version 2: its S-box, and states that its designers' vectors print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.enocoro import ENOCORO_128_V2, S4, s8
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import own_files, read_file

STATES = {
    0: "884c 0f0e0d0c0b0a090807060504030201008090a0b0c0d0e0f066e94bd4ef8a2c3b",
    1: "1125 b20f0e040c0b0a090807060504030201006f90a0b0c0d0e0f066e94bd4ef8a2c",
    96: "d6f7 7c2eae406d7ac2b91f4a988dbf3f16aeb97b6be01576b4eea7a4302d2e482053",
}
"""a0 and a1, then b0 to b31, after so many steps of the setup: Hitachi's TEST3."""
KEY, IV = bytes.fromhex("0f0e0d0c0b0a09080706050403020100"), bytes.fromhex("8090a0b0c0d0e0f0")

ONES = IntegerWord(0xFF, 8)


def state_text(state: Mapping[str, IntegerWord]) -> str:
    a, b = (
        bytes(state[f"{name}{place}"].value for place in range(count))
        for name, count in (("a", 2), ("b", 32))
    )
    return f"{a.hex()} {b.hex()}"


def test_states_of_a_setup() -> None:
    cipher = ENOCORO_128_V2
    state: Mapping[str, IntegerWord] = {register.name: ONES for register in cipher.registers}
    for step, bits in enumerate(zip(*cipher.load_lanes(KEY, IV), strict=True), start=-24):
        entering = IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), 8)
        last = IntegerWord(cipher.control_at("last", step), 1)
        state = cipher.load.enter(unnamed, *state.values(), entering=entering, last=last)
    for count in range(97):
        assert state_text(state) == STATES.get(count, state_text(state))
        _, state = cipher.step(unnamed, *state.values(), initialising=IntegerWord(1, 1))


def times(left: int, right: int) -> int:
    """In GF(2^4) modulo x^4 + x + 1."""
    total = 0
    for place in range(4):
        total ^= (left << place) * (right >> place & 1)
    for place in range(6, 3, -1):
        total ^= (0b10011 << place - 4) * (total >> place & 1)
    return total


def test_s_box() -> None:
    """Against products in the field, and values that public code has in a table."""
    made = [s8(unnamed, IntegerWord(byte, 8)).value for byte in range(256)]
    for byte, found in enumerate(made):
        u, v = S4[byte >> 4], S4[byte & 15]
        p, q = S4[u ^ times(4, v) ^ 0xA], S4[times(4, u) ^ v ^ 5]
        wanted = (p << 4 | q) << 1
        assert found == (wanted & 0xFF | wanted >> 8)
    assert made[:4] == [0x63, 0x52, 0x1A, 0xDF]
    assert made[255] == 0xEB


@pytest.mark.parametrize("radix", [16, 64])
def test_several_bytes_in_a_cycle(radix: int) -> None:
    """The first one is the highest of a word."""
    cipher, at = ENOCORO_128_V2, Architecture.choose(ENOCORO_128_V2, radix=radix)
    (path,) = own_files(cipher)
    report = check_vectors(read_file(path, cipher), RtlEngine(cipher, at), at)
    assert (report.failures, report.skipped) == ((), 0)
    assert report.passed > 20


def test_steps_in_a_cycle_divide_the_setup() -> None:
    cipher = replace(ENOCORO_128_V2, multiples=(2, 5))
    message = "^multiples of enocoro128v2 must divide its 96 blank steps, not 5$"
    with pytest.raises(InputError, match=message):
        cipher.check_functions()
