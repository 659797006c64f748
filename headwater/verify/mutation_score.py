# SPDX-License-Identifier: Apache-2.0
"""What was found of mutants, and how many were caught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CAUGHT, MISSED, NO_ANSWER = "caught", "missed", "no answer"
EQUIVALENT, DIFFERENT = "equivalent", "different"

HUNTERS = ("proofs", "vectors", "testbench")
"""What mutants are held against, in this order."""
EQUIVALENCE = "equivalence"


@dataclass(frozen=True)
class Finding:
    """What one hunter says of one mutant."""

    mutation: str
    """The command of Yosys that makes it."""
    hunter: str
    """One of `HUNTERS`, or `EQUIVALENCE`."""
    outcome: str
    by: str = ""
    """The property, the first vector, or the line of the testbench that caught it."""


@dataclass(frozen=True)
class Score:
    """How many mutants some hunters caught together."""

    hunters: str
    mutants: int
    caught: int
    equivalent: int
    """Proven to change nothing that leaves the core."""
    no_answer: int
    """Not caught, not proven to change nothing, and the solver came to no answer."""
    holes: tuple[str, ...]
    """The others that were not caught."""

    @property
    def percent(self) -> float | None:
        """Of the mutants that are not known to be equivalent, how many were caught."""
        different = self.mutants - self.equivalent
        return round(100 * self.caught / different, 1) if different else None


def scores(findings: Sequence[Finding]) -> list[Score]:
    """The score of each hunter, of proofs and vectors, and of all."""
    outcome = {(one.mutation, one.hunter): one.outcome for one in findings}
    mutants = list(dict.fromkeys(one.mutation for one in findings))
    sets = [(hunter,) for hunter in HUNTERS] + [HUNTERS[:2], HUNTERS]
    return [_score(hunters, mutants, outcome) for hunters in sets]


_NAMES = {HUNTERS[:2]: "proofs, vectors", HUNTERS: "all"}


def _score(
    hunters: tuple[str, ...], mutants: Sequence[str], outcome: dict[tuple[str, str], str]
) -> Score:
    left = [
        mutant
        for mutant in mutants
        if not any(outcome[mutant, hunter] == CAUGHT for hunter in hunters)
    ]
    same = [mutant for mutant in left if outcome.get((mutant, EQUIVALENCE)) == EQUIVALENT]
    unsure = [
        mutant
        for mutant in left
        if mutant not in same and any(outcome[mutant, hunter] == NO_ANSWER for hunter in hunters)
    ]
    holes = tuple(mutant for mutant in left if mutant not in same and mutant not in unsure)
    return Score(
        _NAMES.get(hunters, hunters[0]),
        len(mutants),
        len(mutants) - len(left),
        len(same),
        len(unsure),
        holes,
    )
