# SPDX-License-Identifier: Apache-2.0
"""Gates of an early step: before its first step it must be decided as from registers of zeros."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest

from headwater.algebra.symbolic_word import SymbolicWord
from headwater.algebra.word import IntegerWord, Word, unnamed
from headwater.cipher.mickey import MICKEY_1, MICKEY_2, MICKEY_128
from headwater.kinds.stepped.clocked import ClockedCipher
from headwater.kinds.stepped.transformations.early_masks import EarlyMasks


def _with_decisions(change: Callable[..., Mapping[str, Word]]) -> ClockedCipher:
    """MICKEY-128 with some bits decided in another way."""

    def decide(wire: object, *words: Word, **given: Word) -> Mapping[str, Word]:
        decided = MICKEY_128.early.decide(wire, *words, **given)
        return {**decided, **change(*words, **given)}

    return replace(MICKEY_128, name="x", early_step=replace(MICKEY_128.early, decide=decide))


def _control_alone(_r: Word, s: Word, *, entering: Word, mixing: Word) -> Mapping[str, Word]:
    return {"control_r": s[54] ^ entering ^ mixing}


def _control_of_what_enters(
    _r: Word, s: Word, *, entering: Word, mixing: Word
) -> Mapping[str, Word]:
    return {"control_r": s[54] ^ (entering & mixing)}


def _bit_read_alone_too(_r: Word, s: Word, *, entering: Word, mixing: Word) -> Mapping[str, Word]:
    return {"control_r": s[80] ^ entering ^ (mixing & s[2])}


def _constant(_r: Word, s: Word, *, entering: Word, mixing: Word) -> Mapping[str, Word]:  # noqa: ARG001
    return {"control_r": IntegerWord(0, 1) if isinstance(s, IntegerWord) else SymbolicWord((0,))}


CIPHERS = [
    MICKEY_1,
    MICKEY_2,
    MICKEY_128,
    *map(
        _with_decisions, (_control_alone, _control_of_what_enters, _bit_read_alone_too, _constant)
    ),
]
IDS = ["mickey1", "mickey2", "mickey128", "control", "control-of-entering", "bit-alone", "constant"]


@pytest.mark.parametrize("cipher", CIPHERS, ids=IDS)
def test_first_step_is_decided_as_from_zeros(cipher: ClockedCipher) -> None:
    masks, random = EarlyMasks.of(cipher), Random(cipher.name)
    lengths = {register.name: register.length for register in cipher.registers}
    zeros = [IntegerWord(0, length) for length in lengths.values()]
    for _ in range(200):
        kept = {
            name: sum(
                random.getrandbits(1) << place for word, place in masks.without if word == name
            )
            for name in lengths
        }
        words = [IntegerWord(kept[name], length) for name, length in lengths.items()]
        entering = IntegerWord(random.getrandbits(1), 1)
        given = {name: IntegerWord(random.getrandbits(1), 1) for name in cipher.controls}
        masked = {name: IntegerWord(0, 1) for name in masks.controls}
        found = cipher.early.decide(unnamed, *words, entering=entering, **given | masked)
        meant = cipher.early.decide(unnamed, *zeros, entering=entering, **given)
        assert {name: bit.value for name, bit in found.items()} == {
            name: bit.value for name, bit in meant.items()
        }


def test_gates_of_a_decision_move_together_or_not_at_all() -> None:
    # r33 and s67 decide one bit, and s67 has no room for a gate, so that r33 keeps none before it.
    found = EarlyMasks.of(MICKEY_2)
    assert found.before == {("r", 99), ("s", 99), ("s", 50)}
    assert not found.controls
    assert not found.without


def test_control_has_the_gate_of_a_bit_without_room() -> None:
    found = EarlyMasks.of(MICKEY_128)
    assert found.before == {("r", 159), ("s", 159)}
    assert found.controls == {"mixing"}
    assert found.without == {("s", 80)}


@pytest.mark.parametrize("cipher", CIPHERS[3:5], ids=IDS[3:5])
def test_control_that_matters_at_zero_keeps_its_value(cipher: ClockedCipher) -> None:
    assert not EarlyMasks.of(cipher).controls
