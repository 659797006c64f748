# SPDX-License-Identifier: Apache-2.0
"""The claims of the papers as data, and checks that decide whether a claim holds today."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from headwater.report.reproduce.comparison import Line, Reproduction

HOLDS, FAILS, NOT_MEASURED = "holds", "fails", "not measured"
_FILE = Path(__file__).parent / "claims.json"


@dataclass(frozen=True)
class Claim:
    """One claim of a paper."""

    paper: str
    table: str
    text: str
    """The claim in words."""
    check: Mapping[str, Any]
    """The name of a check, and its arguments; see the check functions in this file."""
    reason: str = ""
    """The likely reason why the claim does not hold today, if it does not."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim: "holds", "fails" or "not measured", with the measured values."""

    claim: Claim
    verdict: str
    measured: str

    def as_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        reason = self.claim.reason if self.verdict == FAILS else ""
        return {
            "table": self.claim.table, "claim": self.claim.text, "verdict": self.verdict,
            "measured": self.measured, "likely_reason": reason,
        }  # fmt: skip


class _NotMeasured(Exception):  # noqa: N818
    """A value that the check needs is absent."""


_Tables = Mapping[str, Reproduction]


@cache
def claims() -> tuple[Claim, ...]:
    """All claims, by paper and table."""
    return tuple(Claim(**claim) for claim in json.loads(_FILE.read_text()))


def judge(claim: Claim, tables: _Tables) -> Verdict:
    """Decide a claim with the reproduced tables of its paper, by id."""
    try:
        holds, measured = _CHECKS[claim.check["kind"]](claim.check, tables[claim.table], tables)
    except (_NotMeasured, KeyError):
        return Verdict(claim, NOT_MEASURED, "")
    return Verdict(claim, HOLDS if holds else FAILS, measured)


def _value(line: Line, heading: str) -> float:
    pair = line.pair(heading)
    if pair is None or pair.measured is None:
        raise _NotMeasured
    return pair.measured


def _line(table: Reproduction, key: Mapping[str, Any]) -> Line:
    return next(line for line in table.lines if key.items() <= line.key.items())


_Answer = tuple[bool, str]


def _growth(check: Mapping[str, Any], table: Reproduction, _tables: _Tables) -> _Answer:
    """From one row to another, each quantity grows by the printed factor, within the fraction
    ``within``."""
    first, last = _line(table, check["from"]), _line(table, check["to"])
    grown = {name: _value(last, name) / _value(first, name) for name in check["of"]}
    holds = all(
        abs(grown[name] - factor) <= check["within"] * factor
        for name, factor in check["of"].items()
    )
    return holds, ", ".join(f"{name} x{factor:.3g}" for name, factor in grown.items())


def _order(check: Mapping[str, Any], table: Reproduction, _tables: _Tables) -> _Answer:
    """The rows sorted by a quantity are in this order; "*" stands for all others in any order."""
    expected: list[Any] = check["expected"]
    open_ended = "*" in expected
    among = check.get("among") or (None if open_ended else expected)
    values = {
        line.key[check["key"]]: _value(line, check["by"])
        for line in table.lines
        if among is None or line.key[check["key"]] in among
    }
    order = sorted(values, key=lambda name: values[name], reverse=check["descending"])
    length = expected.index("*") if open_ended else len(expected)
    shown = ", ".join(f"{name} {values[name]:.4g}" for name in order)
    return order[:length] == expected[:length], shown


def _best(check: Mapping[str, Any], table: Reproduction, _tables: _Tables) -> _Answer:
    """A given row has the largest (or the least) value of a quantity."""
    values = [(_value(line, check["by"]), line) for line in table.lines]
    choose: Callable[..., Any] = max if check["most"] else min
    value, line = choose(values, key=lambda pair: pair[0])
    key = ", ".join(f"{name} = {it}" for name, it in line.key.items())
    return check["expected"].items() <= line.key.items(), f"{key}: {value:.4g}"


def _at_most(check: Mapping[str, Any], table: Reproduction, _tables: _Tables) -> _Answer:
    """Every measured value is at most a factor times the printed value."""
    above = []
    for line in table.lines:
        for heading in check["of"]:
            pair, measured = line.pair(heading), _value(line, heading)
            limit = check["factor"] * (pair.printed or 0) if pair else 0
            if measured > limit:
                above.append(f"{_name(line)}: {measured:g} against {limit:.4g}")
    return not above, "; ".join(above) or "nowhere above"


def _below(check: Mapping[str, Any], table: Reproduction, tables: _Tables) -> _Answer:
    """In every common row of two tables a quantity is less in the first table."""
    above = []
    for line in table.lines:
        others = [one for one in tables[check["than"]].lines if one.key == line.key]
        for other in others:
            mine, its = _value(line, check["by"]), _value(other, check["by"])
            if mine > its or (mine == its and not check.get("equal")):
                above.append(f"{_name(line)}: {mine:g} against {its:g}")
    return not above, "; ".join(above) or "everywhere below"


def _less(check: Mapping[str, Any], table: Reproduction, _tables: _Tables) -> _Answer:
    """In every row one quantity is less than another."""
    pairs = [(line, _value(line, check["by"]), _value(line, check["than"])) for line in table.lines]
    above = [f"{_name(line)}: {one:.3g} against {other:.3g}"
             for line, one, other in pairs if one >= other]  # fmt: skip
    times = [other / one for _, one, other in pairs if one]
    return not above, "; ".join(above) or f"{min(times):.2f} to {max(times):.2f} times less"


def _least_of_row(check: Mapping[str, Any], table: Reproduction, _tables: _Tables) -> _Answer:
    """In a row a given quantity is the least."""
    line = _line(table, check["row"])
    values = {pair.heading: _value(line, pair.heading) for pair in line.pairs}
    least = min(values, key=lambda name: values[name])
    return least == check["expected"], f"{least}: {values[least]:.4g}"


def _name(line: Line) -> str:
    return " ".join(str(value) for value in line.key.values())


_CHECKS: Mapping[str, Callable[[Mapping[str, Any], Reproduction, _Tables], _Answer]] = {
    "growth": _growth,
    "order": _order,
    "best": _best,
    "at_most": _at_most,
    "below": _below,
    "less": _less,
    "least_of_row": _least_of_row,
}


def count(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """The number of claims that hold, fail and were not measured."""
    return {
        kind: sum(verdict.verdict == kind for verdict in verdicts)
        for kind in (HOLDS, FAILS, NOT_MEASURED)
    }
