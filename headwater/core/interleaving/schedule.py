# SPDX-License-Identifier: Apache-2.0
"""In which stage each operation of a core with several sessions is.

A session has its turn in every K-th cycle. Stage 0 is the cycle of its turn, in which its inputs
are there and its outputs are read; stage s is s cycles later. A register of the plain core has its
word from stage ``-lead`` on, and takes the next one at the end of stage ``K - 1 - lead``, so that
each way from register to register is K cycles long. Between, each operation is as late as it can
be: operands that are words of the state wait in the rows of the state itself.

Each operation has two delays, in an FPGA and in cells, in ten thousandths of the longest path that
the plain core has there. A stage has room for what fits into it by both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from headwater.core.interleaving.delays import Delay
from headwater.core.interleaving.graph import INPUTS, Graph


@dataclass(frozen=True)
class Schedule:
    """The stages of a core."""

    streams: int
    """Sessions, and stages."""
    lead: int
    """Stages before the turn of a session, in which its outputs are already worked at."""
    period: Delay
    """The estimated delays of the slowest stages."""
    stages: Mapping[int, int]
    """The stage of each operation that anything depends on."""

    @property
    def last(self) -> int:
        """The stage at whose end registers take their words."""
        return self.streams - 1 - self.lead


def schedule(
    graph: Graph, delays: Mapping[int, Delay], updates: Sequence[int], outputs: Sequence[int],
    streams: int,
) -> Schedule:  # fmt: skip
    """The schedule with the shortest period, where it is longest, and of those with the shortest
    one elsewhere and the least lead. ``updates`` are the operations that registers read,
    ``outputs`` those that outputs read."""
    found = [_shortest(graph, delays, updates, outputs, streams, lead) for lead in range(streams)]
    return min(found, key=lambda one: (*sorted(one.period, reverse=True), one.lead))


def _shortest(
    graph: Graph, delays: Mapping[int, Delay], updates: Sequence[int], outputs: Sequence[int],
    streams: int, lead: int,
) -> Schedule:  # fmt: skip
    """The schedule with the shortest period for a lead: for both delays the same at first, then a
    shorter one for each by itself."""

    def stages(period: Delay) -> dict[int, int] | None:
        return _as_late(graph, delays, updates, outputs, streams, lead, period)

    least = [max(1, *(delay[place] for delay in delays.values())) for place in (0, 1)]
    most = sum(max(delay) for delay in delays.values()) + 1
    both = _least(max(least), most, lambda period: stages((period, period)) is not None)
    one = _least(least[0], both, lambda period: stages((period, both)) is not None)
    other = _least(least[1], both, lambda period: stages((one, period)) is not None)
    made = stages((one, other))
    assert made is not None
    return Schedule(streams, lead, (one, other), made)


def _least(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """The least number from ``low`` to ``high`` that fits, as all greater ones do."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return low


def _as_late(
    graph: Graph, delays: Mapping[int, Delay], updates: Sequence[int], outputs: Sequence[int],
    streams: int, lead: int, period: Delay,
) -> dict[int, int] | None:  # fmt: skip
    """The latest stage of each operation for a period; None if one would have to be before what it
    reads. Times begin with stage 0; no operation goes on from one stage into the next."""
    ends = dict.fromkeys(updates, _end(period, streams - lead))
    for number in outputs:
        ends[number] = _earlier(period, ends.get(number))
    stages: dict[int, int] = {}
    for number in reversed(graph.order):
        if number not in ends:
            continue
        stage = min(-(-end // long) for end, long in zip(ends[number], period, strict=True)) - 1
        # By the other delays it might end in a later stage.
        begins = _before(_earlier(ends[number], _end(period, stage + 1)), delays[number])
        if any(begin < end for begin, end in zip(begins, _end(period, stage), strict=True)):
            begins = _before(_end(period, stage), delays[number])
            stage -= 1
        if stage < (0 if INPUTS in graph.reads[number] else -lead):
            return None
        stages[number] = stage
        for source in graph.reads[number]:
            ends[source] = _earlier(begins, ends.get(source))
    return stages


def _end(period: Delay, stages: int) -> Delay:
    """When so many stages are over."""
    return stages * period[0], stages * period[1]


def _earlier(one: Delay, other: Delay | None) -> Delay:
    return one if other is None else (min(one[0], other[0]), min(one[1], other[1]))


def _before(end: Delay, delay: Delay) -> Delay:
    return end[0] - delay[0], end[1] - delay[1]
