# SPDX-License-Identifier: Apache-2.0
"""Whether sharings are uniform and correct again: what the induction needs of the next cycle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from headwater.flow.process import ToolStoppedError
from headwater.leakage.exact import Budget, Cases, TooLargeError
from headwater.leakage.rows import (
    Row,
    components,
    most_used,
    replaced,
    with_sums_replaced,
    without_pivots,
)
from headwater.leakage.solver import depends_on, has_collision
from headwater.leakage.terms import ONE, ZERO, Function, Kind, Terms
from headwater.leakage.window import Uniform

_LISTED = 8
"""So many secrets are named in a sentence."""
_MOST_PUBLIC = 6
"""So many public bits take both values where there are too many cases to count."""


@dataclass(frozen=True)
class Flaw:
    """Why sharings are not uniform, or not correct."""

    what: str
    """``correct`` or ``uniform``."""
    names: tuple[str, ...]
    """The secrets whose shares are concerned."""
    undecided: bool = False

    def as_json(self) -> dict[str, Any]:
        """The flaw as plain data."""
        return {"what": self.what, "secrets": list(self.names), "undecided": self.undecided}

    @property
    def sentence(self) -> str:
        """The flaw in words."""
        listed = ", ".join(self.names[:_LISTED])
        if len(self.names) > _LISTED:
            listed += f" and {len(self.names) - _LISTED} more"
        if self.undecided:
            return f"whether the shares of {listed} are {self.what} together is undecided"
        if self.what == "correct":
            return f"the sum of the shares of {listed} depends on masks or random bits"
        return f"the shares of {listed} are not a uniform sharing together"


def flaws(terms: Terms, wanted: Uniform) -> list[Flaw]:
    """What keeps functions from being a uniform sharing of values that secrets alone decide."""
    functions = [share for sharing in wanted.sharings for share in sharing.shares]
    opened = _opened(terms, [*functions, *(function for _, function in wanted.bits)])
    shares = iter(opened)
    wrong: list[Flaw] = []
    rows: list[Row] = []
    for sharing in wanted.sharings:
        members = [next(shares) for _ in sharing.shares]
        wrong += _wrong(terms, sharing.name, members)
        rows += [Row.of(member, frozenset((sharing.name,))) for member in members[1:]]
    rows += [
        Row.of(member, frozenset((name,)))
        for (name, _), member in zip(wanted.bits, shares, strict=True)
    ]
    return [*wrong, *_uneven(terms, rows)]


def _opened(terms: Terms, functions: Sequence[Function]) -> list[Function]:
    """Functions of secrets, of the other shares than the first, and of random bits."""
    support = 0
    for function in functions:
        support |= terms.support(function)
    values = {}
    for variable in terms.members(support & terms.of_kind[Kind.SHARE]):
        if variable.index == 0:
            total = terms.atom_of(terms.variable(variable.name, Kind.SECRET, variable.cycle))
            for other in terms.group(variable.name, variable.cycle)[1:]:
                total ^= terms.atom_of(other)
            values[variable.atom] = total
    return terms.replaced(functions, values)


def _drawn(terms: Terms, support: int) -> int:
    return support & (terms.of_kind[Kind.SHARE] | terms.of_kind[Kind.RANDOM])


def _wrong(terms: Terms, name: str, members: Iterable[Function]) -> list[Flaw]:
    total = ZERO
    for member in members:
        total ^= member
    drawn = _drawn(terms, terms.support(total))
    zeros = {variable.atom: ZERO for variable in terms.members(drawn)}
    try:
        wrong = depends_on(terms, total, drawn, zeros)
    except ToolStoppedError:
        return [Flaw("correct", (name,), undecided=True)]
    return [Flaw("correct", (name,))] if wrong else []


def _uneven(terms: Terms, rows: Sequence[Row], public: int = _MOST_PUBLIC) -> list[Flaw]:
    """The rows that are not uniform, in groups that have no variable in common. As many ``public``
    bits may take both values."""
    left = list(rows)
    while True:
        support = 0
        for row in left:
            support |= terms.support(row.function)
        drawn = _drawn(terms, support)
        fewer = without_pivots(terms, left, drawn)
        if len(fewer) < len(left):
            left = fewer
        elif changed := with_sums_replaced(terms, left, drawn):
            left = changed
        else:
            break
    groups = components(terms, left, drawn)
    return [flaw for group in groups for flaw in _of_group(terms, group, public)]


def _of_group(terms: Terms, rows: Sequence[Row], public: int) -> list[Flaw]:
    names = tuple(sorted({label for row in rows for label in row.labels}))
    support = 0
    for row in rows:
        support |= terms.support(row.function)
    drawn = _drawn(terms, support)
    if len(rows) > drawn.bit_count():
        return [Flaw("uniform", names)]
    try:
        return [] if Cases(terms, rows, Budget()).is_uniform() else [Flaw("uniform", names)]
    except TooLargeError:
        variable = most_used(terms, rows, terms.of_kind[Kind.PUBLIC]) if public else None
    if variable is None:
        return _by_solver(terms, rows, drawn, names)
    for value in (ZERO, ONE):
        # A mask that is multiplied by a public bit is none to the rules.
        if found := _uneven(terms, replaced(terms, rows, {variable.atom: value}), public - 1):
            return found
    return []


def _by_solver(terms: Terms, rows: Sequence[Row], drawn: int, names: tuple[str, ...]) -> list[Flaw]:
    """As many bits as are drawn are uniform if no two draws give the same; if more are drawn, it
    is enough that this holds for a choice of them, whatever the others are."""
    functions = [row.function for row in rows]
    exact = drawn.bit_count() == len(rows)
    for chosen in [drawn] if exact else _choices(terms, rows, drawn):
        try:
            if not has_collision(terms, functions, chosen):
                return []
        except ToolStoppedError:
            exact = False
            break
    return [Flaw("uniform", names, undecided=not exact)]


def _choices(terms: Terms, rows: Sequence[Row], drawn: int) -> list[int]:
    """Sets of as many drawn variables as there are rows, by which the rows may differ: first those
    that are terms of rows, then any."""
    chosen = 0
    for prefer in (0, 1):
        for row in rows:
            linear, inside = terms.sets(row.function)
            free = (linear, inside)[prefer] & drawn & ~chosen
            if free and chosen.bit_count() < len(rows):
                chosen |= free & -free
    return [chosen] if chosen.bit_count() == len(rows) else []
