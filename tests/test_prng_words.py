# SPDX-License-Identifier: Apache-2.0
"""Sources of random bits that are watched by the words they make."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from amaranth.hdl import Cat, Const, Module, Value
from needs import needs_iverilog
from test_prng import simulated

from headwater.api.ciphers import cipher
from headwater.errors import InputError
from headwater.flow import sat
from headwater.flow.verilator import lint_files
from headwater.kinds.stepped.prng.core import PrngCore
from headwater.kinds.stepped.prng.model import PrngInputs, PrngModel
from headwater.kinds.stepped.prng.properties import properties_of_source
from headwater.kinds.stepped.prng.word_watch import WordWatch
from headwater.verify import prng_proof
from headwater.verify.prng_c import c_faults
from headwater.verify.prng_proof import prove_one

SOURCE = cipher("bivium").random_bits(64, lockup="words")
PROPERTIES = {prop.name: prop for prop in properties_of_source(SOURCE.shape)}


@needs_iverilog
@pytest.mark.parametrize(
    ("name", "bits", "more"),
    [
        ("trivium", 64, {}),
        ("bivium", 130, {"instances": 2, "reset": "async"}),
        ("trivium", 96, {"seed_by": "state"}),
    ],
)
def test_verilog_and_c_are_the_model(
    tmp_path: Path, name: str, bits: int, more: dict[str, Any]
) -> None:
    """With cores whose state is made zero."""
    made = cipher(name).random_bits(bits, lockup="words", **more)
    files = made.files(testbench=True)
    assert simulated(tmp_path, files).startswith("PASS")
    assert not list(c_faults(made.shape))
    core = f"{made.name}_core.v"
    wrong = files | {
        core: files[core].replace("zero_before <= &zero_groups", "zero_before <= 1'b0")
    }
    assert wrong != files
    assert simulated(tmp_path, wrong).startswith("FAIL")


def seeded(bits: int = 64) -> PrngModel:
    model = cipher("trivium").random_bits(bits, lockup="words").model()
    while not model.clock(PrngInputs(seed_valid=True, seed=1)).valid:
        pass
    return model


def test_words_until_a_state_of_zeros_is_told() -> None:
    """By hand: the word that was there, five of zeros, of which two are compared, one waits in each
    stage and one comes with the flag; then the error."""
    model = seeded()
    model.zero(1)
    out = [model.clock(PrngInputs(en=True)) for _ in range(20)]
    assert [one.error for one in out] == [number >= 5 for number in range(20)]
    assert out[0].prng != 0
    assert [one.prng for one in out[1:6]] == [0] * 5
    assert out[-1].prng != 0
    assert not seeded().clock(PrngInputs(en=True)).error


def test_nothing_is_found_while_nobody_asks() -> None:
    model = seeded()
    model.zero(1)
    assert not any(model.clock(PrngInputs()).error for _ in range(20))
    found = [model.clock(PrngInputs(en=number % 3 == 0)).error for number in range(20)]
    assert found.index(True) < 18


@pytest.mark.parametrize("name", ["known", "leaves", "tells", "truthful", "warns"])
def test_a_property_is_proven(name: str) -> None:
    assert prove_one(SOURCE.shape, PROPERTIES[name]).failures == ()


class _NoGroup(WordWatch):
    """Does not look at the first group."""

    def connect(self, m: Module, word: Value, **given: Value) -> None:
        super().connect(m, word | Const(0xFFFF, len(word)), **given)


class _OneWord(WordWatch):
    """Takes one word of zeros for two."""

    @property
    def finds(self) -> Value:
        return self.before


class _Blind(WordWatch):
    """Finds a word that is not zero behind one that is."""

    @property
    def finds(self) -> Value:
        return self.before & ~self.groups.all()


class _PutsNothingIn(PrngCore):
    """Tells of a state of zeros, and leaves it."""

    def _mixed(self, name: str, stepped: Value) -> Value:
        return super()._mixed(name, stepped) & Cat(*self.locked).any().replicate(len(stepped)) ^ (
            super()._mixed(name, stepped)
        )


@pytest.mark.parametrize(
    ("place", "kind", "prop"),
    [
        ("headwater.kinds.stepped.prng.core.WordWatch", _NoGroup, "known"),
        ("headwater.kinds.stepped.prng.core.WordWatch", _Blind, "tells"),
        ("headwater.kinds.stepped.prng.core.WordWatch", _OneWord, "truthful"),
        ("headwater.verify.prng_proof.PrngCore", _PutsNothingIn, "leaves"),
        ("headwater.verify.prng_proof.PrngCore", PrngCore, ""),
    ],
    ids=["known", "tells", "truthful", "leaves", "right"],
)
def test_a_wrong_watch_is_refuted_from_some_step_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str, kind: type, prop: str
) -> None:
    monkeypatch.setattr(place, kind)
    names = {prop} if prop else {"known", "tells", "truthful", "leaves"}
    text = prng_proof._read(SOURCE.shape, names, "FROM_ANY_STEP")
    assert sat.holds(sat.Check(text, 3, by_induction=False), tmp_path) == (not prop)


def test_the_assertions_are_lint_clean() -> None:
    found = SOURCE.files(properties=True)
    files = {name: text for name, text in found.items() if name.endswith((".v", "properties.sv"))}
    assert lint_files(SOURCE.name, files) == []


@pytest.mark.parametrize(
    ("name", "bits", "more", "message"),
    [
        (
            "grain_v1",
            64,
            {},
            (
                "lockup of grain_v1 must be watch or none, not 'words': its output is not zero "
                "when registers are stuck at zero"
            ),
        ),
        (
            "mickey2",
            2,
            {},
            (
                "lockup of mickey2 must be watch or none, not 'words': its output is not zero when "
                "registers are stuck at zero"
            ),
        ),
        (
            "trivium",
            63,
            {},
            (
                "bits of each core of a source with lockup=words must be at least 64, so that two "
                "words are zero by chance once in 2^128, not 63"
            ),
        ),
        (
            "trivium",
            64,
            {"state_port": True},
            "lockup of a source with a state port must be watch or none, not 'words'",
        ),
    ],
)
def test_refusals(name: str, bits: int, more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        cipher(name).random_bits(bits, lockup="words", **more)
