# SPDX-License-Identifier: Apache-2.0
"""KASUMI: values inside its first block, the orders of its inputs, and its keys of two lengths.

The values inside are those of set 1 of the published test data, as a model written apart gives
them; block and ciphertext are published.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from command_line import Capture, refused, succeed

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.kasumi import A5_3, GEA_3, KASUMI, KASUMI_F8
from headwater.cipher.kasumi_modes import uea1_iv
from headwater.cipher.kasumi_sboxes import S7, S9, OddSBox
from headwater.kinds.stepped.word_cipher import WordCipher

KEY = bytes.fromhex("2BD6459F82C5B300952C49104881FF48")
BLOCK = bytes.fromhex("EA024714AD5C4D84")
ROUNDS = """
F5DB5AB3EA024714 161B54E1F5DB5AB3 0C12818C161B54E1 18E6AEFB0C12818C DDE8586C18E6AEFB
5E58EF61DDE8586C 1C0BF45F5E58EF61 DF1F9B251C0BF45F
"""
"""L and R behind each round."""
A0, A, Z1, Z2 = "72A4F20F64000000", 0x34222BC8F7C39416, "AF24CC029AC39D08", "23DD1041AEECAE7B"

State = Mapping[str, IntegerWord]


def loaded(cipher: WordCipher, key: bytes, iv: bytes) -> State:
    """The state behind a load, from one of ones."""
    state: State = {
        one.name: IntegerWord((1 << one.length) - 1, one.length) for one in cipher.registers
    }
    steps = enumerate(zip(*cipher.load_lanes(key, iv), strict=True), start=-cipher.load_steps)
    for step, bits in steps:
        entering = IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), len(bits))
        controls = {name: IntegerWord(cipher.control_at(name, step), 1) for name in cipher.controls}
        operands = {**controls, **cipher.constants}
        state = cipher.load.enter(unnamed, *state.values(), entering=entering, **operands)
    return state


def moved(cipher: WordCipher, state: State, **controls: int) -> State:
    given = {name: IntegerWord(controls.get(name, 0), 1) for name in cipher.controls}
    _, after = cipher.step(unnamed, *state.values(), **given, **cipher.constants)
    return {one.name: after[one.name] for one in cipher.registers}


def first_block(state: State) -> int:
    return state["l"].value << 32 | state["r"].value


@pytest.mark.parametrize("box", [S7, S9], ids=["s7", "s9"])
def test_circuit_and_table_of_an_sbox(box: OddSBox) -> None:
    assert sorted(box.entries) == list(range(1 << box.bits))
    for word, value in enumerate(box.entries):
        given = IntegerWord(word, box.bits)
        assert box.apply(unnamed, given, None).value == value
        assert box.apply(unnamed, given, box.table).value == value


def test_products_of_the_sboxes() -> None:
    """Of at most three bits in S7, and of at most two in S9."""
    for box, degree, products in ((S7, 3, 84), (S9, 2, 106)):
        factors = [one for bit in box.monomials for one in bit]
        assert max(one.bit_count() for one in factors) == degree
        assert len(factors) == products


def test_rounds_of_a_block() -> None:
    state, after = loaded(KASUMI, KEY, BLOCK), []
    assert first_block(state) == int.from_bytes(BLOCK, "big")
    for _ in range(8):
        state = moved(KASUMI, state)
        after.append(f"{first_block(state):016X}")
    assert after == ROUNDS.split()
    assert state["z"].value == first_block(state)


def test_first_blocks_of_f8() -> None:
    assert uea1_iv(0x72A4F20F, 0x0C, 1).hex().upper() == A0
    state = loaded(KASUMI_F8, KEY, bytes.fromhex(A0))
    for _ in range(8):
        state = moved(KASUMI_F8, state, modified=1)
    assert state["a"].value == first_block(state) == A
    for number, block in enumerate((Z1, Z2), start=1):
        for _ in range(8):
            state = moved(KASUMI_F8, state)
        assert f"{state['z'].value:016X}" == block
        assert first_block(state) == A ^ number ^ int(block, 16)


def test_number_of_a_block_carries() -> None:
    """Behind 2^32 blocks the upper half of the number begins."""
    state = dict(loaded(KASUMI_F8, KEY, bytes(8)))
    state |= {"low": IntegerWord(0xFFFFFFFF, 32), "number": IntegerWord(7, 3)}
    after = moved(KASUMI_F8, state)
    assert (after["low"].value, after["high"].value) == (0, 1)


@pytest.mark.parametrize(
    ("cipher", "iv", "block"),
    [
        (A5_3, (0x24F20F).to_bytes(3, "little"), "0024F20F000F0000"),
        (GEA_3, ((0x8E9421A3 << 1 | 1) << 7).to_bytes(5, "big"), "8E9421A304FF0000"),
    ],
    ids=["a53", "gea3"],
)
def test_first_blocks_and_keys_of_both_lengths(cipher: WordCipher, iv: bytes, block: str) -> None:
    for key in (KEY[:8], KEY):
        of_length = cipher.for_key(8 * len(key))
        state = loaded(of_length, key, iv)
        assert f"{first_block(state):016X}" == block
        pieces = b"".join(state[f"k{place}"].value.to_bytes(2, "big") for place in range(1, 9))
        assert pieces == key * (16 // len(key))


def test_a_frame_of_a53(capsys: Capture) -> None:
    words = ("keystream", "a53", "--key", "2bd6459f82c5bc00", "--frame", str(0x24F20F))
    assert succeed(capsys, *words, "--bits", "114") == "889eeaaf9ed1ba1abbd8436232e440\n"


def test_key_of_another_length(capsys: Capture) -> None:
    words = ("keystream", "gea3", "--key", "00" * 12, "--iv", "00" * 5, "--bits", "80")
    lengths = "64 bits (16 hex digits) or 128 bits (32 hex digits)"
    refused(capsys, words, f"key of gea3 must be {lengths}, not 96 bits")
