# SPDX-License-Identifier: Apache-2.0
"""The comparison with public cores: its rows are cores of ours, and its ratios are right."""

from __future__ import annotations

import json
import os
import re
import runpy
import statistics
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from headwater.kinds.registry import facts_of
from headwater.measure.plan import read_plan
from headwater.measure.point import DesignPoint
from headwater.measure.reference import FILE
from headwater.report.study.peers import is_bare, name_of, on_fpga, peers, sources

ROOT = Path(__file__).parents[1]
RACE = runpy.run_path(str(ROOT / "benchmarks" / "race.py"))
RACED = (ROOT / "docs" / "raced.txt").read_text(encoding="utf-8")
FREE, BARE, DEFAULT, SOURCES = RACE["FORMS"]
PEER = {
    "cipher": "trivium",
    "peer": "a/b",
    "radix": 2,
    "bits_per_cycle": 2,
    "source": False,
    "without": ["setup counter", "handshake", "clear"],
    "ge": {"none": 1800, "auto": 1500},
    "mappings": {
        "balanced": {"lut": 300, "fmax_by_seed": [90.0, 100.0, 130.0]},
        "speed": {"lut": 400, "fmax_by_seed": [120.0] * 3},
    },
}


def record(bits: float, lut: int, ge: float) -> dict[str, Any]:
    """The figures that the race looks at; the fastest mapping is not the best one."""
    mappings = {
        "balanced": {"lut": lut, "fmax_by_seed": [100.0] * 3},
        "speed": {"lut": 2 * lut, "fmax_by_seed": [180.0] * 3},
    }
    return {
        "bits_per_cycle": bits,
        "mappings": mappings,
        "ge_smallest": ge,
        "ff_ge": 4.0,
        "fmax_mhz": {"median": 10 * ge},
    }


def test_the_plan_has_what_stands_beside_public_cores() -> None:
    wanted = {
        RACE["point"](peer, form, target, gating)
        for form in RACE["FORMS"]
        for peer in peers()
        if form.beside(peer)
        for target in ("ecp5-25k", "osu018")
        for gating in ("auto", "none")
    }
    told: list[str] = []
    assert set(read_plan(ROOT / "docs" / "raced.toml", told.append)) == wanted
    assert not told


def test_ours_is_about_as_wide_as_the_core_beside_it() -> None:
    for peer in peers():
        at = RACE["point"](peer, SOURCES if peer["source"] else FREE, "osu018")
        bits = facts_of(at.cipher, at.architecture).bits_per_cycle
        assert 0.9 <= bits / peer["bits_per_cycle"] <= 1.5, name_of(peer)


def test_datapaths_alone_stand_beside_bare_cores_only() -> None:
    bare = [peer for peer in peers() if BARE.beside(peer)]
    assert {peer["peer"] for peer in bare} == {"uclcrypto/randomness_for_hardware_masking"}
    assert all({"setup counter", "handshake"} <= {*peer["without"]} for peer in bare)
    assert not is_bare({"without": ["handshake", "clear"]})
    assert BARE.options == {"stall": "none", "clear": "none", "datapath": "apart"}
    assert (FREE.options, DEFAULT.options) == ({"stall": "none", "clear": "none"}, {})
    for form in (FREE, DEFAULT):
        assert not any(form.beside(peer) for peer in peers() if SOURCES.beside(peer))


def test_every_public_core_is_told_apart_and_measured() -> None:
    names = [name_of(row) for row in sources()]
    assert len(set(names)) == len(names)
    measured = [peer for peer in peers() if "files" in peer]
    assert len(measured) == len(names) - 1
    for peer in measured:
        assert len(peer["commit"]) == 40
        assert peer["ge"].keys() == {"none", "auto"}, name_of(peer)
    other = {"files", "top", "clock", "folder", "models", "roms", "parameters", "ports"}
    known = other | PEER.keys() | {"commit", "load_width", "options", "note", "circuit", "verdict"}
    assert set().union(*peers()) <= known


def test_the_document_is_printed_from_the_reference() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "race.py")]
    environment = {**os.environ, "HEADWATER_REFERENCE": str(RACE["REFERENCE"])}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout == RACED


def last_lines(title: str) -> tuple[list[str], list[str]]:
    """Means and rows behind of a table of the document."""
    lines = RACED.split(f"{title}\n")[1].split("\n\n")[0].splitlines()
    assert [line.split()[:2] for line in lines[-2:]] == [["geometric", "mean"], ["rows", "behind"]]
    return lines[-2].split()[2:], re.findall(r"\d+ of \d+", lines[-1])


def test_the_readme_has_the_means_of_the_document() -> None:
    def told(form: Any, gating: str) -> str:
        means, behind = last_lines(f"{form.title}, {RACE['GATES'][gating]}")
        return f"{means[-1]} ({behind[-1]} rows behind)"

    def rate(form: Any) -> str:
        means, behind = last_lines(f"{form.title}, on ECP5, each side in its best mapping")
        return f"{means[-1]} ({behind[-1]} rows behind)"

    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for form, name in ((DEFAULT, "default:"), (FREE, "free-running,")):
        row = f"{rate(form)} | {told(form, 'none')} | {told(form, 'auto')} |"
        assert re.search(rf"\| {name} [^|]* \| {re.escape(row)}", readme)


def test_ratios_above_one_are_ahead() -> None:
    on_the_fpga, cells = RACE["on_the_fpga"], RACE["cells"]
    named = ["trivium", 4, "b", "setup counter, handshake, clear"]
    made = record(4, 150, 1000)
    assert on_the_fpga(PEER, made) == [*named, 150, 100, 300, 100, 2, 1, 4]
    assert cells(PEER, made, "none") == [*named, 1000, 1800, 1.8, 3.6]
    assert cells(PEER, made, "auto") == [*named, 1000, 1500, 1.5, 3]


def test_what_is_not_known_is_absent() -> None:
    unknown = [None, "b", "setup counter, handshake, clear", None]
    assert RACE["cells"](PEER, None, "none") == ["trivium", *unknown, 1800, None, None]
    assert RACE["on_the_fpga"]({**PEER, "mappings": {}}, record(2, 150, 1000))[4:] == [
        150,
        100,
        None,
        None,
        None,
        None,
        None,
    ]
    assert RACE["cells"]({**PEER, "ge": {}}, record(2, 150, 1000), "none")[5:] == [None] * 3


def test_figures_on_the_fpga_are_of_one_netlist() -> None:
    """That of the most throughput per LUT; one that is not routed has no clock."""
    assert on_fpga(PEER) == {"way": "balanced", "lut": 300, "fmax_mhz": 100}
    fast = {
        "area": {"lut": 90, "fmax_by_seed": [10.0]},
        "speed": {"lut": 100, "fmax_by_seed": [90.0]},
        "balanced": {"lut": 80, "not_routed": "stopped"},
    }
    assert on_fpga({"mappings": fast}) == {"way": "speed", "lut": 100, "fmax_mhz": 90}
    fast["speed"] = fast["area"] = {"lut": 90, "not_routed": "stopped"}
    assert on_fpga({"mappings": fast}) == {"way": "balanced", "lut": 80, "fmax_mhz": None}
    assert on_fpga(None) == {"way": None, "lut": None, "fmax_mhz": None}


def test_means_are_geometric_and_rows_behind_are_counted() -> None:
    rows = [["a", 1, "x", 2.0, 0.5], ["b", 1, "y", None, 0.996], ["c", 1, "z", 4.5, 4.0]]
    table = RACE["summed_up"](("name", "bits", "core", "one", "two"), rows, 2)
    assert table.rows == [
        ["a", 1, "x", 2.0, 0.5],
        ["b", 1, "y", None, 1.0],
        ["c", 1, "z", 4.5, 4.0],
        ["geometric mean", None, None, 3.0, 1.26],
        ["rows behind", None, None, "0 of 2", "2 of 3"],
    ]


def test_what_the_default_form_costs() -> None:
    """The state of Trivium has 1152 GE."""
    found = {"stream": record(1, 150, 1440), "none": record(1, 100, 1152)}

    def known(at: DesignPoint) -> SimpleNamespace:
        options = at.architecture.options
        bare = options.get("datapath") == "apart"
        return SimpleNamespace(record=record(1, 90, 1200) if bare else found[options["stall"]])

    store = SimpleNamespace(known=known)
    costs = RACE["costs"]
    row = ["trivium", 2, 1.5, 1.0, 1.25, 1.25]
    assert costs([PEER, PEER], store).rows == [[*row, 1.04, 1.0, 1.25]]
    whole = {**PEER, "without": ["clear"]}
    assert costs([whole], store).rows == [[*row, None, 1.0, 1.25]]
    assert costs([{**PEER, "source": True}], store).rows == []


def test_figures_of_stored_points_are_of_the_best_mapping() -> None:
    """The names of the ways of mapping say what each aims at, not what it reaches."""
    slower = compared = 0
    for file in (FILE, RACE["REFERENCE"]):
        for line in file.read_text(encoding="utf-8").splitlines():
            made = json.loads(line)["record"]
            ways = {
                way: statistics.median(facts["fmax_by_seed"]) / facts["lut"]
                for way, facts in (made.get("mappings") or {}).items()
                if "fmax_by_seed" in facts
            }
            if ways:
                assert made["flow"]["objective"] == "balanced"
                assert ways[made["mapping"]] == max(ways.values())
            if {"balanced", "speed"} <= ways.keys():
                clocks = {way: ways[way] * made["mappings"][way]["lut"] for way in ways}
                compared += 1
                slower += clocks["speed"] < clocks["balanced"]
    page = " ".join((ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8").split())
    assert "`speed` is slower than `balanced` in four of ten stored points" in page
    assert round(10 * slower / compared) == 4


@pytest.mark.parametrize("radix", [1, 8])
def test_the_bare_register_that_waits_has_the_enable_alone(radix: int) -> None:
    waiting = runpy.run_path(str(ROOT / "benchmarks" / "waiting.py"))
    register = waiting["shift_register"](16, radix)
    luts, clocks = waiting["measured"](register, waiting["PLACED"]["ecp5-25k"], range(0))
    # Two are of the registers that the enable reads, which inputs change.
    assert (luts, clocks) == (3, [])
