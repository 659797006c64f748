# SPDX-License-Identifier: Apache-2.0
"""Recipes of synthesis: each makes the same circuit, and the best netlist of all is measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from needs import needs_osu018, needs_sta
from stored import result

from headwater.cipher.catalogue import CATALOGUE
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.recipes import DEFAULT, Recipe, portfolio
from headwater.measure import asic
from headwater.measure.asic import evaluate_in_cells
from headwater.measure.figures import Figures
from headwater.measure.identity import point_identity
from headwater.measure.point import DesignPoint
from headwater.measure.record import stage_of
from headwater.measure.settings import Settings
from headwater.measure.target import AsicTarget, find
from headwater.report.figures_table import figures_tables

PERIODS = (0.3,)
"""Of the target periods only one, to save time."""

ADDER = """\
module adder(input clk, input [15:0] a, input [15:0] b, output reg [15:0] sum);
  reg [15:0] x, y;
  always @(posedge clk) begin x <= a; y <= b; sum <= x + y; end
endmodule
"""


def point(**settings: object) -> DesignPoint:
    cipher = CATALOGUE["a51"]
    return DesignPoint(cipher, Architecture.choose(cipher), find("osu018"), Settings(**settings))  # type: ignore[arg-type]


def measured(monkeypatch: pytest.MonkeyPatch, **settings: object) -> Figures:
    monkeypatch.setattr(asic, "SWEEP", PERIODS)
    asked = point(**settings)
    assert isinstance(asked.target, AsicTarget)
    return evaluate_in_cells(asked, asked.target, generate(asked.cipher, asked.architecture))


def test_other_adders_are_tried_for_wide_sums_alone(tmp_path: Path) -> None:
    assert len({recipe.adders for recipe in portfolio(ADDER, "adder", tmp_path)}) == 3
    narrow = ADDER.replace("x + y", "{x[15:7] ^ y[15:7], x[6:0] + y[6:0]}")
    recipes = portfolio(narrow, "adder", tmp_path)
    assert recipes[0] == DEFAULT == Recipe("yosys", "brent-kung")
    assert {recipe.adders for recipe in recipes} == {"brent-kung"}


@needs_osu018
@needs_sta
def test_recipes_differ_and_each_gives_the_same_bytes_again(tmp_path: Path) -> None:
    target = find("osu018")
    assert isinstance(target, AsicTarget)
    recipes = portfolio(ADDER, "adder", tmp_path)
    assert len(set(map(str, recipes))) == len(recipes)

    def netlists(period_ps: float | None) -> list[str]:
        made = [
            map_to_cells(ADDER, "adder", target.library(), tmp_path, period_ps, recipe=recipe)
            for recipe in recipes
        ]
        assert [netlist.recipe for netlist in made] == recipes
        return [netlist.verilog for netlist in made]

    small, quick = netlists(None), netlists(500.0)
    assert all(len(set(found)) > len(recipes) / 2 for found in (small, quick))
    assert quick == netlists(500.0)


@needs_osu018
@needs_sta
def test_the_best_of_all_recipes_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every netlist with a figure is simulated: a recipe that makes another circuit is an error."""
    one, best = (measured(monkeypatch, recipe=recipe).as_json() for recipe in ("yosys", "best"))
    assert one["mapping"] is None
    assert Recipe(best["mapping"]) != DEFAULT
    assert best["mbps_per_area"] > one["mbps_per_area"]
    assert best["ge_smallest"] < one["ge_smallest"]
    assert best["pareto"][0]["ge"] < one["pareto"][0]["ge"]


def test_figures_of_several_recipes_stand_apart() -> None:
    one, best = point(), point(recipe="best")
    assert str(best) == f"{one}, best of the recipes"
    assert "recipe" not in one.settings.as_json()
    assert point_identity(one, "0") != point_identity(best, "0")
    record = result("1", lut=None, ge=7.0, mapping="flow").record
    assert "recipe" not in figures_tables([record])[0].columns
    record["flow"] |= {"recipe": "best"}
    assert stage_of(record) == "synthesis, best of the recipes"
    (table,) = figures_tables([record])
    assert dict(zip(table.columns, table.rows[0], strict=True))["recipe"] == "flow"


def test_a_recipe_has_a_name_and_needs_cells() -> None:
    with pytest.raises(InputError, match=r"^recipe must be one of yosys, best, not 'fast'"):
        Settings(recipe="fast")
    cipher = CATALOGUE["a51"]
    placed = DesignPoint(
        cipher, Architecture.choose(cipher), find("ecp5-25k"), Settings(recipe="best")
    )
    assert placed.settings == Settings(clock_gating="none")
