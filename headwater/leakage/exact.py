# SPDX-License-Identifier: Apache-2.0
"""Distributions by counting all cases: truth tables as integers of one bit for each case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from headwater.leakage.rows import Row
from headwater.leakage.terms import Kind, Terms, Variable

MOST_VARIABLES = 18
"""More than these are not counted: a table of 18 has 32 kB."""
_MOST_WORK = 1 << 37
"""Cases that are looked at in one check, again for each value that is counted: some ten seconds."""
_MOST_OF_ALL = 16
"""The part of what is left that one question may take: one of so many."""


class TooLargeError(Exception):
    """There are more cases than are counted."""


class Budget:
    """The work that is left for counting in one check: the same on every machine."""

    def __init__(self, work: int = _MOST_WORK) -> None:
        self._left = work

    def spend(self, work: int) -> None:
        """Take work; `TooLargeError` if there is not as much."""
        if work > self._left:
            raise TooLargeError
        self._left -= work

    def part(self) -> Budget:
        """A part for one question, which is taken at once; what is not needed `return_to` gives
        back."""
        share = self._left // _MOST_OF_ALL
        self._left -= share
        return Budget(share)

    def return_to(self, whole: Budget) -> None:
        """Give back what is left of a part."""
        whole._left += self._left
        self._left = 0


@dataclass(frozen=True)
class Difference:
    """A value that is seen more often for one secret than for another."""

    rows: tuple[Row, ...]
    value: tuple[int, ...]
    """The value of each row."""
    secrets: tuple[Mapping[Variable, int], Mapping[Variable, int]]
    publics: Mapping[Variable, int]
    probabilities: tuple[Fraction, Fraction]


class Cases:
    """All cases of some functions: the uniform variables, the public ones, the secrets.

    Raises
    ------
    TooLargeError
        If they are too many.
    """

    def __init__(self, terms: Terms, rows: Sequence[Row], budget: Budget) -> None:
        self.rows = tuple(rows)
        self._budget = budget
        support = 0
        for row in rows:
            support |= terms.support(row.function)
        parameters = {
            kind: list(terms.members(support & terms.of_kind[kind]))
            for kind in (Kind.PUBLIC, Kind.SECRET)
        }
        self.publics, self.secrets = parameters[Kind.PUBLIC], parameters[Kind.SECRET]
        known = terms.of_kind[Kind.PUBLIC] | terms.of_kind[Kind.SECRET]
        self.uniform = list(terms.members(support & ~known))
        order = [*self.uniform, *self.publics, *self.secrets]
        if len(order) > MOST_VARIABLES:
            raise TooLargeError
        self._count = 1 << len(order)
        budget.spend(len(self.rows) * self._count)
        places = {variable.atom: place for place, variable in enumerate(order)}
        self.tables = terms.tables((row.function for row in rows), places, len(order))
        self._every = (1 << self._count) - 1
        self._run = 1 << len(self.uniform)
        """Cases of one secret and public value, which are neighbours."""

    def values(self, places: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
        """The values that some rows have together, and the cases in which they do."""
        stack: list[tuple[tuple[int, ...], int]] = [((), self._every)]
        while stack:
            value, cases = stack.pop()
            self._budget.spend(self._count)
            if len(value) == len(places):
                yield value, cases
                continue
            table = self.tables[places[len(value)]]
            for digit, some in ((0, cases & ~table), (1, cases & table)):
                if some:
                    stack.append(((*value, digit), some))

    def counts(self, cases: int) -> list[int]:
        """In how many of these cases each parameter, public and secret bits as a number, is."""
        run, mask = self._run, (1 << self._run) - 1
        parameters = self._count // run
        self._budget.spend(parameters * self._count)
        return [(cases >> number * run & mask).bit_count() for number in range(parameters)]

    def difference(self, places: Sequence[int]) -> Difference | None:
        """A value of some rows whose probability depends on the secrets; None if there is none."""
        publics = 1 << len(self.publics)
        for value, cases in self.values(places):
            counts = self.counts(cases)
            for public in range(publics):
                of_secrets = counts[public::publics]
                most, least = max(of_secrets), min(of_secrets)
                if most != least:
                    return self._found(places, value, public, of_secrets)
        return None

    def _found(
        self, places: Sequence[int], value: tuple[int, ...], public: int, counts: list[int]
    ) -> Difference:
        most, least = counts.index(max(counts)), counts.index(min(counts))
        return Difference(
            rows=tuple(self.rows[place] for place in places),
            value=tuple(
                digit ^ self.rows[place].flip for digit, place in zip(value, places, strict=True)
            ),
            secrets=(_digits(self.secrets, most), _digits(self.secrets, least)),
            publics=_digits(self.publics, public),
            probabilities=(Fraction(counts[most], self._run), Fraction(counts[least], self._run)),
        )

    def is_uniform(self) -> bool:
        """Whether the rows have each value together equally often, whatever the parameters are."""
        places = range(len(self.rows))
        combinations = 0
        for _, cases in self.values(places):
            combinations += 1
            counts = self.counts(cases)
            if min(counts) != max(counts) or counts[0] << len(places) != self._run:
                return False
        return combinations == 1 << len(places)


def _digits(variables: Sequence[Variable], number: int) -> dict[Variable, int]:
    return {variable: number >> place & 1 for place, variable in enumerate(variables)}


def smallest_difference(terms: Terms, rows: Sequence[Row], budget: Budget) -> Difference | None:
    """A difference that needs as few of the rows as were found to do; None if the rows together
    show none."""
    cases = Cases(terms, rows, budget)
    places = list(range(len(rows)))
    difference = cases.difference(places)
    if difference is None:
        return None
    for place in tuple(places):
        fewer = [one for one in places if one != place]
        try:
            smaller = cases.difference(fewer) if fewer else None
        except TooLargeError:
            break
        if smaller is not None:
            difference, places = smaller, fewer
    return difference
