# SPDX-License-Identifier: Apache-2.0
"""Cores of ciphers of words: state found, step and setup proven, and one wrong gate refused by its
bit."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from headwater.algebra import bitstring
from headwater.algebra.word import add, rotate_left
from headwater.cipher.catalogue import find
from headwater.cipher.register import Register
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.foreign.judging import judge
from headwater.foreign.nonzero import never_zero
from headwater.foreign.reading import read_core
from headwater.foreign.settings import Settings
from headwater.foreign.verdict import LAYERS, NO, YES, Verdict
from headwater.kinds.registry import kind_of
from headwater.kinds.stepped.description import Phase
from headwater.kinds.stepped.runs import Runs, filled_up, run_cipher
from headwater.kinds.stepped.word_cipher import Entered, WordCipher

MUTANTS = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "judged_mutants.py"))


def verilog(name: str) -> str:
    """The core of a cipher, as anyone's."""
    cipher = find(name)
    return generate(cipher, Architecture.choose(cipher)).text


def judged(folder: Path, text: str, name: str) -> Verdict:
    """What is said of a core that is told nothing but the cipher's name."""
    file = folder / "core.v"
    file.write_text(text)
    return judge([file], find(name), Settings())[0]


@pytest.mark.parametrize(
    ("name", "iv_bits"),
    [("enocoro128v2", 64), ("zkcrypt", 128), ("zkcrypt", 96), ("snow2", 128), ("kasumi", 64)],
)
def test_runs_of_words_are_the_model(name: str, iv_bits: int) -> None:
    """Runs side by side, with another key and IV in each, give the keystream of the model, which
    reads the description with integers."""
    cipher = run_cipher(find(name))
    sessions = [(bytes(range(n, n + 16)), bytes(range(n, n + iv_bits // 8))) for n in (3, 90)]
    strings = [cipher.input_bits(key, iv, iv_bits) for key, iv in sessions]
    key, iv = (
        [one | other << 1 for one, other in zip(*bits, strict=True)]
        for bits in zip(*strings, strict=True)
    )
    runs = Runs(cipher, key, iv, 2)
    for _ in range(cipher.blank_steps):
        runs.step()
    made = [bit for _ in range(3) for bit in runs.step()]
    for number, (one, other) in enumerate(sessions):
        model = kind_of(cipher).keystream(cipher, key=one, iv=other, iv_bits=iv_bits)
        expected = bitstring.from_bytes(model.read(len(made)), cipher.bit_order)
        assert sum((bit >> number & 1) << n for n, bit in enumerate(made)) == expected


def test_zeros_fill_a_short_iv_where_the_description_says() -> None:
    assert filled_up(run_cipher(find("zkcrypt")), [1] * 96, 0) == [1] * 96 + [0] * 32


@pytest.mark.parametrize("name", ["enocoro128v2", "zkcrypt"])
def test_a_core_of_words_is_proven_in_all_layers(tmp_path: Path, name: str) -> None:
    verdict = judged(tmp_path, verilog(name), name)
    assert [verdict.result(layer) for layer in LAYERS] == [YES] * 4
    assert verdict.radix == Architecture.choose(find(name)).radix


def test_a_fault_in_rare_states_is_named_by_its_bit(tmp_path: Path) -> None:
    """Published vectors and random states do not meet it."""
    right = "s <= loading ? 32'h0 : data;"
    text = verilog("zkcrypt")
    assert text.count(right) == 1
    verdict = judged(tmp_path, text.replace(right, f"{right[:-1]} ^ &f;"), "zkcrypt")
    assert verdict.result("vectors") == YES
    assert verdict.result("step") == NO
    assert verdict.wrong == ["s(0), in s[0], from states that are rare"]


def test_mutants_of_a_core_of_words_are_refused_by_their_bit(tmp_path: Path) -> None:
    file = tmp_path / "core.v"
    file.write_text(verilog("zkcrypt"))
    cipher, settings = run_cipher(find("zkcrypt")), Settings()
    core = read_core([file], settings).netlist
    told = [
        MUTANTS["result"](core, mutant, cipher, settings)
        for _, (_, mutant) in zip(range(4), MUTANTS["mutants"](core, "words"), strict=False)
    ]
    assert {what for what, _ in told} <= {MUTANTS["NAMED"], MUTANTS["EQUAL"]}
    assert [said for what, said in told if what == MUTANTS["NAMED"]]


def test_registers_that_are_never_zero_are_found() -> None:
    """Register a turns round; b and c may become zero."""
    cipher = WordCipher(
        name="turning",
        title="a register that turns",
        source="none",
        security="none",
        key_bits=16,
        iv_bits=(8,),
        bit_order="lsb_first",
        convention="none",
        registers=tuple(Register(name, newest=0, oldest=7) for name in "abc"),
        load=Entered((Phase("load", 3),), enter=_enter),
        lanes=_lanes,
        lane_names="a byte",
        phases=(Phase("turn", 1),),
        step=_turned,
        word_bits=8,
    )
    assert never_zero(cipher, 60.0) == ("a",)


def _turned(wire: Any, a: Any, b: Any, c: Any, **_: Any) -> tuple[Any, dict[str, Any]]:
    both = wire(add(a, b), "both")
    return both ^ c, {"a": rotate_left(a, 3), "b": both, "c": b}


def _enter(_wire: Any, a: Any, b: Any, _c: Any, *, entering: Any, **_: Any) -> dict[str, Any]:
    return {"a": entering, "b": a, "c": b}


def _lanes(key: Any, iv: Any) -> tuple[Any, ...]:
    string = [*key, *iv]
    return tuple(string[place::8] for place in range(8))
