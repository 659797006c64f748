# SPDX-License-Identifier: Apache-2.0
"""Bad input: some of the lines that `tools/bad_input.py` tries, all of them in a sentence."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import bad_input

EVERY = 29
"""So that it takes about two seconds."""
VERBS = (
    "list",
    "show",
    "keystream",
    "encrypt",
    "decrypt",
    "mac",
    "generate",
    "choose",
    "results",
    "report",
    "new-cipher",
)
"""The verbs that run no tool."""
CASES = [words for words in bad_input.cases() if words[:1] and words[0] in VERBS]


def test_there_are_many() -> None:
    assert len(bad_input.cases()) > 500
    assert {words[0] for words in bad_input.cases() if words} >= set(bad_input.VERBS)


def test_some_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "files"
    bad_input.make_files(folder)
    monkeypatch.setenv("HEADWATER_STORE", str(folder / "store"))
    faults = {words: bad_input.fault(words, folder) for words in CASES[::EVERY]}
    assert {words: wrong for words, wrong in faults.items() if wrong} == {}


def test_what_is_not_refused_is_a_fault(tmp_path: Path) -> None:
    assert bad_input.fault(("list",), tmp_path).startswith("status 0: ")
    changed = ("generate", "trivium", "-o", ".")
    assert bad_input.fault(changed, tmp_path).startswith("status 0: ")
