# SPDX-License-Identifier: Apache-2.0
"""What papers print, beside what was measured."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from reproductions import EVERYWHERE, PAPERS, made_up, nothing

from headwater.measure.point import DesignPoint
from headwater.report.printed import paper
from headwater.report.reproduce.claims import NOT_MEASURED
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.counts import Counts, counts, total
from headwater.report.reproduce.papers import needed, reproduce_paper
from headwater.report.reproduce.reproduction import Line, Pair, Reproduction
from headwater.report.reproduce.text import as_text, pairs_table
from headwater.report.table import as_text as narrow

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
        printed = Counter(
            one
            for row in table.rows
            for column, value in row.items()
            if value is not None
            for one in written(column, value)
        )
        assert not printed - shown(made), made.table


@pytest.mark.parametrize("name", PAPERS)
def test_every_row_has_its_points(name: str) -> None:
    """With everything measured, every printed value has one beside it and claims a verdict."""
    made = reproduce_paper(paper(name), EVERYWHERE, made_up)
    for table in made.tables:
        found = counts(table)
        lone = [
            pair.heading
            for line in table.lines
            for pair in line.pairs
            if pair.printed is not None and not has_counterpart(line, pair)
        ]
        assert set(lone) <= {"lines of C", "lines of GEZEL", *OTHER_SLICES}
        assert found.printed > len(lone), table.table
        assert sum((found.same, found.bounds, found.relative)) == found.printed - len(lone)
    assert all(
        (verdict.verdict == NOT_MEASURED) == (verdict.claim.check["kind"] == "absent")
        for verdict in made.verdicts
    )
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
    assert {one.verdict for one in made.verdicts} <= {NOT_MEASURED}


def test_relative_to_the_reference_row() -> None:
    made = reproduce_paper(paper("estream"), EVERYWHERE, made_up, "table5")
    (table,) = made.tables
    pair = next(line for line in table.lines if line.key["d"] == 64).pair("Mbit/s")
    assert pair is not None
    assert (pair.printed, pair.measured) == (12160, 6400.0)
    # The printed factor is the paper's own rounding of 60.498.
    assert (pair.times_printed, pair.times_measured, pair.times_in_print) == (60.5, 64.0, True)


def test_the_reference_row_may_be_over_the_others() -> None:
    """Of throughput and ratio to Trivium, not of the area."""
    (table,) = reproduce_paper(paper("estream"), EVERYWHERE, made_up, "table9").tables
    grain = next(line for line in table.lines if line.key["cipher"] == "grain_v1")
    rate, area = grain.pair("Mbit/s"), grain.pair("slices")
    assert rate
    assert area
    assert (rate.times_printed, rate.times_measured, rate.inverse) == (4.9, 4.0, True)
    assert (area.times_printed, area.times_measured, area.inverse) == (0.92, 0.469, False)


def test_points_of_one_table() -> None:
    wanted = needed(paper("estream"), EVERYWHERE, "table5", for_claims=False)
    points = [one for one in wanted if isinstance(one, DesignPoint)]
    assert len(points) == len(wanted)
    assert {point.architecture.radix for point in points} == {1, 2, 4, 8, 16, 32, 64}
    assert {point.target.name for point in points} == {"spartan3", "ecp5-25k"}
    assert all(point.architecture.stall == "none" for point in points)


def test_e0_is_measured_with_its_payload_key_generator_and_without_it_beside() -> None:
    asked: list[DesignPoint] = []

    def ask(one: Measurable) -> None:
        assert isinstance(one, DesignPoint)
        asked.append(one)

    made = reproduce_paper(paper("spartan3"), EVERYWHERE, ask)
    of_e0 = {(one.cipher.name, one.target.name) for one in asked if "e0" in one.cipher.name}
    assert of_e0 == {("e0", "spartan3"), ("e0_payload", "spartan3"), ("e0_payload", "ecp5-25k")}
    told = [table for table in made.tables if "payload key generator" in table.note]
    assert [table.table for table in told] == ["table1", "fig7", "table2"]


def test_values_of_other_units_or_circuits_are_relative_only() -> None:
    pairs = (
        Pair("clock", 1.0, 2.0, "MHz"),
        Pair("area", 1.0, 2.0, "GE", 1.0, 1.0, times_in_print=True),
        Pair("slices", 1.0, 2.0, "GE", other_circuit=True),
        Pair("absent", 1.0, None, "GE"),
        Pair("more", None, 2.0, "GE"),
        Pair("computed", 1.0, 2.0, "GE", derived=True),
        Pair("slices", 1.0, 2.0, "slices, at least"),
    )
    made = Reproduction("paper", "t", "", "", "", "", (Line({"n": 1}, pairs),))
    assert counts(made) == Counts(printed=6, same=2, bounds=1, relative=2)
    assert total([made, made]) == Counts(12, 4, 2, 4)
    assert total([]) == Counts(0, 0, 0, 0)
    assert "1 with a lower bound, 2 relative only" in str(counts(made))
