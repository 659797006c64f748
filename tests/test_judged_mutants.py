# SPDX-License-Identifier: Apache-2.0
"""One-gate mutants of a core that somebody wrote: refused, or shown to be no other core."""

from __future__ import annotations

import runpy
from pathlib import Path

from hand_written import core

from headwater.cipher.catalogue import find
from headwater.foreign.reading import read_core
from headwater.foreign.settings import Settings
from headwater.kinds.stepped.runs import run_cipher

MUTANTS = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "judged_mutants.py"))


def test_mutants_are_refused_or_equal(tmp_path: Path) -> None:
    """`|` for `^` between terms that are never both one is the same core, and the solver says so;
    the same change anywhere else is not, and is refused."""
    text = core("bivium").replace("t2 ^ s[175]", "(t2 & ~s[1] ^ t2 & s[1]) ^ s[175]")
    (tmp_path / "core.v").write_text(text)
    cipher, settings = run_cipher(find("bivium")), Settings()
    original = read_core([tmp_path / "core.v"], settings).netlist
    attempt = MUTANTS["right_attempt"](original, cipher, settings)
    assert MUTANTS["equal"](original, original, attempt)
    (tmp_path / "core.v").write_text(text.replace("~s[1] ^ t2", "~s[1] | t2"))
    same = read_core([tmp_path / "core.v"], settings).netlist
    assert MUTANTS["result"](original, same, cipher, settings) == ("equal to the core", "")
    _, mutant = next(MUTANTS["mutants"](original, "seed"))
    assert not MUTANTS["equal"](original, mutant, attempt)
    what, said = MUTANTS["result"](original, mutant, cipher, settings)
    assert what.startswith("refused")
    assert said
