# SPDX-License-Identifier: Apache-2.0
"""Many words of equal width in one large integer, so that one operation works on all of them.

An operation on an integer of thousands of bits costs Python hardly more than one on a single word.
Each word has a lane of twice its width, whose upper half stays zero and takes the carries.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.algebra.bitstring import bounds
from headwater.algebra.word import add, concatenate


class LaneWord:
    """A word of ``width`` bits in each of ``count`` lanes, each lane ``pitch`` bits wide."""

    __slots__ = ("count", "pitch", "value", "width")

    def __init__(self, value: int, width: int, pitch: int, count: int) -> None:
        self.value = value
        self.width = width
        self.pitch = pitch
        self.count = count

    @classmethod
    def of(cls, words: Sequence[int], width: int) -> LaneWord:
        """These words of ``width`` bits, the first one in the lowest lane."""
        size = width // 4
        data = b"".join(word.to_bytes(size, "little") for word in words)
        return cls(int.from_bytes(data, "little"), width, 2 * width, len(words))

    def words(self) -> list[int]:
        """The words, the lowest lane's first."""
        size = self.pitch // 8
        data = self.value.to_bytes(size * self.count, "little")
        return [
            int.from_bytes(data[place : place + size], "little")
            for place in range(0, len(data), size)
        ]

    def __len__(self) -> int:
        return self.width

    def __getitem__(self, place: int | slice) -> LaneWord:
        low, high = bounds(place, self.width)
        return self._with(self.value >> low & self._mask(high - low), high - low)

    def __xor__(self, other: LaneWord) -> LaneWord:
        return self._with(self.value ^ other.value, self.width)

    def _with(self, value: int, width: int) -> LaneWord:
        return LaneWord(value, width, self.pitch, self.count)

    def _mask(self, width: int) -> int:
        """Ones in the lowest ``width`` bits of each lane."""
        return _spread((1 << width) - 1, self.pitch, self.count)


_MASKS: dict[tuple[int, int, int], int] = {}


def _spread(value: int, pitch: int, count: int) -> int:
    """The value in each lane; kept, because the same few masks are asked for again and again."""
    known = _MASKS.get((value, pitch, count))
    if known is None:
        known = value * (((1 << pitch * count) - 1) // ((1 << pitch) - 1))
        _MASKS[value, pitch, count] = known
    return known


@concatenate.register
def _concatenate_lanes(lowest: LaneWord, *higher: LaneWord) -> LaneWord:
    value, width = lowest.value, lowest.width
    for word in higher:
        value |= word.value << width
        width += word.width
    return LaneWord(value, width, lowest.pitch, lowest.count)


@add.register
def _add_lanes(left: LaneWord, right: LaneWord) -> LaneWord:
    mask = _spread((1 << left.width) - 1, left.pitch, left.count)
    return LaneWord(left.value + right.value & mask, left.width, left.pitch, left.count)
