# SPDX-License-Identifier: Apache-2.0
"""The printed tables of the papers beside measured figures, and what they claim."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from headwater.bench.point import DesignPoint, Record
from headwater.bench.sweep import Sweep
from headwater.bench.target import TARGETS
from headwater.cli.main import main
from headwater.codesign.scenario import Scenario
from headwater.report.printed import paper, papers
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
from headwater.report.reproduce.counts import Counts, counts, total
from headwater.report.reproduce.errata import Erratum, errata
from headwater.report.reproduce.papers import needed, reproduce_paper
from headwater.report.reproduce.reasons import EXPERIMENTS, Reason
from headwater.report.reproduce.reproduction import Line, Pair, Reproduction
from headwater.report.reproduce.targets import Targets
from headwater.report.reproduce.text import as_text, pairs_table
from headwater.report.table import as_text as narrow

Capture = pytest.CaptureFixture[str]
EVERYWHERE = Targets(*(TARGETS[name] for name in ("spartan3", "ecp5-25k", "osu018", "asap7-lvt",
                                                  "asap7-rvt")))  # fmt: skip
PAPERS = sorted(papers())


def nothing(_point: Measurable) -> None:
    return None


def made_up(point: Measurable) -> Record:
    """A record in which everything follows from the radix."""
    if isinstance(point, Scenario):
        return {"id": "2", "cpu": "vexriscv", "tools": {}, "cycles_per_128_bits": 10.0,
                "bits_per_cycle": 12.8, "interface_efficiency": 0.2, "speedup_hw": 100.0,
                "speedup_hw_sw": 2.0, "core_cycles_per_128_bits": 2.0}  # fmt: skip
    radix = point.architecture.radix
    return {
        "id": "1", "target": point.target.name, "tools": {"tool": "1.0"}, "setup_cycles": radix,
        "fmax_mhz": {"median": 100.0}, "throughput_mbps": 100.0 * radix, "lut": 10 * radix,
        "slices": 50 + radix, "mbps_per_area": 10.0, "ge": 1000.0 + radix, "ff": 300,
        "power_mw": 1.0, "power_at_100khz_mw": 0.1, "power_at_10mhz_mw": 0.5,
        "energy_pj_per_bit": 1.0 / radix,
        "energy_mj_per_gbit": 1.074 / radix, "period_fo4": 20.0, "setup_ns": 10.0 * radix,
        "area_um2": 24000.0, "power_at_fmax_mw": 2.0, "critical_path": ["s[0]", "s[79]"],
        "energy_message_nj": {"one_block": 1.0, "thousand_blocks": 1000.0},
    }  # fmt: skip


# What is printed


@pytest.mark.parametrize("name", PAPERS)
def test_printed_tables_are_whole(name: str) -> None:
    for table in paper(name).tables.values():
        assert table.rows
        assert all(tuple(row) == table.columns for row in table.rows)
        for doubt in table.doubtful:
            assert doubt.column in table.columns
            assert any(table.doubt(row, doubt.column) for row in table.rows), doubt


def test_printed_values() -> None:
    """Some values as the papers have them."""
    trivium = paper("estream").table("table5").rows[-1]
    assert (trivium["d"], trivium["throughput_mbps"], trivium["throughput_x_basic"]) == (
        64,
        12160,
        60.5,
    )
    assert "doubt" not in paper("eth").table("postlayout").rows[0]
    mickey = paper("spartan3").table("table1").rows[3]
    assert "too few" in paper("spartan3").table("table1").doubt(mickey, "area_slices")


@pytest.mark.parametrize("name", PAPERS)
def test_every_table_is_reproduced_or_said_to_be_absent(name: str) -> None:
    made = reproduce_paper(paper(name), EVERYWHERE, nothing)
    assert [table.table for table in made.tables] == list(paper(name).tables)


OTHER_SLICES = ("slices", "MHz", "Mbit/s")
"""What is printed of a Virtex-5, which nothing stands beside."""


def has_counterpart(line: Line, pair: Pair) -> bool:
    return bool(pair.unit) and line.key.get("device") != "XC5VLX110T"


def shown(table: Reproduction) -> Counter[Any]:
    """The printed values of a reproduced table, and how often each is there; ranges by their
    ends."""
    values: Counter[Any] = Counter()
    for line in table.lines:
        values.update(line.key.values())
        for pair in line.pairs:
            values.update([] if pair.derived else [pair.heading.partition(",")[0], pair.printed])
            values.update([pair.times_printed] if pair.times_in_print else [])
    return values


def written(column: str, value: Any) -> list[Any]:
    """A printed value as tables show it: times in ns, and ranges as two numbers."""
    if column == "period_ps":
        return [value * 1e-3]
    ends = str(value).split("-")
    if len(ends) == 2 and all(end.replace(".", "").isdigit() for end in ends):
        return [value] if column == "radix" else [float(end) for end in ends]
    return [value]


@pytest.mark.parametrize("name", PAPERS)
def test_every_printed_value_is_shown(name: str) -> None:
    """Each as often as it is printed, and marked as printed, not as derived."""
    for made in reproduce_paper(paper(name), EVERYWHERE, nothing).tables:
        table = paper(name).table(made.table)
        printed = Counter(one for row in table.rows for column, value in row.items()
                          if value is not None for one in written(column, value))  # fmt: skip
        assert not printed - shown(made), made.table


@pytest.mark.parametrize("name", PAPERS)
def test_every_row_has_its_points(name: str) -> None:
    """With everything measured, every printed value has one beside it and claims a verdict."""
    made = reproduce_paper(paper(name), EVERYWHERE, made_up)
    for table in made.tables:
        found = counts(table)
        lone = [pair.heading for line in table.lines for pair in line.pairs
                if pair.printed is not None and not has_counterpart(line, pair)]  # fmt: skip
        assert set(lone) <= {"grouping", "lines of C", "lines of GEZEL", *OTHER_SLICES}
        assert found.printed > len(lone), table.table
        assert found.same + found.relative == found.printed - len(lone), table.table
    assert all(verdict.verdict != NOT_MEASURED for verdict in made.verdicts)
    lines = as_text(made, lambda table: narrow(table, 80)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(pairs_table([made]).rows) == sum(
        len(line.pairs) for table in made.tables for line in table.lines
    )


@pytest.mark.parametrize("name", PAPERS)
def test_nothing_measured_is_nothing_shown(name: str) -> None:
    made = reproduce_paper(paper(name), EVERYWHERE, nothing)
    for table in made.tables:
        pairs = [pair for line in table.lines for pair in line.pairs]
        if table.measured_on != "the descriptions":
            assert all(pair.measured is None and not pair.id for pair in pairs)
    assert {one.verdict for one in made.verdicts} <= {NOT_MEASURED, CONTRADICTED}


def test_relative_to_the_reference_row() -> None:
    made = reproduce_paper(paper("estream"), EVERYWHERE, made_up, "table5")
    (table,) = made.tables
    pair = next(line for line in table.lines if line.key["d"] == 64).pair("Mbit/s")
    assert pair is not None
    assert (pair.printed, pair.measured) == (12160, 6400.0)
    # The printed factor is the paper's own rounding of 60.498.
    assert (pair.times_printed, pair.times_measured, pair.times_in_print) == (60.5, 64.0, True)


def test_points_of_one_table() -> None:
    wanted = needed(paper("estream"), EVERYWHERE, "table5")
    points = [one for one in wanted if isinstance(one, DesignPoint)]
    assert len(points) == len(wanted)
    assert {point.architecture.radix for point in points} == {1, 2, 4, 8, 16, 32, 64}
    assert {point.target.name for point in points} == {"spartan3", "ecp5-25k"}
    assert all(point.architecture.stall == "none" for point in points)


def test_values_of_other_units_or_circuits_are_relative_only() -> None:
    pairs = (Pair("clock", 1.0, 2.0, "MHz"), Pair("area", 1.0, 2.0, "GE", 1.0, 1.0,
             times_in_print=True), Pair("slices", 1.0, 2.0, "GE", other_circuit=True),
             Pair("absent", 1.0, None, "GE"), Pair("more", None, 2.0, "GE"),
             Pair("computed", 1.0, 2.0, "GE", derived=True))  # fmt: skip
    made = Reproduction("paper", "t", "", "", "", "", (Line({"n": 1}, pairs),))
    assert counts(made) == Counts(printed=5, same=2, relative=2)
    assert total([made, made]) == Counts(10, 4, 4)


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
        return {**made_up(point), "critical_path": ["tag__valid", "q[0]"]}

    (made,) = reproduce_paper(paper("grain"), EVERYWHERE, measured, "table1").tables
    pair = made.lines[0].pair("path")
    assert pair is not None
    assert pair.measured == "tag__valid to q[0]"


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
    assert all(" on spartan3" in line or " on ecp5-25k" in line
               for line in printed.out.splitlines())  # fmt: skip
    assert printed.err == (
        "0 of 12 points and systems are stored\n12 design point(s)\n"
        "nothing is known of how long that would take\n"
    )


def test_chips_are_laid_out_if_asked_for(capsys: Capture) -> None:
    assert main(words("eth", "--layout", "--dry-run", "--wide")) == 0
    points = capsys.readouterr().out.splitlines()
    assert len(points) == 9
    assert all(point.endswith(" on osu018 after layout") for point in points)
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
    [("slices", "ecp5-25k", "spartan3, xc7"), ("fpga", "spartan3", "ecp5-25k"),
     ("cells", "ecp5-25k", "osu018")],
)  # fmt: skip
def test_each_role_has_targets_of_its_kind(
    capsys: pytest.CaptureFixture[str], word: str, target: str, legal: str
) -> None:
    assert main(["reproduce", "eth", f"--{word}", target]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"headwater: target of {word} must be one of {legal}")
    assert said.endswith(f"not '{target}'\n")


def test_shift_registers_are_in_luts_where_the_paper_has_them() -> None:
    def measured(point: Measurable) -> Record:
        return made_up(point) | {"mappings": {"area": {"slices": 7},
                                              "area without SRL": {"slices": 70}}}  # fmt: skip

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
    assert verdicts[text] == ("holds", "closest: 1 100 below 1 500")
    without = Targets(EVERYWHERE.slices, EVERYWHERE.fpga, EVERYWHERE.cells)
    made = reproduce_paper(paper("grain"), without, measured, "table6")
    assert {one.verdict for one in made.verdicts if one.claim.text == text} == {"not measured"}
    # Cells stand for low-leakage transistors then; nothing stands for the fast ones.
    assert counts(made.tables[0]) == Counts(56, 14, 28)


def test_a_sweep_measures_the_points_of_papers() -> None:
    """Whatever the number of seeds for another target, where there are none; so `reproduce` finds
    them stored."""
    wanted = {one for each in papers().values() for one in needed(each, EVERYWHERE, None)
              if isinstance(one, DesignPoint)}  # fmt: skip
    assert {at.target.name for at in wanted} >= {"spartan3", "ecp5-25k", "osu018"}
    (fpga,) = {at.target for at in wanted if at.target.name == "ecp5-25k"}
    for at in wanted:
        others, settings = [], at.settings
        if at.target != fpga:
            others, settings = [fpga], replace(at.settings, seeds=77)
        sweep = Sweep(ciphers=[at.cipher.name], radices=[at.architecture.radix],
                      targets=[at.target, *others], options=at.architecture.options,
                      load_width=at.architecture.load_width, settings=settings)  # fmt: skip
        assert sweep.points(print)[0] == at
