# SPDX-License-Identifier: Apache-2.0
"""Functions that are seen together, and what can be taken from them without a change of what they
tell.

Two rules, in which a uniform variable is one that is independent of all others:

- a function with a uniform variable as a term, which is in no product of any function, is itself
  uniform: the others are made free of the variable by adding the function, and then it tells
  nothing;
- if a uniform variable is a term of one sum only, wherever this sum is used, the whole sum is as
  uniform as the variable, and takes its place.

Both leave the joint distribution, for each value of all other variables, what it was. The second is
that of Barthe et al., Verified Proofs of Higher-Order Masking (EUROCRYPT 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from headwater.leakage.terms import ONE, Function, Terms, Variable


@dataclass(frozen=True)
class Row:
    """A function, and which of those seen must be added for it."""

    function: Function
    """Without its constant."""
    labels: frozenset[str]
    flip: bool = False
    """The constant."""

    @classmethod
    def of(cls, function: Function, labels: frozenset[str], flip: bool = False) -> Row:
        """A row of a function that may have a constant."""
        return cls(function - ONE, labels, flip ^ (0 in function))


def rows_of(functions: Iterable[tuple[str, Function]]) -> list[Row]:
    """A row for each function."""
    return [Row.of(function, frozenset((label,))) for label, function in functions]


def distinct(rows: Iterable[Row]) -> list[Row]:
    """The rows that are no constants, each function once."""
    by_function: dict[Function, Row] = {}
    for row in rows:
        if row.function:
            by_function.setdefault(row.function, row)
    return list(by_function.values())


def without_pivots(terms: Terms, rows: Sequence[Row], uniform: int) -> list[Row]:
    """What the first rule leaves. Variables of the set ``uniform`` are uniform."""
    left = list(rows)
    while True:
        inside = 0
        once = several = 0
        for row in left:
            linear, product = terms.sets(row.function)
            inside |= product
            several |= once & linear
            once |= linear
        free = uniform & ~inside
        alone = free & once & ~several
        if alone:
            left = [row for row in left if not terms.sets(row.function)[0] & alone]
        elif free & several:
            left = _eliminated(terms, left, free & several)
        else:
            return left


def _eliminated(terms: Terms, rows: list[Row], free: int) -> list[Row]:
    """The rows after one of the free variables, which is in several, has been used up."""
    place = min(
        (at for at, row in enumerate(rows) if terms.sets(row.function)[0] & free),
        key=lambda at: len(rows[at].function),
    )
    pivot = rows[place]
    chosen = terms.sets(pivot.function)[0] & free
    chosen &= -chosen
    return [
        Row(row.function ^ pivot.function, row.labels ^ pivot.labels, row.flip ^ pivot.flip)
        if terms.sets(row.function)[0] & chosen
        else row
        for at, row in enumerate(rows)
        if at != place
    ]


def with_sums_replaced(terms: Terms, rows: Sequence[Row], uniform: int) -> list[Row] | None:
    """What the second rule makes of rows; None where it does not apply."""
    where: dict[int, Function | None] = {}
    for total in _sums(terms, rows):
        for variable in terms.members(terms.sets(total)[0] & uniform):
            where[variable.atom] = None if variable.atom in where else total
    sums: dict[Function, Function] = {}
    touched = 0
    for atom, whole in where.items():
        # Nested sums would be replaced in each other's place: one after the other instead.
        if whole is not None and len(whole) > 1 and whole not in sums:
            if terms.support(whole) & touched:
                continue
            touched |= terms.support(whole)
            sums[whole] = frozenset((atom,))
    if not sums:
        return None
    return replaced(terms, rows, sums=sums)


def replaced(
    terms: Terms,
    rows: Sequence[Row],
    values: Mapping[int, Function] = {},
    sums: Mapping[Function, Function] = {},
) -> list[Row]:
    """The rows with functions in the place of variables and sums, as `Terms.replaced` has it."""
    functions = terms.replaced([row.function for row in rows], values, sums)
    return [
        Row.of(function, row.labels, row.flip)
        for row, function in zip(rows, functions, strict=True)
    ]


def _sums(terms: Terms, rows: Iterable[Row]) -> set[Function]:
    """All sums that the rows are written with: the rows, and the factors of their products."""
    functions = {row.function for row in rows}
    waiting = list(functions)
    while waiting:
        for pair in terms.products(waiting.pop()):
            for factor in pair:
                if factor not in functions:
                    functions.add(factor)
                    waiting.append(factor)
    return functions


def components(terms: Terms, rows: Sequence[Row], joining: int) -> list[list[Row]]:
    """The rows in groups; rows of different groups have no variable of the set ``joining`` in
    common."""
    groups: list[tuple[int, list[Row]]] = []
    for row in rows:
        support, members = terms.support(row.function) & joining, [row]
        apart = []
        for other, several in groups:
            if other & support:
                support |= other
                members = several + members
            else:
                apart.append((other, several))
        groups = [*apart, (support, members)]
    return [members for _, members in groups]


def most_used(terms: Terms, rows: Iterable[Row], among: int) -> Variable | None:
    """The variable of a set that is in most products; None if none is in one."""
    count: dict[Variable, int] = {}
    for row in rows:
        for pair in terms.products(row.function):
            inside = terms.support(pair[0]) | terms.support(pair[1])
            for variable in terms.members(inside & among):
                count[variable] = count.get(variable, 0) + 1
    return max(count, key=lambda one: count[one], default=None)
