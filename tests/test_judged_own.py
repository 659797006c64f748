# SPDX-License-Identifier: Apache-2.0
"""What is kept of judging our own cores and their mutants: docs/judged-own.txt and
docs/judged-mutants.txt."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.foreign.verdict import NO, OPEN, YES
from headwater.kinds.stepped.runs import is_of_bits, is_read

ROOT = Path(__file__).parents[1]
OWN = (ROOT / "docs" / "judged-own.txt").read_text(encoding="utf-8").splitlines()
MUTANTS = (ROOT / "docs" / "judged-mutants.txt").read_text(encoding="utf-8").splitlines()
TOOL = runpy.run_path(str(ROOT / "benchmarks" / "judged_own.py"))
CHANGED = runpy.run_path(str(ROOT / "benchmarks" / "judged_mutants.py"))


def rows() -> dict[str, list[str]]:
    """By cipher: radix, and the result of each layer."""
    cells = [re.match(r"(\S+) +(\d+) +" + rf"({YES}|{NO}|{OPEN}) +" * 4, line) for line in OWN[1:]]
    assert all(cells)
    return {one[1]: [*one.groups()[1:]] for one in cells if one}


def test_every_cipher_of_the_catalogue_is_judged() -> None:
    assert [*rows()] == [*CATALOGUE]
    for name, (radix, *_) in rows().items():
        assert int(radix) == Architecture.choose(CATALOGUE[name]).radix


def test_no_own_core_is_called_wrong_and_ciphers_of_bits_are_proven() -> None:
    for name, (_, *layers) in rows().items():
        assert NO not in layers, name
        cipher = CATALOGUE[name]
        if is_of_bits(cipher) and cipher.service == "keystream":
            assert layers[:3] == [YES] * 3, name


def test_ciphers_of_words_are_proven_but_for_the_counters_of_kasumi() -> None:
    words = [name for name, one in CATALOGUE.items() if is_read(one) and not is_of_bits(one)]
    proven = {name for name in words if rows()[name][1:4] == [YES] * 3}
    assert proven == set(words) - {"kasumi_f8", "a53", "gea3"}
    assert {name for name in proven if rows()[name][4] != YES} == {"kcipher2"}


@pytest.mark.parametrize("name", ["bivium", "enocoro128v2", "a53"])
def test_a_row_is_what_the_tool_says(name: str) -> None:
    row = TOOL["_judged"](name)
    assert [*row[1:6]] == rows()[name]


def test_mutants_that_are_no_equal_are_all_refused_by_their_bit() -> None:
    *lines, summary = MUTANTS
    kept = [line for line in lines if not line.endswith(CHANGED["EQUAL"])]
    assert summary.startswith(f"{len(kept)} of {len(kept)} mutants that are no equal")
    assert len(kept) == 100
    for name, radix in CHANGED["OWN"]:
        own = [line for line in kept if line.startswith(f"{name} radix {radix}: ")]
        assert len(own) == 20
        assert all(re.search(f": {CHANGED['NAMED']}: .+", line) for line in own)
