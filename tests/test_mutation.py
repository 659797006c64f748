# SPDX-License-Identifier: Apache-2.0
"""Random changes of a core, and what catches them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from headwater.api.ciphers import cipher
from headwater.api.design import testbench_of as bench_of
from headwater.api.mutation import _finding as stored_finding
from headwater.cli.main import main
from headwater.errors import InputError, ToolError
from headwater.flow.mutation import MutableCore
from headwater.kinds.registry import facts_of, properties_of
from headwater.kinds.stepped.keystream import KeystreamCore
from headwater.measure.store import open_store
from headwater.verify import mutant_simulation
from headwater.verify.mutation import Hunt
from headwater.verify.mutation_score import (
    CAUGHT,
    DIFFERENT,
    EQUIVALENCE,
    EQUIVALENT,
    HUNTERS,
    MISSED,
    NO_ANSWER,
    Finding,
    scores,
)

Capture = pytest.CaptureFixture[str]

A51 = cipher("a51").core(radix=4)


def shorter(*given: Any) -> KeystreamCore:
    """A core whose last phase of the setup is a step of the radix short."""
    facts = facts_of(*given)
    *others, last = facts.cipher.phases
    phases = (*others, replace(last, steps=last.steps - 4))
    return KeystreamCore(replace(facts, cipher=replace(facts.cipher, phases=phases)))


@pytest.fixture
def hunt(folder: Path) -> Hunt:
    return Hunt(A51.description, A51.architecture, bench_of(A51), folder)


def test_mutants_are_caught_and_a_run_goes_on(capsys: Capture, tmp_path: Path) -> None:
    command = ["verify", "a51", "--radix", "4", "--mutants"]
    assert main([*command, "2", "--json", "--traces", str(tmp_path / "runs")]) == 0
    runs = sorted(one.name for one in (tmp_path / "runs").iterdir())
    assert [re.sub("-[a-z_]*.vcd", "", name) for name in runs] == [
        "a51-r4-mutant1",
        "a51-r4-mutant2",
    ]
    first = json.loads(capsys.readouterr().out)
    assert [one["against"] for one in first] == [*HUNTERS, "proofs, vectors", "all"]
    assert all(one["mutants"] == one["caught"] + one["equivalent"] for one in first[-1:])
    assert first[-1]["score_percent"] == 100.0
    with open_store() as store:
        known = store.connection.execute("SELECT count(*) FROM mutant").fetchone()[0]
    assert main([*command, "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    with open_store() as store:
        assert store.connection.execute("SELECT count(*) FROM mutant").fetchone()[0] == known >= 6


def test_a_mutant_is_the_same_circuit_for_each_hunter(hunt: Hunt) -> None:
    """A stuck register that ends the setup: every hunter says so in its own words."""
    stuck = next(
        one
        for one in hunt.mutations(1000, 1)
        if "const" in one and "-port Q" in one and "last_blank" in one
    )
    other = hunt.mutations(3, 2)
    hunt.begin([other[0], stuck, other[1]])
    said = {hunter: hunt.finding(stuck, hunter) for hunter in HUNTERS}
    assert {one.outcome for one in said.values()} == {CAUGHT}
    assert said["proofs"].by.startswith(("setup", "session"))
    assert said["testbench"].by.startswith("FAIL: a51_r4 ")
    assert hunt.finding(stuck, EQUIVALENCE).outcome == DIFFERENT


def test_run_that_breaks_nothing_in_verilator_ends_the_hunt(
    hunt: Hunt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hunt, "check_unchanged", lambda: None)
    monkeypatch.setattr("headwater.verify.mutation.Simulators", MagicMock())
    (mutation,) = some = hunt.mutations(1, 1)
    hunt.begin(some)
    run = MutableCore._run
    monkeypatch.setattr(MutableCore, "_run", lambda *given: run(*given)[:0])
    with pytest.raises(
        ToolError, match=r"a run that refutes the property [a-z_]+ must break it in"
    ):
        hunt.finding(mutation, "proofs")


def test_unchanged_core_passes_and_a_change_of_nothing_is_equivalent(hunt: Hunt) -> None:
    hunt.begin(hunt.mutations(3, 1))
    for hunter in HUNTERS:
        assert hunt.finding("", hunter).outcome == MISSED
    assert hunt.finding("", EQUIVALENCE).outcome == EQUIVALENT


def test_only_findings_of_proofs_depend_on_the_properties(
    hunt: Hunt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one property alone the others are the same, and with another core none is."""

    def other(name: str, **changed: object) -> Hunt:
        with monkeypatch.context() as patch:
            for what, value in changed.items():
                patch.setattr(f"headwater.verify.mutation.{what}", value)
            (tmp_path / name).mkdir()
            return Hunt(A51.description, A51.architecture, bench_of(A51), tmp_path / name)

    fewer = other("fewer", properties_of=lambda *given: properties_of(*given)[:1])
    changed = other("changed", build=shorter)
    assert fewer.mutations(50, 1) == hunt.mutations(50, 1)
    mutation, hunters = hunt.mutations(1, 1)[0], (*HUNTERS, EQUIVALENCE)
    same = [
        name for name in hunters if fewer.identity(mutation, name) == hunt.identity(mutation, name)
    ]
    assert same == ["vectors", "testbench", EQUIVALENCE]
    for name in hunters:
        assert changed.identity(mutation, name) != hunt.identity(mutation, name)


def test_no_answer_is_not_kept(hunt: Hunt, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another run there may be more time; what is an answer is asked once."""
    mutation = hunt.mutations(1, 1)[0]
    asked: list[str] = []

    def finding(one: str, hunter: str) -> Finding:
        asked.append(hunter)
        return Finding(one, hunter, NO_ANSWER if hunter == "proofs" else MISSED)

    monkeypatch.setattr(hunt, "finding", finding)
    with open_store() as store:
        for _ in range(2):
            for hunter in ("proofs", "vectors"):
                stored_finding(store, hunt, "a51", mutation, hunter)
    assert asked == ["proofs", "vectors", "proofs"]


def test_core_that_fails_already_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.verify.mutation.build", shorter)
    hunt = Hunt(A51.description, A51.architecture, bench_of(A51), folder)
    with pytest.raises(InputError, match="the unchanged core must keep the property setup"):
        hunt.check_unchanged()


def test_scores() -> None:
    table = {
        "m0": (CAUGHT, CAUGHT, CAUGHT, None),
        "m1": (MISSED, CAUGHT, MISSED, DIFFERENT),
        "m2": (MISSED, MISSED, MISSED, EQUIVALENT),
        "m3": (NO_ANSWER, MISSED, MISSED, DIFFERENT),
        "m4": (MISSED, MISSED, MISSED, DIFFERENT),
    }
    findings = [
        Finding(mutant, hunter, outcome)
        for mutant, outcomes in table.items()
        for hunter, outcome in zip((*HUNTERS, EQUIVALENCE), outcomes, strict=True)
        if outcome
    ]
    by_name = {score.hunters: score for score in scores(findings)}
    proofs, everything = by_name["proofs"], by_name["all"]
    assert (proofs.caught, proofs.equivalent, proofs.no_answer, proofs.holes) == (
        1,
        1,
        1,
        ("m1", "m4"),
    )
    assert proofs.percent == 25.0
    assert (everything.caught, everything.no_answer, everything.holes) == (2, 1, ("m4",))
    assert everything.percent == 50.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--mutants", "0"], "the number of mutants must be between 1 and 1000000, not 0"),
        (["--mutants", "2", "--prove"], "--mutants must come without --prove"),
        (["--mutants", "2", "--radix", "1,2"], "--mutants must come with one radix, not 2"),
    ],
)
def test_what_cannot_be_done_is_refused(words: list[str], said: str, capsys: Capture) -> None:
    assert main(["verify", "a51", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_mistake_of_the_machine_catches_no_mutant(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error, as a folder that cannot be written."""

    def refused(*_given: object) -> None:
        raise InputError("cache folder must be writable")

    simulators = object.__new__(mutant_simulation.Simulators)
    monkeypatch.setattr(simulators, "_engine", SimpleNamespace(), raising=False)
    monkeypatch.setattr(simulators, "_architecture", None, raising=False)
    monkeypatch.setattr(simulators, "_parts", lambda: iter([None]), raising=False)
    monkeypatch.setattr(mutant_simulation, "check_vectors", refused)
    with pytest.raises(InputError, match=r"^cache folder must be writable$"):
        simulators.vectors(1)


def test_a_core_that_never_waits(folder: Path) -> None:
    """Its keystream has no `ready`, so the mutants have none."""
    core = cipher("a51").core(radix=4, stall="none")
    hunt = Hunt(core.description, core.architecture, bench_of(core), folder)
    [mutation] = hunt.mutations(1, seed=1)
    hunt.begin([mutation])
    assert hunt.finding(mutation, "vectors").outcome == CAUGHT
    hunt.close()
