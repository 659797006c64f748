# SPDX-License-Identifier: Apache-2.0
"""The checks of claims: each turns a claim into inequalities between values of tables.

The same inequalities are asked of the printed values and of the measured ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from headwater.report.reproduce.reproduction import Line, Reproduction

Check = Mapping[str, Any]
"""The kind of a check, and its arguments."""


class NotMeasured(Exception):  # noqa: N818
    """A value that the check needs is absent."""


@dataclass(frozen=True)
class Value:
    """A value, and how far it moves with the seed of place and route."""

    name: str
    amount: float
    spread: float = 0.0

    def __str__(self) -> str:
        return f"{self.name} {self.amount:.4g}"

    def times(self, factor: float, name: str) -> Value:
        """The value times an exact factor."""
        return Value(name, self.amount * factor, self.spread * factor)

    def over(self, other: Value, name: str) -> Value:
        """The quotient of two values, whose spreads add."""
        spread = self.spread + other.spread * self.amount / other.amount
        return Value(name, self.amount / other.amount, spread / other.amount)


@dataclass(frozen=True)
class Inequality:
    """``less`` is less than ``more``, or equal to it where the claim allows that."""

    less: Value
    more: Value
    or_equal: bool = False

    def __str__(self) -> str:
        return f"{self.less} is not below {self.more}"

    @property
    def values(self) -> tuple[Value, Value]:
        """Both values."""
        return self.less, self.more

    @property
    def holds(self) -> bool:
        """Whether the medians say so."""
        less, more = self.less.amount, self.more.amount
        return less < more or (self.or_equal and less == more)

    @property
    def within_spread(self) -> bool:
        """Whether other seeds may say so."""
        return self.less.amount - self.less.spread < self.more.amount + self.more.spread


@dataclass(frozen=True)
class Side:
    """One side of the reproduced tables of a paper: the printed or the measured values."""

    tables: Mapping[str, Reproduction]
    measured: bool

    def value(self, line: Line, heading: str) -> Value:
        """The value of a line below a heading, named after the line.

        Raises:
            KeyError: the table has no such heading.
            NotMeasured: the line has no value there.
        """
        pair = line.pair(heading)
        if pair is None:
            raise KeyError(heading)
        amount = pair.measured if self.measured else pair.printed
        if amount is None:
            raise NotMeasured
        if isinstance(amount, str):
            raise KeyError(f"{heading} is text")
        return Value(_name(line), amount, amount * pair.spread if self.measured else 0.0)


@dataclass(frozen=True)
class Identity:
    """The text of a row is the printed one."""

    name: str
    text: str
    printed: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}, not {self.printed}"

    @property
    def holds(self) -> bool:
        """Whether both are the same."""
        return self.text == self.printed

    within_spread = holds
    """A text has no spread."""

    told = "as printed"


@dataclass(frozen=True)
class Existence:
    """At least ``least`` rows satisfy all that is asked of a row."""

    rows: Mapping[str, Sequence[Demand]]
    """What is asked, by the name of the row."""
    least: int

    @property
    def told(self) -> str:
        """The rows that do."""
        found = [name for name, asked in self.rows.items() if all(one.holds for one in asked)]
        return f"so {'is' if len(found) == 1 else 'are'} {', '.join(found)}" if found else "none is"

    def __str__(self) -> str:
        return f"{self.told}; {self.least} must be"

    @property
    def holds(self) -> bool:
        """Whether enough rows do."""
        return sum(all(one.holds for one in asked) for asked in self.rows.values()) >= self.least

    @property
    def within_spread(self) -> bool:
        """Whether enough rows do with other seeds."""
        able = (all(one.within_spread for one in asked) for asked in self.rows.values())
        return sum(able) >= self.least


Demand = Inequality | Identity | Existence
"""What a check asks."""

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
        found = _quotient(names, (table, basis), check["by"], side)
        yield from _in_range(found, least, most)
        if "than" in check:
            second = side.tables[check["than"]]
            yield Inequality(_quotient(names, (second, second), check["than_by"], side), found)


_ABOUT = 0.25


def _quotient(
    names: tuple[str, Any, Any], tables: tuple[Reproduction, Reproduction], by: str, side: Side
) -> Value:
    """A quantity of a row of one table over that of a row of another; rows by a key."""
    key, *rows = names
    one, other = (side.value(find_line(table, {key: row}), by)
                  for table, row in zip(tables, rows, strict=True))  # fmt: skip
    return one.over(other, f"{by} of {rows[0]} over {rows[1]}")


def _in_range(value: Value, least: float | None, most: float | None) -> _Inequalities:
    if least is not None:
        yield Inequality(Value("least", least), value, or_equal=True)
    if most is not None:
        yield Inequality(value, Value("most", most), or_equal=True)


def _order(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """The rows sorted by a quantity are in this order; "*" stands for all others in any order."""
    key, listed = check["key"], [name for name in check["expected"] if name != "*"]
    lines = {line.key[key]: line for line in table.lines}
    values = {name: side.value(lines[name], check["by"]) for name in listed}
    for one, other in pairwise(listed):
        yield _sorted(values[one], values[other], check)
    if "*" in check["expected"]:
        for name, line in lines.items():
            if name not in listed and name in check.get("among", lines):
                yield _sorted(values[listed[-1]], side.value(line, check["by"]), check)


def _same_order(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """The rows, by a key, are in the same order as those of the table ``than`` by the quantity
    ``than_by``, as far as both tables have them."""
    key = check["key"]
    here = {line.key[key]: side.value(line, check["by"]) for line in table.lines}
    there = {line.key[key]: side.value(line, check["than_by"]).amount
             for line in side.tables[check["than"]].lines if line.key[key] in here}  # fmt: skip
    for one, other in pairwise(sorted(there, key=there.__getitem__)):
        yield Inequality(here[one], here[other])


def _rank(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """A row has a place if the rows are sorted by a quantity, the least first; the first is 1."""
    own = side.value(find_line(table, check["expected"]), check["by"])
    before = [line for line in table.lines if side.value(line, check["by"]).amount < own.amount]
    yield from _in_range(Value(f"place of {own.name}", 1 + len(before)), *[check["place"]] * 2)


def _best(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """A given row has the largest (or the least) value of a quantity, also among the rows of the
    table ``also``."""
    best = find_line(table, check["expected"])
    others = side.tables[check["also"]].lines if "also" in check else ()
    for line in (*table.lines, *others):
        if line is not best:
            order = {"descending": check["most"]}
            yield _sorted(side.value(best, check["by"]), side.value(line, check["by"]), order)


def _at_most(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """Every value is at most a factor times the printed one."""
    printed = Side(side.tables, measured=False)
    for line in table.lines:
        for heading in check["of"]:
            limit = printed.value(line, heading).times(check["factor"], "printed")
            yield Inequality(side.value(line, heading), limit, or_equal=True)


def _below(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """In every common row of two tables, or in those of ``where``, a quantity is less in the first
    table."""
    for line in _where(check, table):
        for other in side.tables[check["than"]].lines:
            if other.key == line.key:
                yield Inequality(side.value(line, check["by"]), side.value(other, check["by"]))


def _often_below(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """So it is in more than half of the common rows, but not in all."""
    below = list(_below(check, table, side))
    often = Value("rows", sum(one.holds for one in below))
    yield Inequality(Value("half of them", len(below) / 2), often)
    yield Inequality(often, Value("all", len(below)))


def _less(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """In every row, or in those of ``where``, one quantity is less than another."""
    for line in _where(check, table):
        yield Inequality(side.value(line, check["by"]), side.value(line, check["than"]))


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
            made = list(_CHECKS[that["kind"]]({**that, "row": line.key}, table, side))
        except NotMeasured:
            absent = True
        else:
            asked |= {_name(line): made} if made else {}
    found = Existence(asked, check["least"])
    if absent and not found.holds:
        raise NotMeasured
    yield found


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
    values = {pair.heading: side.value(line, pair.heading).times(1.0, pair.heading)
              for pair in line.pairs}  # fmt: skip
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
        yield Identity(_name(line), str(text), str(pair.printed))


_CHECKS: Mapping[str, Callable[[Check, Reproduction, Side], Iterator[Demand]]] = {
    "factor": _factor,
    "order": _order,
    "same_order": _same_order,
    "rank": _rank,
    "best": _best,
    "at_most": _at_most,
    "below": _below,
    "often_below": _often_below,
    "less": _less,
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


def find_line(table: Reproduction, key: Mapping[str, Any]) -> Line:
    """The first line whose key has these members; an error if there is none."""
    found = next((line for line in table.lines if key.items() <= line.key.items()), None)
    if found is None:
        raise KeyError(str(key))
    return found


def _name(line: Line) -> str:
    return " ".join(str(value) for value in line.key.values())
