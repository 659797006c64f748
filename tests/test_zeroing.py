# SPDX-License-Identifier: Apache-2.0
"""Zeros that are shifted in with the first load words instead of a reset of every bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from proven import assert_proven

from headwater.algebra.word import IntegerWord, Word, concatenate, unnamed
from headwater.api.optimizing import Optimum
from headwater.api.records import Records
from headwater.cipher.a51 import A51
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.transformations.zeroing import Zeroing

SHIFT = {"zeroing": "shift"}
WIDTHS = [1, 2, 3, 4]


def _loaded(
    cipher: ClockedCipher,
    state: list[IntegerWord],
    words: list[int],
    width: int,
    zeroing: Zeroing | None,
) -> list[IntegerWord]:
    """The registers after a load, step by step, with zeros shifted in."""
    names = [register.name for register in cipher.registers]
    for number, word in enumerate(words):
        for step in range(width):
            entering, ones = IntegerWord(word >> step & 1, 1), IntegerWord(1, 1)
            _, after = cipher.step(unnamed, *state, entering=entering, regular=ones)
            state = [after[name] for name in names]
        if zeroing and number < zeroing.cycles:
            for (name, place), bit in zeroing.taken.items():
                at = names.index(name)
                taken = 0 if bit is None else word >> bit & 1
                cleared = state[at].value & ~(1 << place)
                state[at] = IntegerWord(cleared | taken << place, state[at].width)
    return state


@pytest.mark.parametrize("width", WIDTHS)
def test_any_state_is_loaded_as_one_of_zeros(width: int) -> None:
    zeroing, random = Zeroing.of(A51, width), Random(width)
    assert zeroing
    lengths = [register.length for register in A51.registers]
    assert len(zeroing.taken) < sum(lengths)
    for _ in range(50):
        words = [random.getrandbits(width) for _ in range(A51.load_cycles(width))]
        anything = [IntegerWord(random.getrandbits(length), length) for length in lengths]
        zeros = [IntegerWord(0, length) for length in lengths]
        expected = _loaded(A51, zeros, words, width, None)
        loaded = _loaded(A51, anything, words, width, zeroing)
        assert [word.value for word in loaded] == [word.value for word in expected]


def test_one_bit_a_word_needs_the_fewest_zeros() -> None:
    zeroing = Zeroing.of(A51, 1)
    assert zeroing
    # The first load bit comes to stage 7 of R3, which is fed back, with the ninth word.
    assert zeroing.cycles == 8
    assert zeroing.taken == {
        (register.name, place): 0 if place == 0 else None
        for register in A51.registers
        for place in range(0, register.length, 8)
    }


def _changed(change: str) -> ClockedCipher:
    """A5/1 with another first bit of R1."""

    def step(wire: object, *words: Word, **given: Word) -> tuple[Word, Mapping[str, Word]]:
        output, after = A51.step(wire, *words, **given)
        first = {
            "read at once": after["r1"][0] ^ words[0][0],
            "inverted": ~after["r1"][0],
            "of two": after["r1"][0] ^ (words[0][0] & given["entering"]),
            "turning": words[0][18],
        }[change]
        return output, {**after, "r1": concatenate(first, after["r1"][1:])}

    return replace(A51, name="x", step=step)


@pytest.mark.parametrize("change", ["read at once", "inverted", "of two", "turning"])
def test_what_cannot_be_shifted_in_is_refused(change: str) -> None:
    cipher = _changed(change)
    with pytest.raises(InputError, match="zeroing of x at load width 1 must be reset"):
        Architecture.choose(cipher, radix=1, options=SHIFT)


def test_other_ciphers_do_not_offer_it() -> None:
    other = replace(A51, registers=(*A51.registers[:2], replace(A51.registers[2], setup_only=True)))
    assert "zeroing" in {option.name for option in A51.options}
    assert "zeroing" not in {option.name for option in other.options}


def test_no_register_of_the_state_has_a_reset() -> None:
    with_reset, without = (
        generate(A51, Architecture.choose(A51, radix=1, options=options)).text
        for options in ({}, SHIFT)
    )
    assert "r1 <= 19'h0" in with_reset
    assert "r1 <= 19'h0" not in without
    assert "zeroing ? load_word" in without


@pytest.mark.parametrize(
    ("radix", "options"),
    [
        (1, {"stall": "none", "clear": "none"}),
        (2, {}),
        (3, {"stall": "none", "clear": "shift"}),
        (4, {"clear": "instant"}),
    ],
)
def test_properties_of_the_load_are_proven(radix: int, options: Mapping[str, str]) -> None:
    architecture = Architecture.choose(A51, radix=radix, options={**options, **SHIFT})
    clears = [] if architecture.clear == "none" else ["clear"]
    assert_proven(A51, architecture, ["entering", "setup", *clears])


def test_a_search_tells_of_it_and_of_the_reset() -> None:
    reset, shift = ({"cipher": "a51", "options": options} for options in ({}, SHIFT))
    found = Optimum(shift, reset, Records([]), 1.1, True)
    assert found.changes(shift) == SHIFT
    assert replace(found, asked=shift).changes(reset) == {"zeroing": "reset"}
