# SPDX-License-Identifier: Apache-2.0
"""Segments of keystream, and the loads and words of a core that give them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

_NEAR_BITS = 8192
"""Keystream that is passed over rather than loading anew."""


@dataclass(frozen=True)
class Segment:
    """Keystream bits ``offset`` to ``offset + bits`` under one key and IV, or from one state."""

    key: bytes
    iv: bytes
    offset: int
    bits: int
    iv_bits: int | None = None
    """Length of the IV where it is not a whole number of bytes."""
    state: bytes | None = field(default=None, repr=False)
    """The state that the keystream begins with in place of key and IV, which are then empty."""

    @classmethod
    def from_state(cls, state: bytes, offset: int, bits: int) -> Segment:
        """A segment of the keystream from a whole state on."""
        return cls(b"", b"", offset, bits, state=state)


def by_key(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """The segments grouped by key and IV, or by state, each group in the order of offsets."""

    def begun(segment: Segment) -> tuple[bytes, bytes, int, bytes]:
        iv_bits = -1 if segment.iv_bits is None else segment.iv_bits
        return segment.key, segment.iv, iv_bits, segment.state or b""

    ordered = sorted(set(segments), key=lambda segment: (*begun(segment), segment.offset))
    for _, group in groupby(ordered, begun):
        yield list(group)


def runs_of(group: Sequence[Segment], radix: int) -> list[tuple[int, int]]:
    """The runs of words, as first word and count, that contain every segment of a group."""
    runs: list[tuple[int, int]] = []
    for segment in group:
        first, last = segment.offset // radix, -(-(segment.offset + segment.bits) // radix)
        if runs and first <= sum(runs[-1]):
            start = runs[-1][0]
            runs[-1] = (start, max(last, sum(runs[-1])) - start)
        else:
            runs.append((first, last - first))
    return runs


def loads_of(
    runs: Sequence[tuple[int, int]], radix: int, seek_bits: int | None
) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """For each load the block that it begins with, the words before that block, and its runs. One
    load serves all runs, unless the keystream can begin at a block: then a distant run has its own
    load."""
    loads: list[tuple[int, int, list[tuple[int, int]]]] = []
    position = -1
    for first, count in runs:
        near = position >= 0 and (first - position) * radix < _NEAR_BITS
        if loads and (near or seek_bits is None):
            loads[-1][2].append((first, count))
        else:
            block = first * radix // seek_bits if seek_bits else 0
            loads.append((block, block * (seek_bits or 0) // radix, [(first, count)]))
        position = first + count
    return loads


def commands_of(runs: Sequence[tuple[int, int]], position: int) -> Iterator[str]:
    """The commands to the simulated core that take these runs, from the word at ``position`` on."""
    for first, count in runs:
        yield f"skip {first - position}"
        yield f"take {count}"
        position = first + count
