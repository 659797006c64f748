# SPDX-License-Identifier: Apache-2.0
"""The comparison with public cores: its rows are cores of ours, and its ratios are right."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from headwater.api.optimizing import Optimum
from headwater.api.records import Records
from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.report.study.peers import Peer, peers
from headwater.verify.check import check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.vector_files import read_file

ROOT = Path(__file__).parents[1]
RACE = runpy.run_path(str(ROOT / "benchmarks" / "race.py"))
(GRAIN_128,) = runpy.run_path(str(RACE["RELATIVES"]))["CIPHERS"]


def record(target: str, bits: float, figure: float) -> dict[str, object]:
    """The figures that the race looks at: a frequency of 100 MHz, and an area."""
    mappings = {"balanced": {"lut": figure}, "speed": {"fmax_by_seed": [90.0, 100.0, 130.0]}}
    return {"target": target, "bits_per_cycle": bits, "mappings": mappings, "ge_smallest": figure}


@pytest.mark.parametrize("forms_of", RACE["FORMS"].values(), ids=["free", "bare", "default"])
def test_every_row_has_a_core_of_ours_with_about_as_many_bits_per_cycle(
    monkeypatch: pytest.MonkeyPatch, forms_of: Callable[[Peer], Sequence[Mapping[str, str]]]
) -> None:
    monkeypatch.setitem(CATALOGUE, GRAIN_128.name, GRAIN_128)
    for peer in RACE["asked_for"]([]):
        for options in forms_of(peer):
            architecture = Architecture.choose(
                CATALOGUE[peer["cipher"]], radix=peer["radix"], load_width=peer.get("load_width"),
                options={**options, **peer.get("options", {})},
            )  # fmt: skip
            assert RACE["is_about_as_wide"](peer, architecture), peer


def test_datapaths_alone_stand_beside_bare_peers_only() -> None:
    free, bare, default = RACE["FORMS"].values()
    for peer in peers():
        (whole,), (asked, *others) = free(peer), bare(peer)
        assert default(peer) == [{}]
        assert "datapath" not in whole
        assert asked == whole | ({"datapath": "apart"} if "bare" in peer else {})
        assert others == ([whole] if "bare" in peer else [])
    assert 0 < sum("bare" in peer for peer in peers()) < len(peers())


def test_the_search_is_among_cores_of_about_the_same_width() -> None:
    (peer,) = (one for one in peers() if one["cipher"] == "chacha20")
    fits = {
        fold: RACE["is_about_as_wide"](peer, Architecture.choose(
            CATALOGUE["chacha20"], radix=512, options={"fold": fold, "buffer": "none"}
        ))
        for fold in ("round", "double", "quarter")
    }  # fmt: skip
    assert fits == {"round": True, "double": False, "quarter": False}


@pytest.mark.parametrize("target", ["ecp5-25k", "osu018"])
def test_smaller_and_wider_cores_are_better(target: str) -> None:
    asked, smaller, wider = (
        RACE["worth"](record(target, bits, figure))
        for bits, figure in ((10, 500), (10, 400), (12, 500))
    )
    assert asked * 1.25 == pytest.approx(smaller)
    assert asked * 1.2 == pytest.approx(wider)


def test_what_a_search_chose_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"cipher": "zuc", "radix": 32, "target": "osu018", "options": {"sbox": "algebraic"}}
    best = {**asked, "options": {"sbox": "small"}}
    found = [
        Optimum(best, asked, Records([]), 1.1, True),
        Optimum(asked, asked, Records([]), 1, True),
    ]
    RACE["tell_changes"]([*found, *found])
    assert capsys.readouterr().out == "zuc radix 32 on osu018: sbox=small\n\n"


def test_a_whole_core_stands_beside_a_bare_peer_if_it_is_better(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    areas = {"apart": 1000, "inside": 900}

    def found(
        _peer: Peer, target: str, _goal: object, options: dict[str, str], _: object
    ) -> Optimum:
        named = {"cipher": "mickey2", "radix": 4, "options": options}
        made = record(target, 4, areas[options.get("datapath", "inside")]) | named
        return Optimum(made, made, Records([]), 1, True)

    monkeypatch.setitem(RACE["best_of"].__globals__, "search", found)
    forms = RACE["as_bare"]({"bare": True}, {})
    best = RACE["best_of"]({}, "osu018", forms, None)
    assert (best.asked["ge_smallest"], best.best["ge_smallest"]) == (1000, 900)
    RACE["tell_changes"]([best])
    assert capsys.readouterr().out == "mickey2 radix 4 on osu018: datapath=inside\n\n"
    areas["inside"] = 1100
    assert RACE["best_of"]({}, "osu018", forms, None).best["ge_smallest"] == 1000


def test_the_document_is_printed_from_the_reference() -> None:
    """In a process of its own, as it adds a cipher to the catalogue."""
    command = [sys.executable, str(ROOT / "benchmarks" / "race.py"), "--stored"]
    environment = {**os.environ, "HEADWATER_REFERENCE": str(RACE["REFERENCE"])}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout == (ROOT / "docs" / "raced.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("radix", [1, 5, 32])
def test_grain_128_gives_its_published_keystreams(
    monkeypatch: pytest.MonkeyPatch, radix: int
) -> None:
    monkeypatch.setitem(CATALOGUE, GRAIN_128.name, GRAIN_128)
    file = read_file(ROOT / "benchmarks" / "vectors" / "grain128.json", GRAIN_128)
    at = Architecture.choose(GRAIN_128, radix=radix)
    for engine in (ModelEngine(GRAIN_128), RtlEngine(GRAIN_128, at)):
        record = check_vectors(file, engine, at)
        assert (record.passed, record.skipped, record.failures) == (2, 0, ())


def test_the_readme_has_the_means_of_the_document() -> None:
    text = (ROOT / "docs" / "raced.txt").read_text(encoding="utf-8")
    means = [line.split()[-2:] for line in text.splitlines() if line.startswith("geometric mean")]
    _, free, _, bare, default, _ = means
    told = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert (
        f"they have {free[0]} times the throughput per LUT and {free[1]} times the bits per cycle "
        f"and GE in the mean, {bare[0]} and {bare[1]} where of ours the datapath alone stands "
        f"beside a public core that is no more; the default ones, which wait and are cleared, "
        f"{default[0]} and {default[1]} times as they are."
    ) in told


def test_ratios_above_one_are_ahead() -> None:
    peer = {"cipher": "trivium", "peer": "a/b", "bits_per_cycle": 2, "lut": 300, "fmax_mhz": 100,
            "ge": 1500}  # fmt: skip
    same = [record(target, 2, figure) for target, figure in (("ecp5-25k", 300), ("osu018", 1500))]
    better = [record("ecp5-25k", 4, 100), record("osu018", 3, 1000)]
    rows = [RACE["compared"](peer, *own) for own in (same, better)]
    assert [row["ratio"] for row in rows] == [
        {"lut": 1, "fmax": 1, "ge": 1}, {"lut": 3, "fmax": 1, "ge": 1.5},
    ]  # fmt: skip
    assert [(row["rate_per_lut"], row["bits_per_ge"]) for row in rows] == [(1, 1), (6, 2.25)]
    assert RACE["mean"](rows)[-2:] == [2.45, 1.5]
    assert RACE["shown"](rows[1]) == ["trivium", 4, "b", 100, 100, 1000, 3, 1, 1.5, 6, 2.25]


def test_the_nearest_form_is_the_least_behind_in_luts_and_in_clock() -> None:
    peer = {"lut": 300, "fmax_mhz": 125}
    made = [record("ecp5-25k", 1, lut) for lut in (200, 300, 400)]
    assert [RACE["ahead_in_both"](peer, one) for one in made] == [0.8, 0.8, 0.75]


def test_rows_that_are_behind_are_shown_on_the_fpga_only() -> None:
    """In the document each such row stands in a table of its own, without figures in cells. One
    that is behind by less than half of the last digit has a ratio of one."""
    text = (ROOT / "docs" / "raced.txt").read_text(encoding="utf-8")
    tables = text.split("rows that are behind")[1:]
    assert len(tables) == len(RACE["FORMS"])
    wholes = [text.split(f"{form}\n")[1] for form in RACE["FORMS"]]
    for whole, nearest in zip(wholes, tables, strict=True):
        rows = [line.split() for line in whole.split("geometric mean")[0].splitlines()[2:]]
        ratios = {tuple(row[:3]): min(float(row[6]), float(row[7])) for row in rows}
        behind = [row for row, ratio in ratios.items() if ratio < 1]
        head, _, *found = nearest.split("\n\n")[0].splitlines()[1:]
        assert "GE" not in head
        shown = [tuple(row.split()[:3]) for row in found]
        assert [row for row in shown if ratios[row] < 1] == behind
        assert max(ratios[row] for row in shown) <= 1


def test_what_the_default_form_costs() -> None:
    """A row for each core, also where it stands beside two peers, one of them bare; the state of
    Trivium has 1152 GE."""

    def core(lut: float, ge: float, mhz: float) -> tuple[dict[str, object], dict[str, object]]:
        clock = {"fmax_mhz": {"median": mhz}}
        named = {"id": "one", "cipher": "trivium", "radix": 1, "ff_ge": 4.0, "options": {}}
        fpga = record("ecp5-25k", 1, lut) | {"lut": lut, "ff": 300} | clock
        return fpga, record("osu018", 1, ge) | named | clock

    free, default = core(100, 1152, 200), core(150, 1440, 100)
    fpga, cells = core(80, 1080, 200)
    alone = (fpga, {**cells, "options": {"datapath": "apart"}})
    assert RACE["costs"]([free, free], [alone, free], [default, default]).rows == [
        ["trivium", 1, 1.5, 1.12, 0.5, 1.25, 0.5, 0.94, 1.0, 1.25]
    ]
    assert RACE["costs"]([free], [free], [default]).rows[0][7] is None


@pytest.mark.parametrize("radix", [1, 8])
def test_the_bare_register_that_waits_has_the_enable_alone(radix: int) -> None:
    waiting = runpy.run_path(str(ROOT / "benchmarks" / "waiting.py"))
    register = waiting["shift_register"](16, radix)
    luts, clocks = waiting["measured"](register, waiting["PLACED"]["ecp5-25k"], range(0))
    # Two are of the registers that the enable reads, which inputs change.
    assert (luts, clocks) == (3, [])
