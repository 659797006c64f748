# SPDX-License-Identifier: Apache-2.0
"""What checks ask: inequalities between values of tables, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.report.reproduce.reproduction import Line, Reproduction


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
        return Value(name_of(line), amount, amount * pair.spread if self.measured else 0.0)


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
        fulfilled = [name for name, asked in self.rows.items() if all(one.holds for one in asked)]
        return (
            f"so {'is' if len(fulfilled) == 1 else 'are'} {', '.join(fulfilled)}"
            if fulfilled
            else "none is"
        )

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


def find_line(table: Reproduction, key: Mapping[str, Any]) -> Line:
    """The first line whose key has these members; an error if there is none."""
    line_found = next((line for line in table.lines if key.items() <= line.key.items()), None)
    if line_found is None:
        raise KeyError(str(key))
    return line_found


def name_of(line: Line) -> str:
    """The values of its key."""
    return " ".join(str(value) for value in line.key.values())
