# SPDX-License-Identifier: Apache-2.0
"""What another checker said of our cores in shares, as docs/masking-judged.txt keeps it."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.leakage.verdict import INSECURE, SECURE

TABLE = Path(__file__).parents[1] / "docs" / "masking-judged.txt"
WHERE, CHANGE, OURS, THEIRS = 2, 3, 4, 5


def rows() -> list[list[str]]:
    """The rows, cell by cell."""
    lines = TABLE.read_text().splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("cipher"))
    return [re.split(r"\s{2,}", line) for line in lines[first + 1 :] if line]


def test_unchanged_cores_are_secure_for_both() -> None:
    """But in cells that sums are made of in a way that the other checker cannot follow."""
    whole = [row for row in rows() if row[CHANGE] == "none"]
    assert {row[OURS] for row in whole} == {SECURE}
    assert {row[THEIRS] for row in whole if row[WHERE] == "RTL"} == {SECURE}
    assert len([row for row in whole if row[THEIRS] == SECURE]) >= 10


def test_changes_leak_for_both() -> None:
    changed = [row for row in rows() if row[CHANGE].startswith("fresh")]
    assert len(changed) >= 20
    assert {(row[OURS], row[THEIRS]) for row in changed} == {(INSECURE, INSECURE)}


def test_the_rule_that_loses_a_mask_is_shown() -> None:
    shown = {row[CHANGE]: (row[OURS], row[THEIRS]) for row in rows() if row[WHERE] == "gates"}
    assert shown == {
        "sum of one gate": (SECURE, SECURE),
        "sum of AND, OR": (SECURE, INSECURE),
    }
