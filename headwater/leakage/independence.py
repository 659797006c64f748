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
    most_used,
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
        """What rules and counting say; where they say nothing, what they say of both values of a
        public variable. It takes its value before anything else is replaced, as a mask that is
        multiplied by it is none to the rules."""
        answer = self._of_groups(rows)
        public = most_used(self._terms, rows, self._terms.of_kind[Kind.PUBLIC])
        if answer is not UNDECIDED or public is None or self._branches >= _MOST_BRANCHES:
            return answer
        return self._on_both(rows, public)

    def _of_groups(self, rows: Sequence[Row]) -> Answer:
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
            elif closed := self._closed(left, support, uniform):
                left = distinct(closed)
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

    def _closed(self, rows: Sequence[Row], support: int, uniform: int) -> list[Row] | None:
        """The rows without a secret that is only seen added to one of its shares: their sum is as
        uniform as the share, and takes its place. None if there is no such secret."""
        terms = self._terms
        for secret in terms.members(support & terms.of_kind[Kind.SECRET]):
            for share in terms.group(secret.name, secret.cycle)[1:]:
                if share.bit & uniform:
                    sum_ = terms.atom_of(share) ^ terms.atom_of(secret)
                    changed = replaced(terms, rows, {share.atom: sum_})
                    if not any(terms.support(row.function) & secret.bit for row in changed):
                        return changed
        return None

    def _counted(self, rows: Sequence[Row]) -> Answer:
        try:
            return smallest_difference(self._terms, rows, self._budget)
        except TooLargeError:
            return self._branched(rows)

    def _branched(self, rows: Sequence[Row]) -> Answer:
        """The answer if a variable is seen, too: what is then independent is so without it. A
        public variable is always seen."""
        terms = self._terms
        variable = most_used(terms, rows, terms.of_kind[Kind.PUBLIC])
        if variable is None:
            variable = most_used(terms, rows, ~terms.of_kind[Kind.SECRET])
        if variable is None or self._branches >= _MOST_BRANCHES:
            return UNDECIDED
        return self._on_both(rows, variable)

    def _on_both(self, rows: Sequence[Row], variable: Variable) -> Answer:
        """The answer for both values of a variable that is seen."""
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
