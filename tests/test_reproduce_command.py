# SPDX-License-Identifier: Apache-2.0
"""`headwater reproduce`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from command_line import Capture
from reproductions import EVERYWHERE, PAPERS, made_up

from headwater.cli.main import main
from headwater.codesign.scenario import Scenario
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.sweep import Sweep
from headwater.report.printed import paper, papers
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.counts import Counts, counts
from headwater.report.reproduce.papers import needed, reproduce_paper
from headwater.report.reproduce.targets import Targets

# The verb


def words(*rest: str) -> list[str]:
    return ["reproduce", *rest]


def test_stored_figures_alone(capsys: Capture) -> None:
    assert main(words("estream", "--stored", "--table", "table1")) == 0
    text = capsys.readouterr().out
    assert "the descriptions" in text
    assert "18 printed values, 18 with a measured counterpart of the same" in text
    assert main(words("all", "--stored", "--json")) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(PAPERS)


def test_dry_run_names_what_is_not_stored(capsys: Capture) -> None:
    assert main(words("spartan", "--table", "fig7", "--dry-run", "--wide")) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 12
    assert all(
        " on spartan3" in line or " on ecp5-25k" in line for line in printed.out.splitlines()
    )
    assert printed.err == (
        "0 of 12 points and systems are stored\n12 design point(s)\n"
        "nothing is known of how long that would take\n"
    )


def test_chips_are_laid_out_if_asked_for(capsys: Capture) -> None:
    assert main(words("eth", "--layout", "--dry-run", "--wide")) == 0
    points = capsys.readouterr().out.splitlines()
    laid_out = [point for point in points if point.endswith(" on osu018 after layout")]
    assert len(laid_out) == 9
    assert all(point.endswith(" on spartan3") for point in set(points) - set(laid_out))
    for wrong in (["estream"], ["all"], ["eth", "--table", "ranges"]):
        assert main(words(*wrong, "--layout", "--dry-run")) == 2
        assert "layout must be with tables of chips after layout" in capsys.readouterr().err


def test_laid_out_chips_stand_beside_themselves_before() -> None:
    def measured(point: Measurable) -> Record:
        before = {"ge_before": 900.0, "fmax_mhz_before": 120.0, "energy_pj_per_bit_before": 1.5}
        return made_up(point) | {"layout": before}

    laid_out = replace(EVERYWHERE, stage="layout")
    (table,) = reproduce_paper(paper("eth"), laid_out, measured).tables
    for line in table.lines:
        said = {pair.heading: pair.measured for pair in line.pairs}
        assert said["GE without layout"] == 900.0
        assert said["fmax without layout"] == 120.0
        assert said["energy without layout"] == 1.5


def test_wrong_names(capsys: Capture) -> None:
    assert main(words("estreem")) == 2
    assert "paper must be one of " in capsys.readouterr().err
    assert main(words("estream", "--table", "table13", "--stored")) == 2
    assert "table of estream-phase2-fpga-asic-2007 must be one of table1" in capsys.readouterr().err


def test_either_stored_figures_or_what_is_missing(capsys: Capture) -> None:
    assert main(words("estream", "--stored", "--dry-run")) == 2
    said = capsys.readouterr().err
    assert said.startswith("headwater: argument --dry-run: not allowed with argument --stored")


@pytest.mark.parametrize(
    ("word", "target", "legal"),
    [
        ("slices", "ecp5-25k", "spartan3, xc7"),
        ("fpga", "spartan3", "ecp5-25k"),
        ("cells", "ecp5-25k", "osu018"),
    ],
)
def test_each_role_has_targets_of_its_kind(
    capsys: pytest.CaptureFixture[str], word: str, target: str, legal: str
) -> None:
    assert main(["reproduce", "eth", f"--{word}", target]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"headwater: target of {word} must be one of {legal}")
    assert said.endswith(f"not '{target}'\n")


def test_shift_registers_are_in_luts_where_the_paper_has_them() -> None:
    def measured(point: Measurable) -> Record:
        return made_up(point) | {
            "mappings": {"area": {"slices": 7}, "area without SRL": {"slices": 70}}
        }

    (table,) = reproduce_paper(paper("spartan3"), EVERYWHERE, measured, "table2").tables
    lines = {tuple(line.key.values())[:2]: line.pairs[0].measured for line in table.lines}
    assert lines["trivium", "ref20 (SRL16)"] == 7
    assert lines["trivium", "proposed"] == 70


def test_transistors_of_two_thresholds() -> None:
    """They are compared where there is a library that has both, and else absent."""

    def measured(point: Measurable) -> Record:
        leaks = not isinstance(point, Scenario) and point.target.name == "asap7-lvt"
        return made_up(point) | {"power_at_100khz_mw": 0.5 if leaks else 0.1}

    made = reproduce_paper(paper("grain"), EVERYWHERE, measured, "table6")
    verdicts = {one.claim.text: (one.verdict, one.measured) for one in made.verdicts}
    text = (
        "At 100 kHz every version takes less power with low-leakage transistors than with fast ones"
    )
    assert verdicts[text] == ("holds", "closest: 1 100 and 1 500")
    without = Targets(EVERYWHERE.slices, EVERYWHERE.fpga, EVERYWHERE.cells)
    made = reproduce_paper(paper("grain"), without, measured, "table6")
    assert {one.verdict for one in made.verdicts if one.claim.text == text} == {"not measured"}
    # Cells stand for low-leakage transistors then; nothing stands for the fast ones.
    assert counts(made.tables[0]) == Counts(84, 14, 0, 28)


def test_a_sweep_measures_the_points_of_papers() -> None:
    """Whatever the number of seeds for another target, where there are none; so `reproduce` finds
    them stored."""
    wanted = {
        one
        for each in papers().values()
        for one in needed(each, EVERYWHERE, None)
        if isinstance(one, DesignPoint)
    }
    assert {at.target.name for at in wanted} >= {"spartan3", "ecp5-25k", "osu018"}
    (fpga,) = {at.target for at in wanted if at.target.name == "ecp5-25k"}
    for at in wanted:
        others, settings = [], at.settings
        of_cells = {"glitches", "recipe", "stage"} & {*at.settings.chosen}
        if at.target != fpga and at.settings.objective != "power" and not of_cells:
            others, settings = [fpga], replace(at.settings, seeds=77)
        sweep = Sweep(
            ciphers=[at.cipher.name],
            radices=[at.architecture.radix],
            targets=[at.target, *others],
            options=at.architecture.options,
            load_width=at.architecture.load_width,
            settings=settings,
        )
        assert sweep.points(print)[0] == at
