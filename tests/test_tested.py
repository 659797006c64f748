# SPDX-License-Identifier: Apache-2.0
"""Whether each property is tested: drawn mutants against it alone, and what was measured of
them."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amaranth.hdl import Assert, Module
from command_line import Capture

sys.path.append(str(Path(__file__).parents[1] / "tools"))

import tested

from headwater.api.ciphers import cipher
from headwater.api.mutation import try_properties
from headwater.cli.main import main
from headwater.errors import InputError, ToolError
from headwater.flow.mutation import MutableCore
from headwater.kinds.registry import properties, properties_of
from headwater.measure.store import open_store
from headwater.prove.checker import Proof
from headwater.prove.mutants import NAMED
from headwater.verify.alone import Trial, trial_of_core

A51 = cipher("a51").core(radix=4)
PLANNED = {one.name: one for one in tested.planned()}


def trial(folder: Path, prop: str) -> Trial:
    return trial_of_core(A51.description, A51.architecture, prop, folder)


def test_each_property_has_a_row_and_a_run_goes_on(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["verify", "a51", "--radix", "4", "--mutants", "30", "--each", "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    made = properties_of(A51.description, A51.architecture)
    assert [one["property"] for one in first] == [prop.name for prop in made]
    assert all(one["mutants"] == 30 >= one["refuted"] > 0 for one in first)
    assert all(one["first"].startswith("mutate -mode ") for one in first)
    with open_store() as store:
        rows = store.connection.execute("SELECT count(*) FROM mutant").fetchone()[0]
    assert rows == 30 * len(first)
    # What is in the store is not asked for again, by other processes neither.
    monkeypatch.setattr(MutableCore, "make", None)
    assert main([*command, "--jobs", "2"]) == 0
    assert json.loads(capsys.readouterr().out) == first


def test_mutants_are_near_what_the_property_reads(folder: Path) -> None:
    made = trial(folder, "session")
    mutations = made.mutations(30, 1)
    assert mutations == made.mutations(30, 1)
    assert mutations != made.mutations(30, 2)
    assert len(set(mutations)) == 30
    made.begin(mutations)
    made.finding(mutations[0], made.hunter)
    design = made._mutable._designs["session"]
    # A design of cycles has no clock, and a constant that stays as it is changes nothing.
    assert sum(design.reads(f"mutant_{number}") for number in range(1, 31)) > 24
    whole = (folder / "prepared.il").read_text().count("\n  cell ")
    assert 0 < len((folder / "near.txt").read_text().splitlines()) < whole / 2


def test_fewer_mutants_if_there_are_no_more(folder: Path) -> None:
    made = trial(folder, "silence")
    every = made.mutations(1_000_000, 1)
    assert len(every) == len(set(every)) > 300
    assert set(made.mutations(300, 1)) < set(every)
    core = made._mutable
    every = core.mutations(1_000_000, 1)
    assert len(every) == len(set(every)) > 3000
    assert core.mutations(len(every) - 1, 1) == every[:-1]


def test_a_property_that_says_nothing_is_not_tested(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def checker(m: Module, core: Any, _: Proof) -> None:
        m.d.comb += Assert(core.loading | ~core.loading)

    def empty(*given: Any) -> list[Any]:
        return [
            replace(one, checker=checker) for one in properties_of(*given) if one.name == "hold"
        ]

    for module in ("alone", "proof"):
        monkeypatch.setattr(f"headwater.verify.{module}.properties_of", empty)
    command = ["verify", "a51", "--radix", "4", "--mutants", "4", "--each", "--json"]
    assert main(command) == 1
    printed = capsys.readouterr()
    (row,) = json.loads(printed.out)
    assert (row["refuted"], row["first"]) == (0, "")
    assert "not tested: hold refutes no mutant" in printed.err


def test_a_check_that_the_core_fails_shows_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def checker(m: Module, core: Any, _: Proof) -> None:
        m.d.comb += Assert(core.loading)

    def wrong(*given: Any) -> list[Any]:
        return [replace(one, checker=checker) for one in properties_of(*given)]

    monkeypatch.setattr("headwater.verify.alone.properties_of", wrong)
    made = trial(folder, "hold")
    with pytest.raises(
        InputError, match="the unchanged core must keep the property hold, not: ref"
    ):
        made.finding("", made.hunter)


def test_the_first_run_is_followed_in_verilator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = tmp_path / "runs"
    (row,) = try_properties(A51, 6, only=["session"], traces=runs)
    assert row.refuted > 1
    (file,) = runs.iterdir()
    assert file.name.startswith("a51-r4-session-mutant")
    run = MutableCore._run
    monkeypatch.setattr(MutableCore, "_run", lambda *given: run(*given)[:0])
    with pytest.raises(ToolError, match="a run that refutes the property session must break it in"):
        try_properties(A51, 6, only=["session"], traces=runs)


def test_a_mutant_with_a_name() -> None:
    """Of a property that checks no cell of the core."""
    core = cipher("aes_ofb").core()
    (row,) = try_properties(core, 5, only=["sbox"])
    assert (row.mutants, row.refuted, row.first) == (1, 1, NAMED["sbox"].meaning)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--each"], "--each must come with --mutants"),
        (["--mutants", "0", "--each"], "the number of mutants must be between 1 and 1000000"),
        (["--mutants", "2", "--each", "--prove"], "--mutants must come without --prove"),
        (["--mutants", "2", "--jobs", "2"], "--jobs must come with --prove or --each"),
        (["--random-bits", "8", "--mutants", "2"], "--mutants must come without --random-bits"),
    ],
)
def test_what_cannot_be_done_is_refused(words: list[str], said: str, capsys: Capture) -> None:
    assert main(["verify", "a51", *words]) == 2
    assert said in capsys.readouterr().err


# --- what was measured


def test_every_property_of_every_kind_is_asked_for() -> None:
    assert tested.never_asked(PLANNED.values()) == []


@pytest.mark.parametrize("name", PLANNED)
def test_every_property_is_tested_in_todays_circuits(name: str) -> None:
    planned, line = PLANNED[name], tested.read_tested()[name]
    assert tested.is_current(line, planned), "python tools/tested.py measures it again"
    assert [one.property for one in tested.rows(line)] == [one.name for one in planned.asked]
    assert [one.property for one in tested.rows(line) if not one.refuted] == []


def test_no_other_core_was_measured() -> None:
    assert list(tested.read_tested()) == list(PLANNED)


def test_a_line_of_other_circuits_is_not_current() -> None:
    planned = PLANNED["a51 radix=4"]
    line = tested.read_tested()[planned.name]
    assert not tested.is_current(line | {"sha256": "0" * 64}, planned)
    assert not tested.is_current(line | {"mutants": 1}, planned)


def test_measured_again_it_is_the_same() -> None:
    planned = PLANNED["a51 radix=4"]
    names = [one.name for one in planned.asked]
    again = try_properties(planned.core, planned.mutants, seed=planned.seed, only=names)
    assert again == tested.rows(tested.read_tested()[planned.name])


def test_names_of_properties_that_kinds_share_are_unique() -> None:
    """They are found by name."""
    names = [one.name for one in properties("stepped")]
    assert len(names) == len(set(names))
