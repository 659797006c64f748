# SPDX-License-Identifier: Apache-2.0
"""The claims of the papers as data, and verdicts on them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from headwater.report.printed import Row
from headwater.report.reproduce.checks import Check, inequalities
from headwater.report.reproduce.demands import Demand, Inequality, NotMeasured, Side
from headwater.report.reproduce.experiments import Experiment
from headwater.report.reproduce.reproduction import Reproduction

HOLDS = "holds"
FAILS = "fails"
TIE = "tie"
"""What fails by medians may hold with other seeds of place and route."""
NOT_MEASURED = "not measured"

VERDICTS = (HOLDS, TIE, FAILS, NOT_MEASURED)
_FILE = Path(__file__).parent / "claims.json"
_MANY = 12
"""More values than this are not listed."""


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, or an own check of its rows."""

    paper: str
    table: str
    text: str
    """The claim in words: those of the paper in quotes, all others a paraphrase."""
    check: Check
    """The kind of a check, and its arguments; see `checks`."""
    beside: Sequence[Row] = ()
    """Rows that are measured for the claim alone."""
    experiment: Experiment | None = None
    """What may be the reason if the claim fails."""
    own: bool = False
    """Whether the paper says nothing of it, and only this package wants to know."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim, with the values that decide it."""

    claim: Claim
    verdict: str
    measured: str
    reason: str = ""
    """What an experiment says of a claim that fails."""

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "table": self.claim.table,
            "claim": self.claim.text,
            "own": self.claim.own,
            "verdict": self.verdict,
            "measured": self.measured,
            "reason": self.reason,
        }


@cache
def claims() -> tuple[Claim, ...]:
    """All claims, by paper and table."""
    return tuple(map(_claim, json.loads(_FILE.read_text())))


def _claim(entry: Mapping[str, Any]) -> Claim:
    experiment = entry.get("experiment")
    return Claim(**{**entry, "experiment": Experiment(**experiment) if experiment else None})


Tables = Mapping[str, Reproduction]
"""The reproduced tables of a paper, by id."""


def judge(claim: Claim, tables: Tables, changed: Tables | None = None) -> Verdict:
    """Decide a claim with the tables of its paper; if it fails, its reason is what the tables of
    its experiment say.

    Raises:
        KeyError: the claim names a row or a column that the tables do not have.
    """
    verdict, measured = _decided(claim, tables)
    reason = _reason(claim, changed) if verdict == FAILS else ""
    return Verdict(claim, verdict, measured, reason)


def _decided(claim: Claim, tables: Tables) -> tuple[str, str]:
    """The verdict, and the values that decide it."""
    try:
        asked = inequalities(claim.check, claim.table, Side(tables, measured=True))
    except NotMeasured as absent:
        return NOT_MEASURED, str(absent)
    wrong = [one for one in asked if not one.holds]
    may_hold = all(one.within_spread for one in wrong)
    return (TIE if may_hold else FAILS) if wrong else HOLDS, _told(asked)


def _reason(claim: Claim, changed: Tables | None) -> str:
    if claim.experiment is None or changed is None:
        return "No reason tested."
    verdict, measured = _decided(claim, changed)
    if verdict == NOT_MEASURED:
        return f"Tested: {claim.experiment.text}. Not measured."
    return f"Tested: {claim.experiment.text}. Then the claim {_THEN[verdict]}: {measured}."


_THEN = {HOLDS: "holds", TIE: "is a tie", FAILS: "fails, too"}


def _told(asked: Sequence[Demand]) -> str:
    """The inequalities that do not hold; if all do, the values from the least to the largest, or
    the closest pair where a row has several values."""
    wrong = [str(one) for one in asked if not one.holds]
    if wrong:
        return "; ".join(wrong)
    pairs = [one.values for one in asked if isinstance(one, Inequality)]
    if not pairs:
        told = (one.told for one in asked if not isinstance(one, Inequality))
        return "; ".join(dict.fromkeys(told))
    values = sorted(dict.fromkeys(chain(*pairs)), key=lambda value: value.amount)
    if len({value.name for value in values}) == len(values) <= _MANY:
        return ", ".join(map(str, values))
    less, more = min(pairs, key=lambda pair: pair[1].amount / (pair[0].amount or 1))
    return f"closest: {less} and {more}"


def count(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """The number of verdicts of each sort that there is."""
    counts = {kind: sum(one.verdict == kind for one in verdicts) for kind in VERDICTS}
    return {kind: number for kind, number in counts.items() if number}
