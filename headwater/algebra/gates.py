# SPDX-License-Identifier: Apache-2.0
"""Counting the two-input gates of an expression as it is written."""

from __future__ import annotations

from collections import Counter


class GateCounter:
    """Makes bits without a value that count every gate applied to them.

    Members
    -------
    gates : Counter
        Two-input gates by name ("and", "or", "xor") and inverters ("not") met so far.
    """

    def __init__(self) -> None:
        self.gates: Counter[str] = Counter()

    def bit(self) -> CountedBit:
        """A new bit whose gates this counter counts."""
        return CountedBit(self)


class CountedBit:
    """A bit of unknown value; each operator adds one gate to its counter."""

    def __init__(self, counter: GateCounter) -> None:
        self._counter = counter

    def _gate(self, kind: str) -> CountedBit:
        self._counter.gates[kind] += 1
        return CountedBit(self._counter)

    def __and__(self, other: CountedBit) -> CountedBit:
        return self._gate("and")

    def __or__(self, other: CountedBit) -> CountedBit:
        return self._gate("or")

    def __xor__(self, other: CountedBit) -> CountedBit:
        return self._gate("xor")

    def __invert__(self) -> CountedBit:
        return self._gate("not")
