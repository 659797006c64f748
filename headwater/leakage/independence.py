# SPDX-License-Identifier: Apache-2.0
"""Whether what a probe sees depends on a secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from headwater.leakage.exact import Budget, Difference, TooLargeError, smallest_difference
from headwater.leakage.rows import (
    Row,
    components,
    distinct,
    replaced,
    with_sums_replaced,
    without_pivots,
)
from headwater.leakage.terms import ONE, ZERO, Kind, Terms, Variable

_MOST_BRANCHES = 64
"""So many cases of single variables are told apart where there are too many to count."""


class Undecided(Enum):
    """The answer where neither rules nor counting came to one."""

    UNDECIDED = "undecided"


UNDECIDED = Undecided.UNDECIDED

Answer = Difference | Undecided | None
"""None: nothing depends on a secret."""


def dependence(terms: Terms, rows: Sequence[Row], budget: Budget) -> Answer:
    """How the joint distribution of functions depends on secrets, for any values of public bits."""
    part = budget.part()
    answer = _Search(terms, part).answer(rows)
    part.return_to(budget)
    return answer


class _Search:
    def __init__(self, terms: Terms, budget: Budget) -> None:
        self._terms, self._budget = terms, budget
        self._branches = 0

    def answer(self, rows: Sequence[Row]) -> Answer:
        """What rules say, or else counting, group by group."""
        left = self._simplified(rows)
        terms = self._terms
        joining = ~(terms.of_kind[Kind.SECRET] | terms.of_kind[Kind.PUBLIC])
        answers = [self._counted(group) for group in components(terms, left, joining)]
        return next(
            (one for one in answers if isinstance(one, Difference)),
            UNDECIDED if UNDECIDED in answers else None,
        )

    def _simplified(self, rows: Sequence[Row]) -> list[Row]:
        """What the rules leave; nothing if it depends on no secret."""
        terms, left = self._terms, distinct(rows)
        while True:
            support = 0
            for row in left:
                support |= terms.support(row.function)
            complete = terms.complete(support)
            if not complete and not support & terms.of_kind[Kind.SECRET]:
                return []
            drawn = terms.of_kind[Kind.SHARE] | terms.of_kind[Kind.RANDOM]
            uniform = support & drawn & ~terms.whole(complete)
            fewer = distinct(without_pivots(terms, left, uniform))
            if len(fewer) < len(left):
                left = fewer
            elif changed := with_sums_replaced(terms, left, uniform):
                left = distinct(changed)
            elif complete:
                left = distinct(self._opened(left, complete))
            else:
                return left

    def _opened(self, rows: Sequence[Row], complete: int) -> list[Row]:
        """The rows with secrets: a first share is the secret plus the others."""
        terms = self._terms
        values = {}
        for first in terms.members(complete):
            secret = terms.variable(first.name, Kind.SECRET, first.cycle)
            total = terms.atom_of(secret)
            for other in terms.group(first.name, first.cycle)[1:]:
                total ^= terms.atom_of(other)
            values[first.atom] = total
        return replaced(terms, rows, values)

    def _counted(self, rows: Sequence[Row]) -> Answer:
        try:
            return smallest_difference(self._terms, rows, self._budget)
        except TooLargeError:
            return self._branched(rows)

    def _branched(self, rows: Sequence[Row]) -> Answer:
        """The answer if a variable is seen, too: what is then independent is so without it. A
        public variable is always seen."""
        variable = self._often(rows)
        if variable is None or self._branches >= _MOST_BRANCHES:
            return UNDECIDED
        self._branches += 1
        answers: list[Answer] = []
        for constant in (ZERO, ONE):
            answers.append(self.answer(replaced(self._terms, rows, {variable.atom: constant})))
            if answers[-1] is not None and variable.kind is not Kind.PUBLIC:
                return UNDECIDED
        if answers == [None, None]:
            return None
        for value, answer in enumerate(answers):
            if variable.kind is Kind.PUBLIC and isinstance(answer, Difference):
                return replace(answer, publics={**answer.publics, variable: value})
        return UNDECIDED

    def _often(self, rows: Sequence[Row]) -> Variable | None:
        """The variable, no secret, that is in most products; a public one first."""
        terms = self._terms
        count: dict[Variable, int] = {}
        for row in rows:
            for pair in terms.products(row.function):
                inside = terms.support(pair[0]) | terms.support(pair[1])
                for variable in terms.members(inside & ~terms.of_kind[Kind.SECRET]):
                    count[variable] = count.get(variable, 0) + 1
        public = {variable: number for variable, number in count.items()
                  if variable.kind is Kind.PUBLIC}  # fmt: skip
        return max(public or count, key=lambda one: (public or count)[one], default=None)
