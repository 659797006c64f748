# SPDX-License-Identifier: Apache-2.0
"""Ascon-AEAD128: the S-box and the constants of the standard, cycles, and proofs."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from amaranth.hdl import Module

from headwater.algebra.word import IntegerWord, unnamed
from headwater.cipher.ascon import ASCON_AEAD128, round_constant, substitution
from headwater.cipher.message import Message
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.flow import sat
from headwater.kinds.reading import process
from headwater.kinds.registry import build, facts_of, properties_of
from headwater.kinds.sponge.core import SpongeCore
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
    return Message(source.randbytes(16), source.randbytes(16), source.randbytes(ad),
                   source.randbytes(text), 8 * text)  # fmt: skip


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
    with pytest.raises(InputError, match="radix of ascon_aead128 must be one of 32, 64, 128"):
        architecture(16)
    refused = "radix of ascon_aead128 behind a processor must be 32, not 128"
    assert (
        main(["generate", "ascon_aead128", "--radix", "128", "--interface", "bus", "-o", "x"]) == 2
    )
    assert refused in capsys.readouterr().err
