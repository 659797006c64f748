# SPDX-License-Identifier: Apache-2.0
"""SNOW 2.0: its load with keys of both lengths, the state after its setup, and other keys."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from command_line import Capture, refused, succeed

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.snow2 import SNOW_2
from headwater.core.architecture import Architecture
from headwater.kinds.stepped.word_cipher import WordCipher
from headwater.verify.check import check_vectors
from headwater.verify.engine import RtlEngine
from headwater.verify.vector_files import own_files, read_file

ONES = (1 << 32) - 1

AFTER_SETUP = """
C29D7180 226490D3 220BBB1F 62B6BA4B E6ACD350 93CCBBA4 EDEA254B 0CDDA783 E3015EFF FBE8009A 30F295D5
E8C921C4 BC4C4184 C6B5DC32 494AA350 EC27CFBD 21C7FE59 422BB57F
"""
"""s0 to s15, R1 and R2 after the setup, from the key 80 00 .. 00 of 128 bits and an IV of zeros, by
a model that was written apart."""


def loaded(cipher: WordCipher, key: bytes, iv: bytes) -> Mapping[str, IntegerWord]:
    """The state after the load, from one that is not zero."""
    state: Mapping[str, IntegerWord] = {
        register.name: IntegerWord(ONES, 32) for register in cipher.registers
    }
    steps = enumerate(zip(*cipher.load_lanes(key, iv), strict=True), start=-cipher.load_steps)
    for step, bits in steps:
        entering = IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), 32)
        controls = {name: IntegerWord(cipher.control_at(name, step), 1) for name in cipher.controls}
        state = cipher.load.enter(unnamed, *state.values(), entering=entering, **controls)
    return state


@pytest.mark.parametrize("bits", [128, 256])
def test_load(bits: int) -> None:
    cipher, source = SNOW_2.for_key(bits), Random(bits)
    key, iv = source.randbytes(bits // 8), source.randbytes(16)
    k, v = (
        [int.from_bytes(data[-4 - at : len(data) - at], "big") for at in range(0, len(data), 4)]
        for data in (key, iv)
    )
    cells = [*(one ^ ONES for one in k), *k] * (256 // bits)
    for place, number in ((15, 0), (12, 1), (10, 2), (9, 3)):
        cells[place] ^= v[number]
    state = loaded(cipher, key, iv)
    assert [state[f"s{place}"].value for place in range(16)] == cells
    assert state["r1"].value == state["r2"].value == 0


def test_state_after_the_setup() -> None:
    state = loaded(SNOW_2, b"\x80" + bytes(15), bytes(16))
    for number in range(33):
        initialising = IntegerWord(number < 32, 1)
        _, state = SNOW_2.step(unnamed, *state.values(), initialising=initialising)
    assert [word.value for word in state.values()] == [int(one, 16) for one in AFTER_SETUP.split()]


@pytest.mark.parametrize(
    ("key", "keystream"),
    [("80" + "00" * 15, "8d590ae9a74a7d056dc9"), ("80" + "00" * 31, "0b5bcce20323e28e0fc2")],
)
def test_the_key_tells_its_length(capsys: Capture, key: str, keystream: str) -> None:
    words = ("keystream", "snow2", "--key", key, "--iv", "00" * 16, "--bits", "80")
    assert succeed(capsys, *words) == keystream + "\n"


def test_vectors_with_keys_of_256_bits_in_verilog() -> None:
    cipher = SNOW_2.for_key(256)
    at = Architecture.choose(cipher)
    (path,) = own_files(cipher)
    report = check_vectors(read_file(path, cipher), RtlEngine(cipher, at), at)
    assert (report.passed, report.failures) == (25, ())


def test_key_of_another_length(capsys: Capture) -> None:
    words = ("keystream", "snow2", "--key", "00" * 24, "--iv", "00" * 16, "--bits", "80")
    lengths = "128 bits (32 hex digits) or 256 bits (64 hex digits)"
    refused(capsys, words, f"key of snow2 must be {lengths}, not 192 bits")
