# SPDX-License-Identifier: Apache-2.0
"""The linear layer of a word that passes slice by slice: what is kept of it, and in which cycles.

In the first pass a word's bits come out of the S-boxes, the lowest first, and enter it again at the
top. A sum needs bits ahead of its own and behind it, around the word. A window keeps the last bits
that came, so sums can be made once it is full; until then the bits themselves enter the word. When
these pass again they enter the window, and the sums that are still missing are made of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from headwater.kinds.sponge.description import WORD_BITS


@dataclass(frozen=True)
class Lane:
    """One word of the state in slices of ``width`` bits. Cycles are counted from the first one of a
    round."""

    width: int
    rotations: tuple[int, int]
    """By how many bits to the right the word is rotated for a sum."""

    @property
    def slices(self) -> int:
        """Cycles in which the word passes once."""
        return WORD_BITS // self.width

    @property
    def places(self) -> tuple[int, ...]:
        """Where the bits of a sum stand, counted from the one in its own place: the three that lie
        closest together, as they are counted around the word."""
        first, second, third = sorted({0, *self.rotations})
        around = (first, second, third, first + WORD_BITS)
        gaps = [after - before for before, after in pairwise(around)]
        behind = 1 + gaps.index(max(gaps))
        return tuple(
            place - WORD_BITS * (number >= behind and behind < 3)
            for number, place in enumerate((first, second, third))
        )

    @property
    def late(self) -> int:
        """Cycles by which a sum is later than the bit in its own place."""
        return -(-max(self.places) // self.width)

    @property
    def window(self) -> int:
        """Bits that are kept beside the word."""
        return self.late * self.width - min(self.places)

    @property
    def first_sum(self) -> int:
        """The cycle of the first sum. Sums are made for as many cycles as there are slices."""
        full = -(-self.window // self.width)
        # Where the word passes twice there is time, and half a pass is told by fewer gates.
        return max(full, self.slices // 2) if self._passes > 1 else full

    @property
    def cycles(self) -> int:
        """Cycles of a round in which the word moves; then all sums are in their places."""
        return self._passes * self.slices + self.late

    @property
    def _passes(self) -> int:
        """How often the word passes: once, if no sum needs a bit behind its own."""
        return 1 if min(self.places) == 0 else 2

    def sum_places(self, bit: int) -> Sequence[int]:
        """Where the bits of a sum stand in the window with the slice that comes behind it, the
        oldest bit first; ``bit`` is the place of the sum in its slice."""
        own = bit - min(self.places)
        return [own + place for place in self.places]
