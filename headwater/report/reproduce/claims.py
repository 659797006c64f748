# SPDX-License-Identifier: Apache-2.0
"""The claims of the papers as data, and verdicts on them: of the printed values first, then of
today's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from headwater.report.reproduce.checks import (
    COMPARES_WITH_PRINT,
    Check,
    Demand,
    NotMeasured,
    Side,
    inequalities,
)
from headwater.report.reproduce.reasons import Found, Reason
from headwater.report.reproduce.reproduction import Reproduction

HOLDS = "holds"
FAILS = "fails"
TIE = "tie"
"""What fails by medians may hold with other seeds of place and route."""
CONTRADICTED = "contradicted in print"
"""The printed values themselves do not say so."""
NOT_MEASURED = "not measured"

VERDICTS = (HOLDS, TIE, FAILS, CONTRADICTED, NOT_MEASURED)
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
    reason: Reason | None = None
    """Why the claim does not hold today, if it does not."""
    own: bool = False
    """Whether the paper says nothing of it, and only this package wants to know."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim, with the values that decide it."""

    claim: Claim
    verdict: str
    measured: str
    reason: str = ""
    """Why the claim fails, with figures."""

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {
            "table": self.claim.table, "claim": self.claim.text, "own": self.claim.own,
            "verdict": self.verdict, "measured": self.measured, "reason": self.reason,
        }  # fmt: skip


@cache
def claims() -> tuple[Claim, ...]:
    """All claims, by paper and table."""
    return tuple(map(_claim, json.loads(_FILE.read_text())))


def _claim(given: Mapping[str, Any]) -> Claim:
    reason = given.get("reason")
    return Claim(**{**given, "reason": Reason(**reason) if reason else None})


def judge(claim: Claim, tables: Mapping[str, Reproduction], experiments: Found) -> Verdict:
    """Decide a claim with the reproduced tables of its paper, by id, and with the records of the
    experiments that its reason needs.

    Raises:
        KeyError: the claim names a row or a column that the tables do not have.
    """
    printed = _printed(claim, tables)
    if not all(one.holds for one in printed):
        return Verdict(claim, CONTRADICTED, f"printed: {_told(printed)}")
    try:
        asked = inequalities(claim.check, claim.table, Side(tables, measured=True))
    except NotMeasured:
        return Verdict(claim, NOT_MEASURED, "")
    wrong = [one for one in asked if not one.holds]
    may_hold = all(one.within_spread for one in wrong)
    verdict = (TIE if may_hold else FAILS) if wrong else HOLDS
    why = _why(claim, tables, experiments) if verdict == FAILS else ""
    return Verdict(claim, verdict, _told(asked), why)


def _why(claim: Claim, tables: Mapping[str, Reproduction], experiments: Found) -> str:
    """The reason of a claim that fails."""
    if claim.reason is None:
        return "No reason found."
    return claim.reason.told(claim.table, tables, experiments)


def _printed(claim: Claim, tables: Mapping[str, Reproduction]) -> list[Demand]:
    """What the claim asks of the printed values; nothing where print has gaps, or where the claim
    compares with print."""
    if claim.check["kind"] in COMPARES_WITH_PRINT:
        return []
    try:
        return inequalities(claim.check, claim.table, Side(tables, measured=False))
    except NotMeasured:
        return []


def _told(asked: Sequence[Demand]) -> str:
    """The inequalities that do not hold; if all do, the values from the least to the largest, or
    the closest pair where a row has several values."""
    wrong = [str(one) for one in asked if not one.holds]
    if wrong:
        return "; ".join(wrong)
    pairs = [one.values for one in asked if one.values]
    if not pairs:
        return "as printed"
    values = sorted({one for pair in pairs for one in pair}, key=lambda value: value.amount)
    if len({value.name for value in values}) == len(values) <= _MANY:
        return ", ".join(map(str, values))
    less, more = min(pairs, key=lambda pair: pair[1].amount / (pair[0].amount or 1))
    return f"closest: {less} below {more}"


def count(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """The number of verdicts of each sort that there is."""
    counts = {kind: sum(one.verdict == kind for one in verdicts) for kind in VERDICTS}
    return {kind: number for kind, number in counts.items() if number}
