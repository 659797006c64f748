# SPDX-License-Identifier: Apache-2.0
"""Every verb that prints rows: in each format, and never wider than the terminal."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import vector, write_vectors
from made_up import made_up, made_up_system
from stored import Capture

from headwater.api.records import Records
from headwater.cli import codesign, evaluation, optimization
from headwater.cli.main import main
from headwater.cli.parser import build_parser
from headwater.measure.point import DesignPoint
from headwater.measure.run import Outcome
from headwater.measure.store import Failure, now, open_store

LONG = "a reason that is longer than a line of a terminal, such as what a tool printed last. " * 3
RESULTS = [
    made_up("grain128aeadv2", 32),
    made_up("trivium", 288, area_um2=123456789.125, ge=987654.5, power_mw=1.23456789),
    made_up("vest32-ae", 64, "sky130_fd_sc_hd__ss_100C_1v40.lib"),
]
COMPARED = {
    "bit_serial": None,
    "interface_efficiency": 0.123456,
    "speedup_hw": 1234567.89,
    "speedup_hw_sw": 12345.67,
    "baseline_cycles_per_128_bits": 123456.78,
}
SYSTEMS = [
    made_up_system(
        "grain128aeadv2",
        "axi4lite",
        123456.789,
        wait_states=255,
        **COMPARED,
        baseline="word-parallel C, riscv64-unknown-elf-gcc 12.2.0 -O2",
    ),
    made_up_system("snow3g", "custom3", 3.5, **COMPARED, baseline=None),
]

LINES = {
    "list": ["list", "targets"],
    "verify": ["verify", "trivium", "--engine", "model", "--vectors", "vectors.json"],
    "vectors": ["vectors", "vectors.json"],
    "evaluate": ["evaluate", "trivium,grain_v1"],
    "optimize": ["optimize", "grain128aeadv2", "--radix", "32", "--target", "osu018"],
    "choose": ["choose", "--max-area", "1000"],
    "reproduce": ["reproduce", "hw-sw", "--stored", "--table", "table2"],
    "study": ["study", "masking-randomness", "--stored", "--target", "osu018,xc7"],
    "codesign": ["codesign", "trivium,phelix"],
    "results list": ["results", "list"],
    "results diff": ["results", "diff", "store/results.sqlite", "other.sqlite"],
    "doctor": ["doctor"],
}
FURTHER = [
    ["list"],
    ["study"],
    ["list", "options", "vest4-ae"],
    ["list", "interfaces"],
    ["results", "list", "--failed"],
]


def verbs_with_rows(parser: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from verbs_with_rows(below, f"{name} {word}".strip())
        elif action.dest == "format" and "--format" in action.option_strings:
            yield name


def test_every_verb_with_rows_is_tried() -> None:
    assert set(verbs_with_rows(build_parser())) == set(LINES)


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something is stored, and what would be measured is made up."""
    with open_store() as store, open_store(tmp_path / "other.sqlite") as other:
        for place, result in enumerate(RESULTS):
            store.keep(result)
            other.keep(replace(result, record={**result.record, "area": 7 + place}))
        store.fail(Failure("f" * 64, LONG, LONG, 1.0, now()))

    def outcomes(points: list[DesignPoint], *_given: object, **_named: object) -> Iterator[Outcome]:
        yield from (
            Outcome(point, result.record) for point, result in zip(points, RESULTS, strict=False)
        )

    def forms(points: list[DesignPoint], *_given: object) -> Iterator[Outcome]:
        for point in points:
            yield Outcome(point, RESULTS[0].record | {"options": point.architecture.options})

    monkeypatch.setattr(evaluation, "measured", outcomes)
    monkeypatch.setattr(optimization, "measured", forms)
    monkeypatch.setattr(
        codesign, "simulated", lambda *_, **__: Records(one.record for one in SYSTEMS)
    )
    write_vectors(tmp_path / "vectors.json", vector())
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("words", [*LINES.values(), *FURTHER], ids=" ".join)
def test_rows(capsys: Capture, words: list[str]) -> None:
    def printed(*more: str) -> str:
        assert main([*words, *more]) in (0, 1)
        return capsys.readouterr().out

    table = printed()
    assert len(table.splitlines()) > 1
    assert max(map(len, table.splitlines())) <= 80
    heading, *rows = csv.reader(printed("--format", "csv").splitlines())
    assert {len(row) for row in rows} == {len(heading)}
    assert json.loads(printed("--format", "json")) == json.loads(printed("--json"))
    assert [line for line in printed("--format", "md").splitlines() if line.startswith("| ---")]
