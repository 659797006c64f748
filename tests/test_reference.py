# SPDX-License-Identifier: Apache-2.0
"""The results that come with the package: what they are found by, and that own results win."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reproductions import EVERYWHERE
from stored import Capture, figures, point, pretend

from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.codesign import run as systems
from headwater.codesign.sweep import scenarios
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.measure import identity, layers
from headwater.measure.estimate import estimated_seconds
from headwater.measure.figures import Figures
from headwater.measure.layers import CURRENT, STALE, UNCHECKED, LayeredStore
from headwater.measure.point import DesignPoint
from headwater.measure.reference import (
    FILE,
    MARK,
    Entry,
    Reference,
    as_lines,
    read_reference,
    words_of,
)
from headwater.measure.replicate import point_of
from headwater.measure.settings import LAYOUT, Settings
from headwater.measure.store import Result, empty_store, open_store
from headwater.measure.target import TARGETS
from headwater.measure.work import write_rtl
from headwater.report.printed import paper
from headwater.report.reproduce.papers import needed
from headwater.report.reproduce.targets import Targets

DOCUMENTS = Path(__file__).parents[1] / "docs"

AT = point(64)
VERILOG = generate(TRIVIUM, AT.architecture)


def entry(at: DesignPoint = AT, lut: int = 700, **members: Any) -> Entry:
    """An entry that measuring here would give again, but for ``members`` of the record."""
    record = json.loads(json.dumps(figures(at, lut).as_json()))
    record |= {"tools": at.target.tools(), **members}
    generator = identity.rtl_identity(at.cipher, at.architecture)
    circuit = generate(at.cipher, at.architecture).circuit_sha256
    result = Result("1234", record, 20.0, "2026-01-01T00:00:00+00:00")
    return Entry("point", words_of(at), generator, circuit, result)


@contextmanager
def layered(*entries: Entry) -> Iterator[LayeredStore]:
    with empty_store() as own:
        yield LayeredStore(own, Reference(entries))


def test_the_same_results_give_the_same_bytes(tmp_path: Path) -> None:
    entries = [entry(), entry(point(1)), entry(point(8))]
    text = as_lines(entries)
    assert text == as_lines(entries[::-1])
    path = tmp_path / "reference.jsonl"
    path.write_text(text)
    assert as_lines(read_reference(path).entries("point")) == text


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "reference.jsonl"
    path.write_text('{"kind": "point"}\n')
    with pytest.raises(InputError, match="the reference must be lines of JSON"):
        read_reference(path)


def test_what_is_measured_alike_is_found() -> None:
    with layered(entry()) as store:
        found = store.find_point(AT, VERILOG)
        assert found
        assert found.record["lut"] == 700
        assert found.record[MARK] is True


@pytest.mark.parametrize(
    "members",
    [
        {"tools": {"yosys": "0.1"}},
        {"target": "ice40-hx8k"},
        {"cipher": "a51"},
        {"flow": {"seeds": 2}},
        {"settings": {"library_sha256": "0"}},
    ],
    ids=lambda members: next(iter(members)),
)
def test_what_is_measured_otherwise_is_not(members: Mapping[str, Any]) -> None:
    with layered(entry(**members)) as store:
        assert store.find_point(AT, VERILOG) is None


def test_another_circuit_is_not_found_but_another_version_in_its_header_is() -> None:
    with layered(entry()) as store:
        changed = replace(VERILOG, text=VERILOG.text.replace("t1", "t9"))
        assert store.find_point(AT, changed) is None
        assert store.find_point(AT, replace(VERILOG, text=f"// later\n{VERILOG.text}"))


def test_own_results_win() -> None:
    own = json.loads(json.dumps(figures(AT, 1).as_json()))
    with layered(entry(), entry(point(1))) as store:
        store.keep(Result(identity.point_identity(AT, VERILOG.circuit_sha256), own, 1.0, "2025"))
        store.keep_rtl(identity.rtl_identity(TRIVIUM, AT.architecture), VERILOG)
        assert [one.record["lut"] for one in store.results()] == [1, 700]
        assert [one.record["radix"] for one in store.results(prefix="1234")] == [1]
        assert store.results(cipher="a51") == store.results(target="spartan3") == []
        known = store.known(AT)
        assert known
        assert known.record["lut"] == 1
        assert [one.seconds for one in store.times("ecp5-25k")] == [1.0]


def test_times_of_the_reference_estimate_what_was_never_measured() -> None:
    with layered(entry(), entry(point(1))) as store:
        assert estimated_seconds(store, [AT]) == (20.0, 0)
        assert estimated_seconds(store, [replace(AT, target=TARGETS["osu018"])]) == (0.0, 1)


def test_a_layout_takes_other_time_than_a_synthesis() -> None:
    osu018 = TARGETS["osu018"]
    laid_out = replace(point(1, target="osu018"), settings=Settings(stage=LAYOUT))
    with layered(entry(point(1, target="osu018"))) as store:
        assert estimated_seconds(store, [laid_out]) == (0.0, 1)
        record = json.loads(json.dumps(figures(laid_out, 1).as_json()))
        store.keep(Result("1", record, 600.0, "2025"))
        assert estimated_seconds(store, [laid_out]) == (600.0, 0)
        assert estimated_seconds(store, [replace(AT, target=osu018)]) == (1280.0, 0)


def test_a_wider_core_takes_longer_in_proportion() -> None:
    with layered(entry(point(8)), entry(point(32))) as store:
        keep = [(point(8), 10.0), (point(32), 30.0)]
        for at, seconds in keep:
            record = json.loads(json.dumps(figures(at, 1).as_json()))
            store.keep(
                Result(identity.point_identity(at, VERILOG.circuit_sha256), record, seconds, "2025")
            )
        estimates = {1: 10.0, 8: 10.0, 16: 20.0, 32: 30.0, 64: 60.0, 288: 270.0}
        for radix, seconds in estimates.items():
            assert estimated_seconds(store, [point(radix)]) == (seconds, 0)
        assert estimated_seconds(store, map(point, estimates)) == (sum(estimates.values()), 0)


def test_stale_points_are_known_once_the_circuit_is() -> None:
    old = replace(entry(), generator="before", circuit="another")
    for one, unknown, known in (
        (entry(), CURRENT, CURRENT),
        (replace(entry(), generator="before"), UNCHECKED, CURRENT),
        (old, UNCHECKED, STALE),
    ):
        with layered(one) as store:
            assert store.state(one, TRIVIUM, AT.architecture) == unknown
            assert store.known(AT) is not None
            store.keep_rtl(identity.rtl_identity(TRIVIUM, AT.architecture), VERILOG)
            assert store.state(one, TRIVIUM, AT.architecture) == known
            assert (store.known(AT) is None) == (known == STALE)


def test_a_system_is_shown_until_its_circuit_is_known_to_be_another() -> None:
    shipped = read_reference(FILE)
    (system,) = scenarios([TRIVIUM], ["vexriscv"], ["bus"], [0], [64], driver="polling")
    words = (systems.words_of(part, baseline) for part, baseline in systems.parts_of(system))
    own, *software = filter(None, map(shipped.system, words))
    assert software
    assert system.architecture
    for circuit in (own.circuit, "another"):
        old = replace(own, generator="before", circuit=circuit, result=replace(own.result, id="0"))
        with layered(old, *software) as store:
            assert systems.stored(system, store)
            made = generate(TRIVIUM, system.architecture)
            store.keep_rtl(identity.rtl_identity(TRIVIUM, system.architecture), made)
            assert (systems.stored(system, store) is None) == (circuit == "another")


# The verbs


def reference_of(entries: list[Entry], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(as_lines(entries))
    monkeypatch.setenv("HEADWATER_REFERENCE", str(path))


def test_verbs_use_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def refuse(at: DesignPoint) -> Figures:
        raise AssertionError(f"{at} must not be measured")

    pretend(monkeypatch, refuse)
    reference_of([entry()], tmp_path / "reference.jsonl", monkeypatch)
    words = ["evaluate", "trivium", "--radix", "64", "--seeds", "1", "--json"]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert [record[MARK] for record in json.loads(printed.out)] == [True]
    assert "1 of them are of the reference; --again measures them" in printed.err
    assert main(["results", "list"]) == 0
    assert "reference" in capsys.readouterr().out
    assert main(["choose", "--bits-per-cycle", "64"]) == 0
    assert "trivium" in capsys.readouterr().out


def compared(capsys: Capture) -> tuple[int, list[Any], str]:
    status = main(["reproduce", "estream", "--table", "table4", "--check", "--stored", "--json"])
    printed = capsys.readouterr()
    return status, json.loads(printed.out), printed.err


def test_figures_are_compared_with_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    targets = Targets(EVERYWHERE.slices, EVERYWHERE.fpga, EVERYWHERE.cells)
    points = [
        one
        for one in needed(paper("estream"), targets, "table4", for_claims=False)
        if isinstance(one, DesignPoint)
    ]
    changed = next(at for at in points if at.target.name == "ecp5-25k")
    reference_of([entry(at) for at in points], tmp_path / "reference.jsonl", monkeypatch)
    assert compared(capsys)[:2] == (
        2,
        [
            {
                "paper": "estream-phase2-fpga-asic-2007",
                "table": "table4",
                "verdict": "not measured",
                "compared": 0,
                "missing": 30,
                "largest": 0.0,
                "differences": [],
            },
        ],
    )
    for fmax, status, verdict, wrong in (
        (100.0, 0, "equal", 0),
        (109.0, 0, "within tolerance", 0),
        (111.0, 1, "differs", 3),
    ):
        with open_store() as store:
            for at in points:
                verilog = generate(at.cipher, at.architecture)
                made = figures(at, 700, fmax if at == changed else 100.0).as_json()
                one = Result(identity.point_identity(at, verilog.circuit_sha256), made, 1.0, "2026")
                store.keep_rtl(identity.rtl_identity(at.cipher, at.architecture), verilog)
                store.keep(one)
        given, (found,), said = compared(capsys)
        assert (given, found["verdict"], len(found["differences"])) == (status, verdict, wrong)
        assert f"{len(points)} points and systems are compared; 0 of them must be" in said


def test_the_check_tells_its_time_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    points = needed(paper("estream"), EVERYWHERE, "table5", for_claims=False)
    reference_of([entry(at) for at in points], tmp_path / "reference.jsonl", monkeypatch)
    words = ["reproduce", "estream", "--check", "--dry-run", "--wide", "--jobs", "2"]
    assert main([*words, "--subset", "quick"]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 10  # of 20 s each, in 200 s
    assert "about 2 min, 2 at a time" in printed.err
    assert main(words) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(points)


def test_a_quick_check_is_of_every_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """The quickest point of each table that a paper's time is enough for, even if others would be
    quicker."""
    tables = {
        name: [
            one
            for one in needed(paper("estream"), EVERYWHERE, name, for_claims=False)
            if isinstance(one, DesignPoint)
        ]
        for name in ("table4", "table5", "table6")
    }
    seconds = {"table4": 10.0, "table5": 60.0, "table6": 300.0}
    entries = [entry(at) for points in tables.values() for at in points]
    took = [seconds[name] for name, points in tables.items() for _ in points]
    timed = [
        replace(one, result=replace(one.result, seconds=time))
        for one, time in zip(entries, took, strict=True)
    ]
    reference_of(timed, tmp_path / "reference.jsonl", monkeypatch)
    words = ["reproduce", "estream", "--check", "--subset", "quick"]
    assert main([*words, "--dry-run", "--wide"]) == 0
    chosen = capsys.readouterr().out.splitlines()
    assert [
        sum(line.startswith(name) for line in chosen) for name in ("grain_v1", "trivium", "a51")
    ] == [10, 1, 0]
    assert main([*words, "--stored", "--json"]) == 2
    verdicts = {one["table"]: one["verdict"] for one in json.loads(capsys.readouterr().out)}
    assert verdicts["table4"] == verdicts["table5"] == "not measured"
    assert verdicts["table6"] == "not compared"
    assert len(verdicts) == 9


def test_a_subset_is_of_a_check(capsys: Capture) -> None:
    assert main(["reproduce", "estream", "--subset", "quick"]) == 2
    assert "--subset must go with --check" in capsys.readouterr().err


# What is shipped


def test_the_reference_is_sorted_lines() -> None:
    reference = read_reference(FILE)
    entries = [one for kind in ("point", "system", "area") for one in reference.entries(kind)]
    assert as_lines(entries) == FILE.read_text(encoding="utf-8")


def test_default_store_is_layered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADWATER_REFERENCE")
    with layers.read_layered() as store:
        assert len(store.results()) == len(read_reference(FILE).entries("point"))


def test_circuits_of_trivium_are_those_of_today() -> None:
    """Those of all ciphers take half a minute: tools/reference.py --check."""
    entries = [
        one for one in read_reference(FILE).entries("point") if one.words["cipher"] == "trivium"
    ]
    assert len(entries) > 10
    for one in entries:
        at = point_of(dict(one.words), TARGETS[one.words["target"]])
        assert write_rtl(at.cipher, at.architecture).circuit_sha256 == one.circuit, one.words


@pytest.mark.parametrize(
    ("words", "document"),
    [(["all"], "reproduced.txt"), (["eth", "--layout"], "laid-out.txt")],
    ids=["all", "laid out"],
)
def test_a_fresh_install_prints_the_document(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, words: list[str], document: str
) -> None:
    """Without tools, libraries or a store."""
    monkeypatch.delenv("HEADWATER_REFERENCE")
    monkeypatch.delenv("HEADWATER_PDK_ROOT", raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["reproduce", *words, "--stored"]) == 0
    printed = capsys.readouterr()
    assert printed.out == (DOCUMENTS / document).read_text(encoding="utf-8")
    assert "stale" not in printed.err
