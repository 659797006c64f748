# SPDX-License-Identifier: Apache-2.0
"""The checks of claims: each turns a claim into inequalities between values of tables.

The same inequalities are asked of the printed values and of the measured ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
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


@dataclass(frozen=True)
class Inequality:
    """``less`` is less than ``more``, or equal to it where the claim allows that."""

    less: Value
    more: Value
    or_equal: bool = False

    def __str__(self) -> str:
        return f"{self.less} is not below {self.more}"

    @property
    def values(self) -> tuple[Value, ...]:
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

    values = ()

    def __str__(self) -> str:
        return f"{self.name}: {self.text}, not {self.printed}"

    @property
    def holds(self) -> bool:
        """Whether both are the same."""
        return self.text == self.printed

    within_spread = holds
    """A text has no spread."""


Demand = Inequality | Identity
"""What a check asks."""

_Inequalities = Iterator[Inequality]


def _sorted(one: Value, other: Value, check: Check) -> Inequality:
    """Of two values the first belongs first."""
    return Inequality(other, one) if check["descending"] else Inequality(one, other)


def _growth(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """From one row to another, each quantity grows by a factor in a range, or by a printed factor
    within the fraction ``within``."""
    first, last = find_line(table, check["from"]), find_line(table, check["to"])
    for heading, factor in check["of"].items():
        base = side.value(first, heading)
        grown = side.value(last, heading).times(1 / base.amount, f"{heading} x")
        if not isinstance(factor, list):
            factor = [factor * (1 - check["within"]), factor * (1 + check["within"])]
        yield from _in_range(grown, *factor)


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


def _best(check: Check, table: Reproduction, side: Side) -> _Inequalities:
    """A given row has the largest (or the least) value of a quantity."""
    best = find_line(table, check["expected"])
    for line in table.lines:
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
    """In every common row of two tables a quantity is less in the first table."""
    for line in table.lines:
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
    for line in table.lines:
        if all(line.key[key] in among for key, among in check.get("where", {}).items()):
            yield Inequality(side.value(line, check["by"]), side.value(line, check["than"]))


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
            value = value.times(1 / side.value(line, check["over"]).amount, value.name)
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
    "growth": _growth,
    "order": _order,
    "best": _best,
    "at_most": _at_most,
    "below": _below,
    "often_below": _often_below,
    "less": _less,
    "least_of_row": _least_of_row,
    "between": _between,
    "same": _same,
}

COMPARES_WITH_PRINT = ("at_most", "same")
"""Checks that hold of printed values by construction."""


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
