# SPDX-License-Identifier: Apache-2.0
"""Parts of a design that are mapped each by itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture, refused
from needs import needs_osu018, needs_sta
from reproductions import EVERYWHERE, made_up

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library
from headwater.measure import asic
from headwater.measure.asic import evaluate_in_cells
from headwater.measure.effect import check_effect, effective
from headwater.measure.figures import Figures
from headwater.measure.identity import point_identity
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, stage_of
from headwater.measure.settings import FLAT, PARTS, Settings
from headwater.measure.target import AsicTarget, find
from headwater.report.printed import paper
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.papers import reproduce_paper

TWICE_INVERTED = """\
module left(input d, output y); assign y = ~d; endmodule
module right(input clk, input y, output reg q); always @(posedge clk) q <= ~y; endmodule
module both(input clk, input d, output q);
  wire y, q0;
  left l(d, y);
  right r(clk, y, q0);
  assign q = ~q0;
endmodule
"""
INVERTER, FLIP_FLOP = 2.0, 20.0
"""Areas in the small library."""


def test_no_logic_moves_between_parts(tiny: Library, folder: Path) -> None:
    """Together both inverters before the flip-flop cancel each other."""
    whole = map_to_cells(TWICE_INVERTED, "both", tiny, folder)
    assert (whole.area_um2, whole.part_areas_um2) == (INVERTER + FLIP_FLOP, {})
    apart = map_to_cells(TWICE_INVERTED, "both", tiny, folder, parts=("left", "right"))
    assert apart.area_um2 == 3 * INVERTER + FLIP_FLOP
    assert apart.part_areas_um2 == {"left": INVERTER, "right": INVERTER + FLIP_FLOP}
    assert apart.flip_flops == 1
    assert re.findall(r"^module (\w+)", apart.verilog, re.MULTILINE) == ["both"]
    one = map_to_cells(TWICE_INVERTED, "both", tiny, folder, parts=("left",))
    assert one.part_areas_um2 == {"left": INVERTER}


def point(name: str = "a51", **settings: Any) -> DesignPoint:
    cipher = CATALOGUE[name]
    return DesignPoint(cipher, Architecture.choose(cipher), find("osu018"), Settings(**settings))


def measured(monkeypatch: pytest.MonkeyPatch, asked: DesignPoint) -> Figures:
    monkeypatch.setattr(asic, "SWEEP", ())
    assert isinstance(asked.target, AsicTarget)
    return evaluate_in_cells(asked, asked.target, generate(asked.cipher, asked.architecture))


@needs_osu018
@needs_sta
@pytest.mark.parametrize("name", ["a51", "grain128aead"])
def test_a_core_in_parts_is_measured_as_another(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Its netlists are simulated, and have the words of the model."""
    flat, parts = (measured(monkeypatch, point(name, hierarchy=one)) for one in ("flat", PARTS))
    assert parts.rtl_sha256 == flat.rtl_sha256
    assert parts.ff == flat.ff
    assert parts.ge is not None
    assert flat.ge is not None
    assert parts.ge != flat.ge
    assert 0.9 * flat.ge < parts.ge < 1.2 * flat.ge
    assert parts.as_json()["energy_pj_per_bit"]


def test_figures_in_parts_stand_apart() -> None:
    flat, parts = point(), point(hierarchy=PARTS)
    assert str(parts) == f"{flat}, hierarchy parts"
    assert "hierarchy" not in flat.settings.as_json()
    assert point_identity(flat, "0") != point_identity(parts, "0")
    assert stage_of({"flow": parts.settings.as_json()}) == "synthesis, in parts"


def test_what_has_no_parts_is_refused(capsys: Capture) -> None:
    with pytest.raises(InputError, match=r"^hierarchy must be one of flat, parts, not 'kept'"):
        Settings(hierarchy="kept")
    lacks = "its cores have no datapath beside their controller"
    cells = ("evaluate", "trivium", "--target", "osu018", "--hierarchy", "parts")
    chacha20 = tuple(word.replace("trivium", "chacha20") for word in cells)
    for words, message in {
        chacha20: f"hierarchy of chacha20 must be flat, not 'parts': {lacks}",
        (
            *cells,
            "--option",
            "datapath=apart",
        ): "hierarchy parts must be of a whole core, with option datapath=inside, not 'apart'",
        (
            *cells,
            "--random-bits",
            "8",
        ): "hierarchy of a source of random bits must be flat, not 'parts'",
    }.items():
        refused(capsys, words, message)
    with pytest.raises(InputError, match=r"^hierarchy must come with a target of standard cells"):
        check_effect(["hierarchy"], [find("ecp5-25k")])
    assert effective(Settings(hierarchy=PARTS), find("ecp5-25k")).hierarchy == FLAT


@pytest.mark.parametrize(("grouped", "letter"), [(90.0, "U"), (100.0, "="), (110.0, "G")])
def test_grain_tells_which_way_is_faster(grouped: float, letter: str) -> None:
    """Beside the paper's letter stands that of the shorter period."""

    def found(one: Measurable) -> Record:
        record = made_up(one)
        if isinstance(one, DesignPoint) and one.settings.hierarchy == PARTS:
            record["fmax_mhz"] = {"median": grouped}
        return record

    made = reproduce_paper(paper("grain"), EVERYWHERE, found)
    pairs = [
        pair
        for table in made.tables
        for line in table.lines
        for pair in line.pairs
        if pair.heading == "grouping"
    ]
    assert len(pairs) == 20
    assert {pair.printed for pair in pairs} == {"U", "G"}
    assert {pair.measured for pair in pairs} == {letter}
