# SPDX-License-Identifier: Apache-2.0
"""Errata, claims, and experiments on those that fail."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from reproductions import EVERYWHERE, PAPERS, made_up, nothing

from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.report.printed import paper
from headwater.report.reproduce.checks import Check, inequalities
from headwater.report.reproduce.claims import (
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
from headwater.report.reproduce.demands import NotMeasured, Side
from headwater.report.reproduce.errata import Erratum, errata
from headwater.report.reproduce.experiments import Experiment
from headwater.report.reproduce.papers import needed, reproduce_paper
from headwater.report.reproduce.reproduction import Line, Pair, Reproduction

# Errata


def test_errata_are_computed_from_the_printed_values() -> None:
    grain = paper("grain")
    (_, power) = errata(grain, ["table2"])
    assert "rises to 2.846 to 38.04 times" in power
    (savings,) = errata(grain, ["table7"])
    assert savings.endswith("the table prints 9 to 52 %")
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


NO_PRINT = {
    "VEST",
    "SFINKS",
    "E0",
    "Salsa20",
    "Of Salsa20 and Phelix",
    "Trivium at d = 128",
    "Grain at d = 32",
    "A5/1 at d = 5",
}
"""How claims begin that no printed table decides."""


@pytest.mark.parametrize("name", PAPERS)
def test_no_claim_is_contradicted_in_print(name: str) -> None:
    """What a paper's own tables contradict is an erratum, and no claim."""
    tables = {one.table: one for one in reproduce_paper(paper(name), EVERYWHERE, nothing).tables}
    for claim in claims():
        if claim.paper == name and not claim.beside:
            try:
                asked = inequalities(claim.check, claim.table, Side(tables, measured=False))
            except NotMeasured:
                assert claim.text.startswith(tuple(NO_PRINT))
            else:
                assert all(one.holds for one in asked), claim.text


def test_claims_are_told_apart() -> None:
    assert all(
        not any(one == other for other in claims()[:place]) for place, one in enumerate(claims())
    )


def table(
    measured: dict[Any, float | None], printed: dict[Any, float] | None = None
) -> dict[str, Reproduction]:
    """One table, another one that has the half of each value, and one of two known values."""

    def made(factor: float) -> Reproduction:
        lines = tuple(
            Line(
                {"n": name},
                (
                    Pair(
                        "GE",
                        factor * (printed or {}).get(name, 100.0),
                        value and factor * value,
                        "GE",
                        spread=0.1,
                    ),
                    Pair("twice", 400.0, 400.0, "GE"),
                ),
            )
            for name, value in measured.items()
        )
        return Reproduction("paper", "t", "", "", "", "", lines)

    known = tuple(Line({"n": n}, (Pair("GE", n, float(n), "GE"),)) for n in (1, 2))
    return {
        "t": made(1.0),
        "half": made(0.5),
        "known": Reproduction("paper", "known", "", "", "", "", known),
    }


def verdict(measured: dict[Any, float | None], printed: dict[Any, float], **check: Any) -> str:
    return judge(Claim("paper", "t", "text", check), table(measured, printed)).verdict


@pytest.mark.parametrize(
    ("check", "holds", "fails"),
    [
        (
            {"kind": "factor", "by": "GE", "key": "n", "of": [2], "over": [1], "about": 2.0},
            {1: 10.0, 2: 21.0},
            {1: 10.0, 2: 35.0},
        ),
        (
            {"kind": "factor", "by": "GE", "key": "n", "of": [2], "over": [1], "least": 2.0},
            {1: 10.0, 2: 90.0},
            {1: 10.0, 2: 15.0},
        ),
        (
            {
                "kind": "factor",
                "by": "GE",
                "key": "n",
                "of": [2],
                "over": [1],
                "over_table": "half",
                "most": 6.0,
            },
            {1: 10.0, 2: 29.0},
            {1: 10.0, 2: 39.0},
        ),
        (
            {"kind": "same_order", "by": "GE", "key": "n", "than": "known", "than_by": "GE"},
            {1: 10.0, 2: 50.0},
            {1: 50.0, 2: 10.0},
        ),
        (
            {"kind": "rank", "by": "GE", "expected": {"n": 3}, "place": 2},
            {1: 10.0, 2: 50.0, 3: 20.0},
            {1: 10.0, 2: 50.0, 3: 90.0},
        ),
        (
            {
                "kind": "order",
                "by": "GE",
                "descending": False,
                "key": "n",
                "expected": [1, "*"],
                "also": "known",
            },
            {1: 0.5, 2: 30.0},
            {1: 15.0, 2: 30.0},
        ),
        (
            {"kind": "some", "least": 2, "that": {"kind": "between", "by": "GE", "most": 50}},
            {1: 10.0, 2: 50.0, 3: 90.0},
            {1: 10.0, 2: 60.0, 3: 90.0},
        ),
        (
            {
                "kind": "some",
                "least": 1,
                "that": {"kind": "against", "other": {"n": 3}, "less": ["GE"], "more": []},
            },
            {1: 10.0, 3: 50.0},
            {1: 90.0, 3: 50.0},
        ),
        (
            {
                "kind": "all",
                "checks": [
                    {
                        "kind": "order",
                        "by": "GE",
                        "descending": True,
                        "key": "n",
                        "expected": [2, "*"],
                    },
                    {
                        "kind": "order",
                        "by": "GE",
                        "descending": False,
                        "key": "n",
                        "expected": [1, "*"],
                        "table": "half",
                    },
                ],
            },
            {1: 10.0, 2: 30.0, 3: 20.0},
            {1: 10.0, 2: 30.0, 3: 5.0},
        ),
        (
            {"kind": "order", "by": "GE", "descending": False, "key": "n", "expected": [2, 1, 3]},
            {1: 10.0, 2: 5.0, 3: 20.0, 4: 1.0},
            {1: 10.0, 2: 40.0, 3: 20.0},
        ),
        (
            {
                "kind": "order",
                "by": "GE",
                "descending": True,
                "key": "n",
                "expected": [2, "*"],
                "among": [1, 2, 3],
            },
            {1: 10.0, 2: 50.0, 3: 11.0},
            {1: 10.0, 2: 5.0, 3: 11.0},
        ),
        (
            {"kind": "order", "by": "GE", "descending": True, "key": "n", "expected": [2, 1, "*"]},
            {1: 10.0, 2: 50.0, 3: 9.0},
            {1: 10.0, 2: 50.0, 3: 19.0},
        ),
        (
            {"kind": "order", "by": "GE", "descending": True, "key": "n", "expected": [2, "*"]},
            {1: 10.0, 2: 12.0},
            {1: 10.0, 2: 5.0},
        ),
        ({"kind": "at_most", "of": ["GE"], "factor": 1.0}, {1: 100.0}, {1: 200.0}),
        (
            {"kind": "less", "by": "GE", "than": "twice", "where": {"n": [1]}},
            {1: 100.0, 2: 900.0},
            {1: 900.0, 2: 100.0},
        ),
        (
            {"kind": "between", "by": "GE", "over": "twice", "least": 0.2, "most": 0.3},
            {1: 100.0},
            {1: 200.0},
        ),
        (
            {"kind": "between", "by": "GE", "least": 90, "row": {"n": 1}},
            {1: 100.0, 2: 1.0},
            {1: 20.0, 2: 100.0},
        ),
        ({"kind": "least_of_row", "row": {"n": 1}, "expected": "GE"}, {1: 1.0}, {1: 900.0}),
        ({"kind": "same", "by": "GE"}, {1: 100.0}, {1: 200.0}),
    ],
)
def test_checks(check: dict[str, Any], holds: Any, fails: Any) -> None:
    assert verdict(holds, holds, **check) == HOLDS
    assert verdict(fails, holds, **check) == FAILS
    assert verdict(dict.fromkeys(holds), holds, **check) == NOT_MEASURED


def test_checks_of_two_tables() -> None:
    tables = table({1: 10.0, 2: 40.0})

    def judged(name: str, **check: Any) -> str:
        return judge(Claim("paper", name, "text", check), tables).verdict

    below = {"kind": "less", "by": "GE", "than": "GE", "than_table": "t"}
    assert judged("half", **below) == HOLDS
    assert judged("t", **below) == TIE  # It is equal, and other seeds may say so.
    assert judged("half", **{**below, "than_table": "known"}) == FAILS
    assert judged("half", **{**below, "than_table": "known"}, where={"n": [2]}) == FAILS
    assert judged("half", **{**below, "kind": "often_less"}) == FAILS  # It is so in all rows.
    apart = {
        "kind": "factor",
        "by": "GE",
        "key": "n",
        "of": [2],
        "over": [1],
        "than": "known",
        "than_by": "GE",
    }
    assert judged("t", **apart) == HOLDS
    assert judged("known", **{**apart, "than": "t"}) == FAILS


def test_what_nothing_stands_beside_is_not_measured() -> None:
    check = {"kind": "absent", "why": "no such core"}
    judged = judge(Claim("paper", "t", "text", check), table({1: 1.0}))
    assert (judged.verdict, judged.measured, judged.reason) == (NOT_MEASURED, "no such core", "")


def test_an_existence_names_the_rows_that_show_it() -> None:
    check = {"kind": "some", "least": 2, "that": {"kind": "between", "by": "GE", "most": 50}}

    def told(**values: float | None) -> str:
        return judge(Claim("paper", "t", "text", check), table(dict(values))).measured

    assert told(a=10.0, b=20.0, c=90.0) == "so are a, b"
    assert told(a=10.0, b=80.0, c=90.0) == "so is a; 2 must be"
    assert told(a=10.0, b=20.0, c=None) == "so are a, b"
    assert told(a=10.0, b=80.0, c=None) == ""


def test_energies_at_high_speed_are_those_of_the_faster_controller() -> None:
    """In print it is the optimised one but for n = 4."""
    points = needed(paper("grain"), EVERYWHERE, "table5")
    cells = [one for one in points if isinstance(one, DesignPoint)]
    controllers = {
        at.architecture.radix: at.architecture["controller"]
        for at in cells
        if at.architecture["direction"] == "encrypt"
    }
    assert controllers == {n: "counter" if n == 4 else "shift" for n in (1, 2, 4, 8, 16, 32, 64)}


def test_a_path_has_the_name_of_the_register_that_it_leads_into() -> None:
    """The one that is made up leads into the LFSR."""
    (made,) = reproduce_paper(paper("grain"), EVERYWHERE, made_up, "table1").tables
    pairs = [line.pair("path") for line in made.lines]
    assert {pair.measured for pair in pairs if pair} == {"D_yl"}
    (said,) = (
        one
        for one in reproduce_paper(paper("grain"), EVERYWHERE, made_up).verdicts
        if one.claim.check["kind"] == "same"
    )
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
    best = {"kind": "order", "by": "GE", "descending": True, "key": "n", "expected": [2, "*"]}
    print_ = {1: 10.0, 2: 12.0}
    assert verdict({1: 12.0, 2: 10.0}, print_, **best) == TIE
    assert verdict({1: 13.0, 2: 10.0}, print_, **best) == FAILS
    twice = {"kind": "factor", "by": "GE", "key": "n", "of": [2], "over": [1], "least": 2.0}
    assert verdict({1: 10.0, 2: 17.0}, print_, **twice) == TIE  # Both may move.
    some = {"kind": "some", "least": 2, "that": {"kind": "between", "by": "GE", "most": 50}}
    assert verdict({1: 10.0, 2: 54.0}, print_, **some) == TIE
    assert verdict({1: 10.0, 2: 56.0}, print_, **some) == FAILS


@pytest.mark.parametrize(
    "check",
    [
        {"kind": "rank", "by": "no such heading", "expected": {"n": 1}, "place": 1},
        {"kind": "rank", "by": "GE", "expected": {"n": 3}, "place": 1},
        {"kind": "no such check"},
        {"kind": "order", "by": "GE", "descending": True, "key": "n", "expected": [1]},
        {"kind": "between", "by": "GE"},
        {"kind": "less", "by": "GE", "than": "twice", "where": {"n": [7]}},
        {"kind": "factor", "by": "GE", "key": "n", "of": [2], "over": [1]},
        {"kind": "factor", "by": "GE", "key": "n", "of": [2], "over": [3], "least": 1},
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
        if claim.paper == name and not claim.beside:
            for one in (claim.check, *_within(claim.check, tables[claim.table])):
                check = Recorded(one)
                with suppress(NotMeasured):
                    inequalities(check, one.get("table", claim.table), Side(tables, measured=True))
                assert check.read >= check.keys() - {"table"}, claim.text


def _within(check: Check, table: Reproduction) -> list[Check]:
    """The checks that one consists of."""
    row = {"row": table.lines[-1].key}
    return [*check.get("checks", ()), *([{**check["that"], **row}] if "that" in check else [])]


NO_LARGER = {"kind": "at_most", "of": ["GE"], "factor": 1.0}


def why(experiment: Experiment | None, measured: float, changed: dict[Any, float | None]) -> str:
    claim = Claim("paper", "t", "text", NO_LARGER, experiment=experiment)
    given = judge(claim, table({1: measured}), table(changed)).as_json()["reason"]
    assert isinstance(given, str)
    return given


def test_an_experiment_asks_a_claim_that_fails_again() -> None:
    smaller = Experiment("a smaller core")
    assert why(smaller, 200.0, {1: 50.0}) == (
        "Tested: a smaller core. Then the claim holds: 1 50, printed 100."
    )
    assert why(smaller, 200.0, {1: 150.0}) == (
        "Tested: a smaller core. Then the claim fails, too: 1 150 is not below printed 100."
    )
    assert why(smaller, 200.0, {1: 105.0}).startswith("Tested: a smaller core. Then the claim is a")
    assert why(smaller, 200.0, {1: None}) == "Tested: a smaller core. Not measured."
    assert why(None, 200.0, {1: 50.0}) == "No reason tested."
    assert why(smaller, 20.0, {1: 50.0}) == ""


@pytest.mark.parametrize(
    "claim",
    [one for one in claims() if one.experiment],
    ids=lambda claim: f"{claim.paper}-{claim.text[:30]}",
)
def test_experiments_change_points(claim: Claim) -> None:
    """Those of rows that there are, and of these alone; so their figures are measured."""
    source, experiment = paper(claim.paper), claim.experiment
    assert experiment
    rows = source.table(claim.table).rows
    for key, among in experiment.where.items():
        assert {row[key] for row in rows} >= set(among)
    tables = needed(source, EVERYWHERE, claim.table, for_claims=False)
    others = set(needed(source, EVERYWHERE, claim.table)) - set(tables)
    assert any(_has(point, experiment) for point in others)


def _has(point: Measurable, experiment: Experiment) -> bool:
    """Whether a point is as the experiment wants it."""
    assert isinstance(point, DesignPoint)
    wanted = {**experiment.settings, **experiment.options}
    made = {**point.settings.as_json(), **point.architecture.options}
    return wanted.items() <= made.items() and (
        experiment.load_width in (None, point.architecture.load_width)
    )


def test_points_beside_the_printed_ones_are_for_claims_alone() -> None:
    def radices(*, for_claims: bool) -> set[int]:
        points = needed(paper("estream"), EVERYWHERE, "table5", for_claims=for_claims)
        return {one.architecture.radix for one in points if isinstance(one, DesignPoint)}

    assert radices(for_claims=True) - radices(for_claims=False) == {128}
    made = reproduce_paper(paper("estream"), EVERYWHERE, made_up, "table5")
    assert [line.key["d"] for line in made.tables[0].lines] == [1, 2, 4, 8, 16, 32, 64]
    (beside,) = (one for one in made.verdicts if one.claim.beside)
    assert beside.verdict != NOT_MEASURED


def test_conditions_say_stage_seeds_and_clock() -> None:
    cells = {"target": "osu018", "ge": 10.0}
    power = "power is of its simulated activity, at 50 to 100 MHz"
    assert conditions(
        [
            {"target": "ecp5-25k", "fmax_mhz": {"seeds": 5}},
            {"target": "ecp5-25k", "fmax_mhz": None},
            {"target": "spartan3", "fmax_mhz": None},
            {"cpu": "vexriscv"},
            {**cells, "power_clock_mhz": 100.0},
            {**cells, "power_clock_mhz": 50.0},
            {"target": "osu035", "ge": 10.0, "flow": {"stage": "layout"}},
        ]
    ).split(". ") == [
        "Cycles are counted in a simulation of the RTL",
        "ecp5-25k: after place and route; frequencies are medians over 5 seeds",
        f"osu018: after synthesis, before layout; {power}",
        "osu035: after layout",
        "spartan3: after synthesis; no open tool places it.",
    ]
