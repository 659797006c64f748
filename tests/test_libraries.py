# SPDX-License-Identifier: Apache-2.0
"""Libraries by name, their FO4, and the power of their flip-flops."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import Capture
from library_needs import TOOLS, found, library, needs

from headwater.cli.main import main
from headwater.errors import ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.fo4 import fo4_ps
from headwater.flow.liberty import load_library
from headwater.flow.power import power
from headwater.measure.libraries import ALIASES, LIBRARIES, ROOT_VARIABLES
from headwater.measure.target import TARGETS, AsicTarget, find

# Names


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("sky130hd", "sky130hd/sky130_fd_sc_hd__tt_025C_1v80.lib.gz"),
        ("sky130hd", "sky130A/libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__tt_025C_1v80.lib"),
        (
            "sky130hd-ss",
            "ciel/sky130/versions/0f/sky130A/libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__ss_n40C_1v40.lib",
        ),
        ("sky130hd-ff", "libs.ref/sky130_fd_sc_hd/lib/sky130_fd_sc_hd__ff_100C_1v95.lib"),
        (
            "gf180mcu",
            (
                "gf180mcuD/libs.ref/gf180mcu_fd_sc_mcu7t5v0/lib/"
                "gf180mcu_fd_sc_mcu7t5v0__tt_025C_5v00.lib"
            ),
        ),
        (
            "ihp_sg13g2-slow",
            (
                "IHP-Open-PDK/ihp-sg13g2/libs.ref/sg13g2_stdcell/lib/"
                "sg13g2_stdcell_slow_1p08V_125C.lib"
            ),
        ),
        ("gt2n-hvt", "gt2n/lib/gt2_6t_w13_hvt_tt_0p7v25c.lib"),
        ("asap7", "asap7/asap7sc7p5t_RVT_TT_0p70V_25C_merged_subset.lib.gz"),
    ],
)
def test_usual_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str
) -> None:
    for variable in ROOT_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
        path = tmp_path / variable / file
        path.parent.mkdir(parents=True)
        path.touch()
    target = find(name)
    assert isinstance(target, AsicTarget)
    assert not target.liberty.exists()
    for variable in reversed(ROOT_VARIABLES):
        monkeypatch.setenv(variable, str(tmp_path / variable))
        assert target.liberty == tmp_path / variable / file


def test_threshold_is_part_of_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_PDK_ROOT", str(tmp_path))
    monkeypatch.delenv("PDK_ROOT", raising=False)
    (tmp_path / "asap7sc7p5t_SLVT_TT_0p70V_25C_merged_subset.lib").touch()
    assert LIBRARIES["asap7-lvt"].find() is None
    assert LIBRARIES["asap7-slvt"].find()


def test_library_that_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ROOT_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    message = (
        "library sky130hd was not found: no file sky130_fd_sc_hd__tt_025C_1v80.lib[.gz] as neither "
        "HEADWATER_PDK_ROOT nor PDK_ROOT is set; get it with: pip install ciel; ciel enable "
        "--pdk-family sky130 VERSION; export PDK_ROOT=~/.ciel"
    )
    with pytest.raises(ToolError, match=f"^{re.escape(message)}$"):
        library("sky130hd")
    monkeypatch.setenv("PDK_ROOT", str(tmp_path))
    with pytest.raises(ToolError, match=f"below PDK_ROOT={re.escape(str(tmp_path))}; get it with"):
        library("sky130hd")


def test_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    osu = LIBRARIES["osu018"]
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    message = (
        f"library osu018 was not found: no file osu018_stdcells.lib[.gz] in {osu.folder}; "
        "get it with: apt-get install qflow-tech-osu018"
    )
    with pytest.raises(ToolError, match=f"^{re.escape(message)}$"):
        osu.require()


def test_list_tells_what_is_found(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ROOT_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    assert main(["list", "targets", "--json"]) == 0
    found = {one["target"]: one["found"] for one in json.loads(capsys.readouterr().out)}
    assert found.keys() == TARGETS.keys()
    assert found["ecp5-25k"]
    assert not found["sky130hd"]
    assert not found["gt2n-ulvt"]


def test_aliases_are_no_targets_of_their_own() -> None:
    assert not ALIASES.keys() & TARGETS.keys()
    for alias, name in ALIASES.items():
        assert find(alias) is TARGETS[name]


# FO4


@pytest.mark.skipif(not TOOLS or not found(), reason="needs sta and a library")
def test_fo4_in_plausible_order() -> None:
    delays = {name: fo4_ps(library(name)) for name in found()}
    assert all(5 < delay < 1000 for delay in delays.values())
    for fast, slow in (
        ("sky130hd-ff", "sky130hd"),
        ("sky130hd", "sky130hd-ss"),
        ("osu018", "osu035"),
        ("ihp_sg13g2-fast", "ihp_sg13g2"),
        ("ihp_sg13g2", "ihp_sg13g2-slow"),
        ("asap7-slvt", "asap7-lvt"),
        ("asap7-lvt", "asap7-rvt"),
        ("asap7-rvt", "sky130hd-ff"),
        ("gt2n-ulvt", "gt2n-lvt"),
        ("gt2n-lvt", "gt2n-svt"),
        ("gt2n-svt", "gt2n-hvt"),
        ("gf180mcu-5v0", "gf180mcu-1v8"),
    ):
        if {fast, slow} <= delays.keys():
            assert delays[fast] < delays[slow], (fast, slow)


# Power of flip-flops

FLIP_FLOP_POWER_UW = (0.02, 300.0)
"""Of one at 100 MHz, in any of these technologies."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs(name))
        for name in ("osu035", "sky130hd", "ihp_sg13g2", "gf180mcu-1v8", "asap7-slvt", "gt2n-hvt")
    ],
)
def test_every_flip_flop_has_internal_power(name: str, tmp_path: Path) -> None:
    """Without operating conditions where the timer looks for them there would be none."""
    cells = library(name)
    toggle = "module m(input clk, d, output reg q); always @(posedge clk) q <= d; endmodule\n"
    mapped = map_to_cells(toggle, "m", cells, tmp_path)
    measured = power(mapped.verilog, cells, "m", {}, 10.0, tmp_path)
    low, high = FLIP_FLOP_POWER_UW
    assert low < 1e6 * measured.internal < high


@needs("osu018")
@pytest.mark.parametrize("default", ["before", "absent"])
def test_default_conditions_that_a_timer_would_miss(default: str, tmp_path: Path) -> None:
    text = LIBRARIES["osu018"].require().read_text()
    line = "default_operating_conditions : typical;"
    assert line in text
    moved = text.replace(line, "")
    if default == "before":
        moved = moved.replace("operating_conditions (", f"{line}\n  operating_conditions (", 1)
    (tmp_path / "moved.lib").write_text(moved)
    cells, usual = load_library(tmp_path / "moved.lib"), library("osu018")
    assert (cells.lost_conditions, usual.lost_conditions) == ("typical", "")
    toggle = "module m(input clk, d, output reg q); always @(posedge clk) q <= d; endmodule\n"
    netlist = map_to_cells(toggle, "m", usual, tmp_path).verilog
    found = [power(netlist, which, "m", {}, 10.0, tmp_path) for which in (cells, usual)]
    assert found[0] == found[1]
