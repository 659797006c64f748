# SPDX-License-Identifier: Apache-2.0
"""Linear equations over GF(2): integers as vectors of bits."""

from __future__ import annotations


class Solver:
    """Vectors over GF(2), and which sum of them another vector is."""

    def __init__(self) -> None:
        self._rows: dict[int, tuple[int, int]] = {}

    def add(self, vector: int, name: int) -> int | None:
        """Add a vector, with a bit as its name; gives the names of vectors whose sum is zero if it
        depends on those before."""
        rest, names = self._reduced(vector, name)
        if not rest:
            return names
        self._rows[rest.bit_length()] = rest, names
        return None

    def solve(self, vector: int) -> int | None:
        """The names of the vectors whose sum it is; None if it is none."""
        rest, names = self._reduced(vector, 0)
        return None if rest else names

    def _reduced(self, vector: int, names: int) -> tuple[int, int]:
        while vector and vector.bit_length() in self._rows:
            row, of_row = self._rows[vector.bit_length()]
            vector, names = vector ^ row, names ^ of_row
        return vector, names
