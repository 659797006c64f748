# SPDX-License-Identifier: Apache-2.0
"""Sums of many signals: the pair that most of the wanted sums have is added first.

C. Paar, "Optimized arithmetic for Reed-Solomon encoders", ISIT 1997. Among equally good pairs the
earliest is taken, which keeps sums flat. No table of all sums is needed, so it works with too many
signals for `headwater.algebra.straight_line.shared_sums`.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.field import transposed
from headwater.algebra.straight_line import Builder


def paired_sums(
    build: Builder, signals: Sequence[int], rows: Sequence[int], levels: Sequence[int] = ()
) -> list[int]:
    """For each row, a set of signals, their sum; ``levels`` are the depths of the signals in gates,
    all equal if not given."""
    columns = dict(enumerate(transposed(rows, len(signals))))
    known = list(signals)
    late = list(levels) or [0] * len(signals)
    pairs = {
        (left, right): (columns[left] & columns[right]).bit_count()
        for left in columns
        for right in columns
        if left < right
    }
    while pairs:
        # Only pairs of signals that are still to be added are of use.
        best = min(pairs, key=lambda pair: _worth(pairs[pair], pair, late))
        if not pairs[best]:
            break
        _merge(build, best, columns, known, late)
        _count_again(pairs, best, columns)
    left_over = transposed(columns.values(), len(rows))
    places = list(columns)
    return [known[places[one.bit_length() - 1]] for one in left_over]


def _worth(count: int, pair: tuple[int, int], late: Sequence[int]) -> tuple[int, int, int, int]:
    """The key that orders pairs; the best pair has the least key."""
    return -count, max(late[pair[0]], late[pair[1]]), *pair


def _merge(
    build: Builder,
    pair: tuple[int, int],
    columns: dict[int, int],
    known: list[int],
    late: list[int],
) -> None:
    """Add two signals, and replace both by their sum in every row that has both."""
    left, right = pair
    both = columns[left] & columns[right]
    columns[left] ^= both
    columns[right] ^= both
    columns[len(known)] = both
    known.append(build.xor(known[left], known[right]))
    late.append(max(late[left], late[right]) + 1)


def _count_again(
    pairs: dict[tuple[int, int], int], pair: tuple[int, int], columns: dict[int, int]
) -> None:
    """Update the number of rows that contain both signals of a pair, after a change to ``pair``."""
    new = max(columns)
    for changed in (*pair, new):
        for other in columns:
            if other != changed:
                ordered = min(changed, other), max(changed, other)
                pairs[ordered] = (columns[changed] & columns[other]).bit_count()
