# SPDX-License-Identifier: Apache-2.0
"""The checks of claims: each turns a claim into inequalities between values of tables.

The same inequalities are asked of the printed values and of the measured ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, product
from typing import Any

from headwater.report.reproduce.demands import (
    Demand,
    Existence,
    Identity,
    Inequality,
    NotMeasured,
    Side,
    Value,
    find_line,
    name_of,
)
from headwater.report.reproduce.reproduction import Line, Reproduction

Check = Mapping[str, Any]
"""The kind of a check, and its arguments."""


_Inequalities = Iterator[Inequality]


def _sorted(one: Value, other: Value, check: Check) -> Inequality:
    """Of two values the first belongs first."""
    return Inequality(other, one) if check["descending"] else Inequality(one, other)


def _factor(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """Quotients of a quantity between the rows ``of`` and the rows ``over``, which may be of
    another table. They lie in a range; are ``about`` a number, within a quarter of it; or are above
    those of the same rows of the table ``than``, there of the quantity ``than_by``."""
    least, most = check.get("least"), check.get("most")
    if "about" in check:
        least, most = (check["about"] * (1 + sign * _ABOUT) for sign in (-1, 1))
    for one, other in product(check["of"], check["over"]):
        names = (check["key"], one, other)
        basis = side.tables[check.get("over_table", table.table)]
        quotient = _quotient(names, (table, basis), check["by"], side)
        yield from _in_range(quotient, least, most)
        if "than" in check:
            second = side.tables[check["than"]]
            yield Inequality(_quotient(names, (second, second), check["than_by"], side), quotient)


_ABOUT = 0.25


def _quotient(
    names: tuple[str, Any, Any], tables: tuple[Reproduction, Reproduction], by: str, side: Side
) -> Value:
    """A quantity of a row of one table over that of a row of another; rows by a key."""
    key, *rows = names
    one, other = (
        side.value(find_line(table, {key: row}), by)
        for table, row in zip(tables, rows, strict=True)
    )
    return one.over(other, f"{by} of {rows[0]} over {rows[1]}")


def _in_range(value: Value, least: float | None, most: float | None) -> _Inequalities:
    if least is not None:
        yield Inequality(Value("least", least), value, or_equal=True)
    if most is not None:
        yield Inequality(value, Value("most", most), or_equal=True)


def _order(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """The rows sorted by a quantity are in this order; "*" stands for all others in any order, also
    for all rows of the table ``also``."""
    key, listed = check["key"], [name for name in check["expected"] if name != "*"]
    lines = {line.key[key]: line for line in table.lines}
    values = {name: side.value(lines[name], check["by"]) for name in listed}
    for one, other in pairwise(listed):
        yield _sorted(values[one], values[other], check)
    others = [
        line
        for name, line in lines.items()
        if name not in listed and name in check.get("among", lines)
    ]
    others += side.tables[check["also"]].lines if "also" in check else ()
    for line in others if "*" in check["expected"] else ():
        yield _sorted(values[listed[-1]], side.value(line, check["by"]), check)


def _same_order(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """The rows, by a key, are in the same order as those of the table ``than`` by the quantity
    ``than_by``, as far as both tables have them."""
    key = check["key"]
    here = {line.key[key]: side.value(line, check["by"]) for line in table.lines}
    there = {
        line.key[key]: side.value(line, check["than_by"]).amount
        for line in side.tables[check["than"]].lines
        if line.key[key] in here
    }
    for one, other in pairwise(sorted(there, key=there.__getitem__)):
        yield Inequality(here[one], here[other])


def _rank(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """A row has a place if the rows are sorted by a quantity, the least first; the first is 1."""
    own = side.value(find_line(table, check["expected"]), check["by"])
    before = [line for line in table.lines if side.value(line, check["by"]).amount < own.amount]
    yield from _in_range(Value(f"place of {own.name}", 1 + len(before)), *[check["place"]] * 2)


def _at_most(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """Every value is at most a factor times the printed one."""
    printed = Side(side.tables, measured=False)
    for line in table.lines:
        for heading in check["of"]:
            limit = printed.value(line, heading).times(check["factor"], "printed")
            yield Inequality(side.value(line, heading), limit, or_equal=True)


def _less(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """In every row, or in those of ``where``, one quantity is less than another one, or than the
    one of the same row in the table ``than_table``, if it has that row."""
    for line in _where(check, table):
        for other in side.tables[check.get("than_table", table.table)].lines:
            if other.key == line.key:
                yield Inequality(side.value(line, check["by"]), side.value(other, check["than"]))


def _often_less(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """So it is in more than half of the rows, but not in all."""
    less = list(_less(check, table, side))
    often = Value("rows", sum(one.holds for one in less))
    yield Inequality(Value("half of them", len(less) / 2), often)
    yield Inequality(often, Value("all", len(less)))


def _where(check: Check, table: Reproduction) -> list[Line]:
    asked = check.get("where", {}).items()
    return [line for line in table.lines if all(line.key[key] in among for key, among in asked)]


def _against(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """In a row some quantities are less than in another one, and some more."""
    line, other = find_line(table, check["row"]), find_line(table, check["other"])
    for heading in (*check["less"], *check["more"]):
        if line is not other:
            order = {"descending": heading in check["more"]}
            yield _sorted(side.value(line, heading), side.value(other, heading), order)


def _some(check: Check, table: Reproduction, side: Side) -> Iterator[Existence]:
    """What the check ``that`` asks of a row holds in at least ``least`` rows."""
    asked: dict[str, list[Demand]] = {}
    absent, that = False, check["that"]
    for line in table.lines:
        try:
            demands = list(_CHECKS[that["kind"]]({**that, "row": line.key}, table, side))
        except NotMeasured:
            absent = True
        else:
            asked |= {name_of(line): demands} if demands else {}
    existence = Existence(asked, check["least"])
    if absent and not existence.holds:
        raise NotMeasured
    yield existence


def _all(check: Check, table: Reproduction, side: Side) -> Iterator[Demand]:
    """Several checks, some of which may be of other tables."""
    for one in check["checks"]:
        yield from inequalities(one, one.get("table", table.table), side)


def _absent(check: Check, _table: Reproduction, _side: Side) -> Iterator[Demand]:
    """Nothing here stands beside the claim."""
    raise NotMeasured(check["why"])


def _least_of_row(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """In a row a given quantity is the least."""
    line = find_line(table, check["row"])
    values = {
        pair.heading: side.value(line, pair.heading).times(1.0, pair.heading) for pair in line.pairs
    }
    least = values.pop(check["expected"])
    yield from (Inequality(least, other) for other in values.values())


def _between(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """A quantity, or its quotient by another one, lies in a range in every row, or in one."""
    lines = [find_line(table, check["row"])] if "row" in check else table.lines
    for line in lines:
        value = side.value(line, check["by"])
        if "over" in check:
            value = value.over(side.value(line, check["over"]), value.name)
        yield from _in_range(value, check.get("least"), check.get("most"))


def _same(check: Check, table: Reproduction, side: Side) -> Iterator[Identity]:
    """In every row the text below a heading is the printed one."""
    for line in table.lines:
        pair = line.pair(check["by"])
        if pair is None:
            raise KeyError(check["by"])
        text = pair.measured if side.measured else pair.printed
        if text is None:
            raise NotMeasured
        yield Identity(name_of(line), str(text), str(pair.printed))


_CHECKS: Mapping[str, Callable[[Check, Reproduction, Side], Iterator[Demand]]] = {
    "factor": _factor,
    "order": _order,
    "same_order": _same_order,
    "rank": _rank,
    "at_most": _at_most,
    "less": _less,
    "often_less": _often_less,
    "least_of_row": _least_of_row,
    "between": _between,
    "same": _same,
    "against": _against,
    "some": _some,
    "all": _all,
    "absent": _absent,
}


def inequalities(check: Check, table: str, side: Side) -> list[Demand]:
    """What a check asks of one side of a table.

    Raises:
        NotMeasured: a value is absent.
        KeyError: the check names something that the tables do not have, or asks nothing.
    """
    asked = list(_CHECKS[check["kind"]](check, side.tables[table], side))
    if not asked:
        raise KeyError(f"{check} asks nothing")
    return asked
