# SPDX-License-Identifier: Apache-2.0
"""Errata, claims, and reasons why a claim fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from reproductions import EVERYWHERE, PAPERS, made_up

from headwater.bench.point import DesignPoint
from headwater.bench.record import Record
from headwater.report.printed import paper
from headwater.report.reproduce.checks import COMPARES_WITH_PRINT, Check, Side, inequalities
from headwater.report.reproduce.claims import (
    CONTRADICTED,
    FAILS,
    HOLDS,
    NOT_MEASURED,
    TIE,
    Claim,
    claims,
    judge,
)
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.conditions import conditions
from headwater.report.reproduce.errata import Erratum, errata
from headwater.report.reproduce.papers import needed, reproduce_paper
from headwater.report.reproduce.reasons import EXPERIMENTS, Reason
from headwater.report.reproduce.reproduction import Line, Pair, Reproduction

# Errata


def test_errata_are_computed_from_the_printed_values() -> None:
    grain = paper("grain")
    (_, power) = errata(grain, ["table2"])
    assert "rises to 2.846 to 38.04 times" in power
    (savings,) = errata(grain, ["table7"])
    assert savings.endswith("the columns give 10.29 to 34.43 %")
    assert errata(grain, ["table5"]) == ()


def test_print_that_is_right_is_no_erratum() -> None:
    right = Erratum("paper", "t", "one", "{span}", lambda _paper: [1.0, 1.01], 0.99, 1.01)
    with pytest.raises(ValueError, match="no erratum: one"):
        right.told(paper("grain"))
    assert replace(right, most=1.0).told(paper("grain")) == "t: one; 1 to 1.01"


# Claims


@pytest.mark.parametrize("claim", claims(), ids=lambda claim: f"{claim.paper}-{claim.text[:30]}")
def test_claims_are_about_tables_that_exist(claim: Claim) -> None:
    assert claim.table in paper(claim.paper).tables


def test_enough_claims_are_those_of_the_papers() -> None:
    assert sum(not claim.own for claim in claims()) >= 40


def table(
    measured: dict[Any, float | None], printed: dict[Any, float] | None = None
) -> dict[str, Reproduction]:
    """One table, and another one that has the half of each value."""

    def made(factor: float) -> Reproduction:
        lines = tuple(
            Line({"n": name}, (Pair("GE", factor * (printed or {}).get(name, 100.0),
                                    value and factor * value, "GE", spread=0.1),
                               Pair("twice", 400.0, 400.0, "GE")))
            for name, value in measured.items()
        )  # fmt: skip
        return Reproduction("paper", "t", "", "", "", "", lines)

    return {"t": made(1.0), "half": made(0.5)}


def verdict(measured: dict[Any, float | None], printed: dict[Any, float], **check: Any) -> str:
    return judge(Claim("paper", "t", "text", check), table(measured, printed), {}).verdict


@pytest.mark.parametrize(
    ("check", "holds", "fails"),
    [
        ({"kind": "growth", "from": {"n": 1}, "to": {"n": 2}, "of": {"GE": 2.0}, "within": 0.1},
         {1: 10.0, 2: 21.0}, {1: 10.0, 2: 35.0}),
        ({"kind": "growth", "from": {"n": 1}, "to": {"n": 2}, "of": {"GE": [2.0, None]}},
         {1: 10.0, 2: 90.0}, {1: 10.0, 2: 15.0}),
        ({"kind": "order", "by": "GE", "descending": False, "key": "n", "expected": [2, 1, 3]},
         {1: 10.0, 2: 5.0, 3: 20.0, 4: 1.0}, {1: 10.0, 2: 40.0, 3: 20.0}),
        ({"kind": "order", "by": "GE", "descending": True, "key": "n", "expected": [2, "*"],
          "among": [1, 2, 3]}, {1: 10.0, 2: 50.0, 3: 11.0}, {1: 10.0, 2: 5.0, 3: 11.0}),
        ({"kind": "order", "by": "GE", "descending": True, "key": "n", "expected": [2, 1, "*"]},
         {1: 10.0, 2: 50.0, 3: 9.0}, {1: 10.0, 2: 50.0, 3: 19.0}),
        ({"kind": "best", "by": "GE", "most": True, "expected": {"n": 2}},
         {1: 10.0, 2: 12.0}, {1: 10.0, 2: 5.0}),
        ({"kind": "at_most", "of": ["GE"], "factor": 1.0}, {1: 100.0}, {1: 200.0}),
        ({"kind": "less", "by": "GE", "than": "twice", "where": {"n": [1]}},
         {1: 100.0, 2: 900.0}, {1: 900.0, 2: 100.0}),
        ({"kind": "between", "by": "GE", "over": "twice", "least": 0.2, "most": 0.3},
         {1: 100.0}, {1: 200.0}),
        ({"kind": "between", "by": "GE", "least": 90, "row": {"n": 1}},
         {1: 100.0, 2: 1.0}, {1: 20.0, 2: 100.0}),
        ({"kind": "least_of_row", "row": {"n": 1}, "expected": "GE"}, {1: 1.0}, {1: 900.0}),
        ({"kind": "same", "by": "GE"}, {1: 100.0}, {1: 200.0}),
    ],
)  # fmt: skip
def test_checks(check: dict[str, Any], holds: Any, fails: Any) -> None:
    assert verdict(holds, holds, **check) == HOLDS
    assert verdict(fails, holds, **check) == FAILS
    assert verdict(dict.fromkeys(holds), holds, **check) == NOT_MEASURED
    if check["kind"] not in COMPARES_WITH_PRINT:
        assert verdict(holds, fails, **check) == CONTRADICTED


def test_checks_of_two_tables() -> None:
    values: dict[Any, float | None] = {1: 10.0, 2: 20.0}
    tables = table(values, {1: 10.0, 2: 20.0})
    below = {"kind": "below", "than": "t", "by": "GE"}
    assert judge(Claim("paper", "half", "text", below), tables, {}).verdict == HOLDS
    assert judge(Claim("paper", "t", "text", below), tables, {}).verdict == CONTRADICTED
    often = {"kind": "often_below", "than": "t", "by": "GE"}
    assert judge(Claim("paper", "half", "text", often), tables, {}).verdict == CONTRADICTED


def test_energies_at_high_speed_are_those_of_the_faster_controller() -> None:
    """In print it is the optimised one but for n = 4."""
    points = needed(paper("grain"), EVERYWHERE, "table5")
    cells = [one for one in points if isinstance(one, DesignPoint)]
    controllers = {at.architecture.radix: at.architecture["controller"] for at in cells
                   if at.architecture["direction"] == "encrypt"}  # fmt: skip
    assert controllers == {n: "counter" if n == 4 else "shift" for n in (1, 2, 4, 8, 16, 32, 64)}


def test_a_path_has_the_name_of_the_register_that_it_leads_into() -> None:
    """The one that is made up leads into the LFSR."""
    (made,) = reproduce_paper(paper("grain"), EVERYWHERE, made_up, "table1").tables
    pairs = [line.pair("path") for line in made.lines]
    assert {pair.measured for pair in pairs if pair} == {"D_yl"}
    (said,) = (one for one in reproduce_paper(paper("grain"), EVERYWHERE, made_up).verdicts
               if one.claim.check["kind"] == "same")  # fmt: skip
    assert said.verdict == FAILS
    assert said.measured.startswith("1: D_yl, not D_yn; 2: D_yl")


def test_a_path_that_begins_elsewhere_has_no_name() -> None:
    def measured(point: Measurable) -> Record:
        return {**made_up(point), "critical_path": ["tag_valid", "q[0]"]}

    (made,) = reproduce_paper(paper("grain"), EVERYWHERE, measured, "table1").tables
    pair = made.lines[0].pair("path")
    assert pair is not None
    assert pair.measured == "tag_valid to q[0]"


def test_what_other_seeds_may_turn_is_a_tie() -> None:
    """Each value of the table moves by a tenth."""
    best = {"kind": "best", "by": "GE", "most": True, "expected": {"n": 2}}
    print_ = {1: 10.0, 2: 12.0}
    assert verdict({1: 12.0, 2: 10.0}, print_, **best) == TIE
    assert verdict({1: 13.0, 2: 10.0}, print_, **best) == FAILS


@pytest.mark.parametrize(
    "check",
    [
        {"kind": "best", "by": "no such heading", "most": True, "expected": {"n": 1}},
        {"kind": "best", "by": "GE", "most": True, "expected": {"n": 3}},
        {"kind": "no such check"},
        {"kind": "order", "by": "GE", "descending": True, "key": "n", "expected": [1]},
        {"kind": "between", "by": "GE"},
        {"kind": "less", "by": "GE", "than": "twice", "where": {"n": [7]}},
    ],
)
def test_a_broken_check_is_an_error(check: dict[str, Any]) -> None:
    with pytest.raises(KeyError):
        verdict({1: 10.0, 2: 12.0}, {1: 10.0, 2: 12.0}, **check)


class Recorded(dict[str, Any]):
    """A check that knows which of its arguments were read."""

    def __init__(self, check: Check) -> None:
        super().__init__(check)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.read.add(name)
        return super().get(name, default)


@pytest.mark.parametrize("name", PAPERS)
def test_every_argument_of_a_check_is_read(name: str) -> None:
    """A misspelt one would leave a part of the claim out."""
    made = reproduce_paper(paper(name), EVERYWHERE, made_up)
    tables = {table.table: table for table in made.tables}
    for claim in claims():
        if claim.paper == name:
            check = Recorded(claim.check)
            inequalities(check, claim.table, Side(tables, measured=True))
            assert check.read >= check.keys(), claim.text


NO_LARGER = {"kind": "at_most", "of": ["GE"], "factor": 1.0}


def reason(limit: float) -> Reason:
    """It holds if a core is below a limit; the core is that of an experiment, halved."""
    half = {"experiment": "other", "of": "ge", "times": [{"number": 3}], "over": [{"number": 6}]}
    return Reason("{half} below {limit}", {"half": half, "limit": {"number": limit}},
                  [("half", "limit")])  # fmt: skip


def why(one: Reason, measured: float, found: dict[str, Any]) -> str:
    claim = Claim("paper", "t", "text", NO_LARGER, one)
    given = judge(claim, table({1: measured}), found).as_json()["reason"]
    assert isinstance(given, str)
    return given


def test_a_claim_that_fails_has_a_reason_that_is_tested() -> None:
    other = {"other": {"ge": 50.0}}
    assert why(reason(30.0), 200.0, other) == "25 below 30"
    assert why(reason(20.0), 200.0, other) == "25 below 20 Refuted: half 25 is not below limit 20."
    assert why(reason(30.0), 20.0, other) == ""
    assert why(reason(30.0), 200.0, {"other": None}) == "What shows the reason is not measured."
    judged = judge(Claim("paper", "t", "text", NO_LARGER), table({1: 200.0}), {})
    assert judged.measured == "1 200 is not below printed 100"
    assert judged.reason == "No reason found."


def test_figures_of_reasons_are_those_of_tables() -> None:
    row: dict[str, Any] = {"row": {"n": 1}, "of": "GE"}
    figures = {"now": row, "before": {**row, "printed": True}, "fewer": {**row, "less": [row]}}
    one = Reason("{now} {before} {fewer}", figures, [])
    assert one.told("t", table({1: 70.0}), {}) == "70 100 0"
    with pytest.raises(KeyError):
        Reason("", {"now": {**row, "of": "no such heading"}}, []).told("t", table({1: 70.0}), {})


@pytest.mark.parametrize("name", PAPERS)
def test_reasons_name_what_there_is(name: str) -> None:
    """Every reason is tested by figures that exist and stand in its text."""
    made = reproduce_paper(paper(name), EVERYWHERE, made_up)
    tables = {table.table: table for table in made.tables}
    found = {one: made_up(make(EVERYWHERE)) for one, make in EXPERIMENTS.items()}
    for claim in claims():
        if claim.paper == name and claim.reason:
            used = {figure for pair in claim.reason.below for figure in pair}
            assert used
            assert used <= claim.reason.figures.keys()
            assert "{" in claim.reason.text
            assert claim.reason.told(claim.table, tables, found)


def test_conditions_say_stage_seeds_and_clock() -> None:
    cells = {"target": "osu018", "ge": 10.0}
    power = "power is of its simulated activity, at 50 to 100 MHz"
    assert conditions([
        {"target": "ecp5-25k", "fmax_mhz": {"seeds": 5}}, {"target": "ecp5-25k", "fmax_mhz": None},
        {"target": "spartan3", "fmax_mhz": None}, {"cpu": "vexriscv"},
        {**cells, "power_clock_mhz": 100.0}, {**cells, "power_clock_mhz": 50.0},
        {"target": "osu035", "ge": 10.0, "flow": {"stage": "layout"}},
    ]).split(". ") == [
        "Cycles are counted in a simulation of the RTL",
        "ecp5-25k: after place and route; frequencies are medians over 5 seeds",
        f"osu018: after synthesis, before layout; {power}",
        "osu035: after layout",
        "spartan3: after synthesis; no open tool places it.",
    ]  # fmt: skip
