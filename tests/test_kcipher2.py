# SPDX-License-Identifier: Apache-2.0
"""KCipher-2: the expanded key in its places, states of a setup, and the words of alpha_i.

The states are those of a model that was written apart; their keystream is published.
"""

from __future__ import annotations

from collections.abc import Mapping

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.kcipher2 import ALPHA, KCIPHER_2, substituted

KEY = bytes.fromhex("0F1E2D3C4B5A69788796A5B4C3D2E1F0")
IV = bytes.fromhex("F0E0D0C0B0A090807060504030201000")
EXPANDED = """
0F1E2D3C 4B5A6978 8796A5B4 C3D2E1F0 7993A6A2 32C9CFDA B55F6A6E 768D8B9E BF3D92AF 8DF45D75 38AB371B
4E26BC85
"""
"""IK0 to IK11."""
PLACES = "a4 a3 a2 a1 a0 b9 b10 b8 b4 b5 b0 b1"
"""The register of each."""
AFTER_ONE = {
    "a4": 0x37070F7F,
    "b10": 0x64DEFF24,
    "l1": 0xF360860C,
    "r1": 0xE81907D5,
    "l2": 0x63636363,
    "r2": 0x63636363,
}
AFTER_ALL = {
    "a0": 0x2EB9213A,
    "a1": 0xBE3CA984,
    "a2": 0x974E6719,
    "a3": 0x86916EFF,
    "a4": 0xF52DACF9,
    "b0": 0xC57BED5B,
    "b10": 0xE0BD9F91,
    "l1": 0x4370D8E6,
    "r1": 0xDABED76C,
    "l2": 0x11C1ACCB,
    "r2": 0xC3BAAEDF,
}


def loaded() -> Mapping[str, IntegerWord]:
    """The state after a load, from one of ones."""
    state: Mapping[str, IntegerWord] = {
        register.name: IntegerWord(0xFFFFFFFF, 32) for register in KCIPHER_2.registers
    }
    for step, bits in enumerate(zip(*KCIPHER_2.load_lanes(KEY, IV), strict=True), start=-8):
        entering = IntegerWord(sum(bit << lane for lane, bit in enumerate(bits)), 32)
        controls = {
            name: IntegerWord(KCIPHER_2.control_at(name, step), 1) for name in KCIPHER_2.controls
        }
        others = {**controls, **KCIPHER_2.constants}
        state = KCIPHER_2.load.enter(unnamed, *state.values(), entering=entering, **others)
    return state


def test_the_expanded_key_is_in_its_places() -> None:
    state = loaded()
    words = {name: state[name].value for name in PLACES.split()}
    assert list(words.values()) == [int(word, 16) for word in EXPANDED.split()]
    of_iv = [state[name].value for name in ("b2", "b3", "b6", "b7")]
    assert b"".join(word.to_bytes(4, "big") for word in of_iv) == IV
    assert all(state[name].value == 0 for name in ("l1", "r1", "l2", "r2"))


def test_states_of_the_setup() -> None:
    state = loaded()
    for count in range(1, 25):
        others = {"initialising": IntegerWord(1, 1), **KCIPHER_2.constants}
        _, state = KCIPHER_2.step(unnamed, *state.values(), **others)
        if count in (1, 24):
            known = AFTER_ONE if count == 1 else AFTER_ALL
            assert {name: state[name].value for name in known} == known


def test_words_that_alpha_adds_for_one() -> None:
    assert [images[0] for images in ALPHA] == [0xB6086D1A, 0xA0F5FC2E, 0x5BF87F93, 0x4559568B]


def test_substitution() -> None:
    values = {0: 0x63636363, 1: 0x427C7C5D, 0x01000000: 0x5D427C7C, 0x01020304: 0xF9E3E179}
    words = [IntegerWord(value, 32) for value in values]
    made = substituted(unnamed, words, "sub", "algebraic", None)
    assert [word.value for word in made] == list(values.values())
