# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128: the S-box and the constants of the standard, cycles, and proofs."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amaranth.hdl import Module

from headwater.algebra.word import (
    IntegerWord,
    Wire,
    Word,
    concatenate,
    rotate_left,
    unnamed,
)
from headwater.cipher.ascon import ASCON_AEAD128, round_constant, substitution
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow import sat
from headwater.kinds.reading import process
from headwater.kinds.registry import build, facts_of, properties_of
from headwater.kinds.sponge.core import SpongeCore
from headwater.kinds.sponge.description import State
from headwater.prove.checker import Proof
from headwater.verify.engine import RtlEngine
from headwater.verify.proof import prove, with_checkers

S_BOX = "040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17"


def architecture(radix: int, unroll: int = 1, **options: str) -> Architecture:
    chosen = {"unroll": str(unroll), **options}
    return Architecture.choose(ASCON_AEAD128, radix=radix, options=chosen)


def engine(radix: int, unroll: int = 1, gaps: int = 0, **options: str) -> RtlEngine:
    chosen = architecture(radix, unroll, **options)
    return RtlEngine(ASCON_AEAD128, chosen, gaps_permille=gaps)


def message(seed: object, ad: int, text: int) -> Message:
    source = random.Random(f"ascon {seed}")
    return Message(
        source.randbytes(16),
        source.randbytes(16),
        source.randbytes(ad),
        source.randbytes(text),
        8 * text,
    )


@pytest.mark.parametrize(("radix", "cycles"), [(32, 20), (64, 16), (128, 14)])
def test_setup_takes_what_the_data_sheet_says(radix: int, cycles: int) -> None:
    assert facts_of(ASCON_AEAD128, architecture(radix)).setup_cycles == cycles
    assert engine(radix).setup_cycles(bytes(16), bytes(16)) == cycles


def test_s_box_and_constants_of_the_standard() -> None:
    """As tables: bit 4 of the input of an S-box is in S0, the lowest bit in S4."""
    for given, expected in enumerate(bytes.fromhex(S_BOX)):
        words = tuple(IntegerWord(given >> 4 - place & 1, 1) for place in range(5))
        made = substitution(unnamed, words)  # type: ignore[arg-type]
        assert sum(word.value << 4 - place for place, word in enumerate(made)) == expected
    constants = [round_constant(IntegerWord(number, 4)).value for number in range(12)]
    assert bytes(constants).hex() == "f0e1d2c3b4a5968778695a4b"


def test_proofs_hold() -> None:
    for record in prove(ASCON_AEAD128, architecture(32)):
        assert record.failures == ()
    assert len(properties_of(ASCON_AEAD128, architecture(32))) == 11


def other_round(wire: Wire, s: State, constant: Word) -> State:
    """A linear layer other than Ascon's."""
    s0, s1, s2, s3, s4 = substitution(wire, s)
    low = s0[:8] ^ constant
    return concatenate(low, s0[8:]), rotate_left(s1, 7), s2 ^ rotate_left(s2, 30), s4, s3


def round_of_a_narrow_word(wire: Wire, s: State, constant: Word) -> State:
    return *substitution(wire, s)[:4], constant


VARIANT = replace(
    ASCON_AEAD128,
    name="variant",
    permutation_round=other_round,
    long_rounds=9,
    short_rounds=5,
    initial_word=0x0123456789ABCDEF,
    separation_bit=40,
)


@pytest.mark.parametrize(("radix", "unroll"), [(32, "1"), (64, "3"), (128, "1")])
def test_a_relative_with_other_rounds_has_a_core_of_its_own(radix: int, unroll: str) -> None:
    chosen = Architecture.choose(VARIANT, radix=radix, options={"unroll": unroll})
    messages = [message(size, size // 2, size) for size in (0, 15, 16, 33)]
    made = RtlEngine(VARIANT, chosen, gaps_permille=300).process(messages)
    assert made == [process(VARIANT, one) for one in messages]
    assert made != [process(ASCON_AEAD128, one) for one in messages]
    for record in prove(VARIANT, chosen):
        assert record.failures == (), record.check


TOO_LARGE = f"initial_word of variant must be from 0 to {(1 << 64) - 1}, not {1 << 64}"
NARROW = "permutation_round of variant must give 5 words of 64 bits, not words of " + str(
    [64, 64, 64, 64, 8]
)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"long_rounds": 17}, "long_rounds of variant must be from 1 to 16, not 17"),
        ({"short_rounds": 10}, "short_rounds of variant must be from 1 to 9, not 10"),
        ({"separation_bit": 64}, "separation_bit of variant must be from 0 to 63, not 64"),
        ({"initial_word": 1 << 64}, TOO_LARGE),
        ({"key_bits": 160}, "key and nonce of variant must have 128 bits each, not 160 and (128,)"),
        ({"permutation_round": round_of_a_narrow_word}, NARROW),
    ],
)
def test_a_relative_that_no_core_can_be(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        replace(VARIANT, **changed).check_functions()


def test_a_relative_is_unrolled_by_whole_cycles() -> None:
    with pytest.raises(InputError, match="unroll of variant must be one of 1, 3, not '2'"):
        Architecture.choose(VARIANT, radix=32, options={"unroll": "2"})


class Tagless(SpongeCore):
    """Never offers a tag."""

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        with m.If(self.permuting & ~self.abort):
            m.d.sync += self.tagging.eq(0)
        return m


def test_an_invariant_beside_a_property_is_asked_for_in_a_step(tmp_path: Path) -> None:
    """A tag that never comes is excluded by what all properties assume of the phases; only a step
    of the induction that proves this finds it."""
    chosen = architecture(32)
    (setup,) = (one for one in properties_of(ASCON_AEAD128, chosen) if one.name == "setup")
    core = build(ASCON_AEAD128, chosen)
    broken = Tagless(core.facts)
    held = []
    for each, whole in ((broken, False), (broken, True), (core, True)):
        proof = Proof(ASCON_AEAD128, by_induction=False, whole=whole)
        text = with_checkers(each, {"setup": (setup.checker, proof)})
        held.append(sat.holds(sat.Check(text, 2), tmp_path))
    assert held == [True, False, True]


def test_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"^key of ascon_aead128 must be 128 bits"):
        process(ASCON_AEAD128, replace(message(0, 0, 4), key=bytes(15)))
    with pytest.raises(InputError, match=r"^tag of ascon_aead128 must be 128 bits"):
        process(ASCON_AEAD128, replace(message(0, 0, 4), tag_bits=64))
    with pytest.raises(InputError, match=r"^text of ascon_aead128 must be whole bytes"):
        process(ASCON_AEAD128, replace(message(0, 0, 4), bits=31))
    with pytest.raises(
        InputError, match="radix of ascon_aead128 must be one of 1, 2, 4, 8, 16, 32, "
    ):
        architecture(24)
    refused = (
        "radix of ascon_aead128 behind a processor must be 1 or 2 or 4 or 8 or 16 or 32, not 128"
    )
    assert (
        main(["generate", "ascon_aead128", "--radix", "128", "--interface", "bus", "-o", "x"]) == 2
    )
    assert refused in capsys.readouterr().err
