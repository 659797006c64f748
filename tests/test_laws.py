# SPDX-License-Identifier: Apache-2.0
"""Properties that a description states of itself: proven where true, refuted where not."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial, reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

from headwater.algebra.word import add, all_ones, rotate_left
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.checks import check_description
from headwater.cipher.description import Cipher
from headwater.cipher.law import Law, equal
from headwater.cipher.register import Register
from headwater.core.architecture import Architecture
from headwater.errors import InputError
from headwater.kinds.stepped.description import Placed
from headwater.kinds.stepped.laws import BIJECTIVE, NEVER_ZERO
from headwater.verify.proof import prove

STATING = [cipher for cipher in CATALOGUE.values() if cipher.laws]


def failures(cipher: Cipher, *laws: Law, traces: Path | None = None) -> list[str]:
    """What is wrong with properties of a description."""
    cipher = replace(cipher, laws=laws)
    records = prove(cipher, Architecture.choose(cipher), traces, only=[law.name for law in laws])
    assert [record.check for record in records] == [f"proof of {law.name}" for law in laws]
    return [line for record in records for line in record.failures]


@pytest.mark.parametrize("cipher", STATING, ids=lambda cipher: cipher.name)
def test_what_descriptions_of_the_catalogue_state(cipher: Cipher) -> None:
    assert failures(cipher, *cipher.laws) == []


def test_steps_that_are_not_bijective_are_refuted_with_a_trace(tmp_path: Path) -> None:
    """Two of three registers of A5/1 move, so that some states have several ones before them."""
    (said,) = failures(find("a51"), BIJECTIVE, traces=tmp_path)
    (trace,) = tmp_path.iterdir()
    assert said == (f"it is not true that no two states have the same successor; {trace} shows it")


def test_a_state_that_becomes_zero_is_found() -> None:
    assert failures(find("bivium"), NEVER_ZERO) == []
    assert failures(find("mickey2"), NEVER_ZERO) != []


def doubled(_wire: Any, *, word: Any) -> Any:
    return equal(add(word, word), rotate_left(word, 1))


def doubled_below(_wire: Any, *, word: Any) -> Any:
    return word[7] | equal(add(word, word), rotate_left(word, 1))


def test_a_property_of_words() -> None:
    """A word plus itself is the word turned, where its highest bit is zero."""
    right = Law("doubled", "twice a small word is the word turned", doubled_below, {"word": 8})
    assert failures(find("trivium"), right) == []
    assert failures(find("trivium"), replace(right, holds=doubled)) == [
        "it is not true that twice a small word is the word turned"
    ]


def taps(*stages: int) -> Any:
    """A register of eight stages, whose feedback is the sum of some and of one product."""
    return replace(
        find("trivium"),
        name="small",
        key_bits=8,
        iv_bits=(0,),
        lut_sums=(),
        registers=(Register("r", newest=0, oldest=7),),
        load=Placed(loaded),
        step=partial(small_step, stages=stages),
    )


def loaded(key: Any, _iv: Any) -> Any:
    return {"r": list(key)}


def small_step(wire: Any, r: Any, *, stages: Any) -> Any:
    return r(7), {"r": wire(reduce(xor, map(r, stages)) ^ (r(2) & r(4)), "fed")}


@pytest.mark.parametrize("stages", [(7,), (7, 1), (6, 3), (0, 5), (7, 6, 2)])
def test_verdicts_are_those_of_all_states_counted(stages: tuple[int, ...]) -> None:
    """The successors of all 256 states, by equations of this test: stage n is bit n."""

    def after(state: int) -> int:
        bits = [state >> stage & 1 for stage in range(8)]
        fed = reduce(xor, (bits[stage] for stage in stages)) ^ (bits[2] & bits[4])
        return state << 1 & 0xFF | fed

    successors = [after(state) for state in range(256)]
    is_bijective = len(set(successors)) == 256
    assert (failures(taps(*stages), BIJECTIVE) == []) is is_bijective
    assert (failures(taps(*stages), NEVER_ZERO) == []) is (successors.count(0) == 1)
    assert is_bijective is (7 in stages)


def two_bits(_wire: Any, *, word: Any) -> Any:
    return word[:2]


def no_word(_wire: Any, *, word: Any) -> Any:
    return len(word) == 8


@pytest.mark.parametrize(
    ("laws", "said"),
    [
        ([Law("doubled", "", two_bits, {"word": 8})], "law doubled of x must give one bit, not 2"),
        (
            [Law("doubled", "", no_word, {"word": 8})],
            "law doubled of x must give one bit, not True",
        ),
        ([BIJECTIVE, BIJECTIVE], "laws of x must have names of their own, not two of 'bijective'"),
    ],
)
def test_laws_that_are_refused(laws: list[Law], said: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        check_description(replace(find("trivium"), name="x", laws=tuple(laws)))


def test_a_law_takes_the_place_of_no_property() -> None:
    said = "law of trivium must have a name that no property has, not 'step'"
    law = Law("step", "a word is itself", doubled_below, {"word": 8})
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        failures(find("trivium"), law)


def test_names_are_identifiers() -> None:
    with pytest.raises(InputError, match=r"^name of a law must be an identifier, not 'no name'$"):
        Law("no name", "", all_ones)
