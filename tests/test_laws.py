# SPDX-License-Identifier: Apache-2.0
"""Properties that a description states of itself: proven where true, refuted where not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from headwater.algebra.word import add, all_ones, rotate_left
from headwater.cipher.catalogue import CATALOGUE, find
from headwater.cipher.description import Cipher
from headwater.cipher.law import Law, equal
from headwater.core.architecture import Architecture
from headwater.errors import InputError
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


def test_names_are_identifiers() -> None:
    with pytest.raises(InputError, match=r"^name of a law must be an identifier, not 'no name'$"):
        Law("no name", "", all_ones)
