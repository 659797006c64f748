# SPDX-License-Identifier: Apache-2.0
"""What is kept of a core that somebody wrote, where it is shown, and what stands beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Capture
from hand_written import core
from library_needs import library, needs

import headwater as hw
from headwater.api import judging
from headwater.cipher.catalogue import find
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.foreign.judging import judge
from headwater.foreign.nearest import lacked_by, nearest, options_without
from headwater.foreign.settings import Settings
from headwater.measure.store import read_store
from headwater.measure.target import find as find_target

FEATURES = [
    {},
    {"stall": "none"},
    {"clear": "none"},
    {"stall": "none", "clear": "none"},
]


def written(folder: Path, text: str) -> Path:
    file = folder / "core.v"
    file.write_text(text)
    return file


# --- what a core lacks


@pytest.mark.parametrize("options", FEATURES)
def test_what_a_core_does_tells_what_its_options_left_out(
    options: dict[str, str], tmp_path: Path
) -> None:
    """The options say it of a core of ours; the analysis is told nothing of them."""
    cipher = find("bivium")
    made = generate(cipher, Architecture.choose(cipher, radix=8, options=options))
    verdict, _ = judge([written(tmp_path, made.text)], cipher, Settings())
    assert verdict.passes
    assert verdict.lacks == lacked_by(options)
    assert options_without(cipher, verdict.lacks or ()) == options


def test_a_core_that_is_only_a_datapath(tmp_path: Path) -> None:
    """Worked out by hand: key and IV are taken while the reset is one, nothing else is there."""
    text = """
        module bare (input clk, input rst, input [79:0] key, input [79:0] iv, output z);
          reg [177:1] s;
          wire t1 = s[66] ^ s[93];
          wire t2 = s[162] ^ s[177];
          assign z = t1 ^ t2;
          always @(posedge clk)
            if (rst) s <= {4'b0, iv, 13'b0, key};
            else s <= {s[176:94], t1 ^ s[91] & s[92] ^ s[171], s[92:1],
                       t2 ^ s[175] & s[176] ^ s[69]};
        endmodule
        """
    cipher = find("bivium")
    verdict, _ = judge([written(tmp_path, text)], cipher, Settings())
    assert verdict.lacks == ["setup counter", "back-pressure", "clear"]
    points = nearest(cipher, 1, verdict.lacks or (), find_target("osu018"))
    assert [(one.architecture.options["clear"], one.settings.clock_gating) for one in points] == [
        ("none", "none"),
        ("none", "auto"),
        ("shift", "none"),
        ("shift", "auto"),
    ]
    assert points[0].architecture.options["datapath"] == "apart"
    assert {one.architecture.radix for one in points} == {1}


# --- records


@needs("osu018")
def test_a_record_is_kept_and_shown(
    tmp_path: Path, capsys: Capture, store_of_its_own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, core("bivium").replace("rounds", "somebodys_secret"))
    words = [
        "bench",
        str(file),
        "--cipher",
        "bivium",
        "--target",
        "osu018",
        "--name",
        "hers",
        "--json",
    ]
    assert main(words) == 0
    (record,) = json.loads(capsys.readouterr().out)["figures"]
    with read_store() as store:
        (kept,) = store.foreign()
        assert store.results() == []
    assert kept.record == record
    assert b"somebodys_secret" not in b"".join(
        one.read_bytes() for one in store_of_its_own.parent.iterdir()
    )
    # Each of the 189 flip-flops is a DFFSR of 176 um2, and a plain one has 96; NAND2X1 has 24.
    assert record["ge_smallest"] - record["ge_plain"] == pytest.approx(189 * (176 - 96) / 24, 0.001)
    assert library("osu018").flip_flop_area_um2 == 96

    def measured(*_: object) -> None:
        raise AssertionError("what is known must not be measured again")

    monkeypatch.setattr(judging, "cost", measured)
    assert main(words) == 0
    assert json.loads(capsys.readouterr().out)["figures"] == [record]
    assert main(["results", "list", "--format", "csv"]) == 0
    assert "foreign: hers" in capsys.readouterr().out
    assert main(["results", "show", kept.id[:12]]) == 0
    assert json.loads(capsys.readouterr().out)["foreign"] == "hers"
    assert [one["foreign"] for one in hw.results(target="osu018")] == ["hers"]
    assert main(["results", "replicate", kept.id[:12], "-o", str(tmp_path / "x.tar.gz")]) == 2
    assert "sources of a foreign one" in capsys.readouterr().err
    page = tmp_path / "page.html"
    hw.report(page)
    assert '<table id="foreign">' in page.read_text()


@needs("osu018")
def test_beside_ours(tmp_path: Path, capsys: Capture) -> None:
    """Ours are the same points as `evaluate` measures; no foreign core is chosen."""
    file = written(tmp_path, core("bivium"))
    verdict = hw.bench([file], "bivium", targets=["osu018"], compare=True, name="hers")
    assert verdict.lacks == ["back-pressure"]
    assert [one["lacks"] for one in verdict.beside] == [["back-pressure"], []]
    for one in verdict.beside:
        settings = hw.Settings(clock_gating="none")
        (ours,) = hw.evaluate(
            "bivium", 1, target="osu018", settings=settings, stall=one["options"]["stall"]
        )
        assert one["ge_plain"] == ours["ge_smallest"]
    choice = hw.choose("osu018", bits_per_cycle=1, allow_broken=True)
    assert [one.record["foreign"] for one in choice.foreign] == ["hers"]
    assert choice.winner
    assert "foreign" not in choice.winner
    assert main(["choose", "--target", "osu018", "--bits-per-cycle", "1", "--allow-broken"]) == 0
    assert "foreign, hers" in capsys.readouterr().out
    assert hw.choose("osu018", bits_per_cycle=1, allow_broken=True, stall="none").foreign == ()
    words = ["bench", str(file), "--cipher", "bivium", "--target", "osu018", "--compare"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "on osu018" in out
    assert "ours, stall=none" in out


@needs("osu018")
def test_a_wrong_core_is_not_offered(tmp_path: Path) -> None:
    file = written(tmp_path, core("bivium", ("s[66]", "s[65]")))
    verdict = hw.bench([file], "bivium", targets=["osu018"])
    assert not verdict.passes
    assert verdict.figures[0]["wrong"]
    hw.evaluate("bivium", 1, target="osu018")
    assert hw.choose("osu018", bits_per_cycle=1, allow_broken=True).foreign == ()


def test_a_comparison_needs_a_target(tmp_path: Path) -> None:
    file = written(tmp_path, core("bivium"))
    with pytest.raises(InputError, match="must be on a target"):
        hw.bench([file], "bivium", compare=True)
