# SPDX-License-Identifier: Apache-2.0
"""In which stage each operation of a core with several sessions is.

A session has its turn in every K-th cycle. Stage 0 is the cycle of its turn, in which its inputs
are there and its outputs are read; stage s is s cycles later. A register of the plain core has its
word from stage ``-lead`` on, and takes the next one at the end of stage ``K - 1 - lead``, so that
each way from register to register is K cycles long. Between, each operation is as late as it can
be: operands that are words of the state wait in the rows of the state itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headwater.core.interleaving.graph import INPUTS, Graph


@dataclass(frozen=True)
class Schedule:
    """The stages of a core."""

    streams: int
    """Sessions, and stages."""
    lead: int
    """Stages before the turn of a session, in which its outputs are already worked at."""
    period: int
    """The estimated delay of the slowest stage, in units of the delays."""
    stages: Mapping[int, int]
    """The stage of each operation that anything depends on."""

    @property
    def last(self) -> int:
        """The stage at whose end registers take their words."""
        return self.streams - 1 - self.lead


def schedule(
    graph: Graph, delays: Mapping[int, int], updates: Sequence[int], outputs: Sequence[int],
    streams: int,
) -> Schedule:  # fmt: skip
    """The schedule with the shortest period, and of those with the least lead. ``updates`` are the
    operations that registers read, ``outputs`` those that outputs read."""
    found = [_shortest(graph, delays, updates, outputs, streams, lead) for lead in range(streams)]
    return min(found, key=lambda one: (one.period, one.lead))


def _shortest(
    graph: Graph, delays: Mapping[int, int], updates: Sequence[int], outputs: Sequence[int],
    streams: int, lead: int,
) -> Schedule:  # fmt: skip
    """The schedule with the shortest period for a lead."""
    low, high = max(1, *delays.values()), sum(delays.values()) + 1
    while low < high:
        period = (low + high) // 2
        if _as_late(graph, delays, updates, outputs, streams, lead, period) is None:
            low = period + 1
        else:
            high = period
    stages = _as_late(graph, delays, updates, outputs, streams, lead, low)
    assert stages is not None
    return Schedule(streams, lead, low, stages)


def _as_late(
    graph: Graph, delays: Mapping[int, int], updates: Sequence[int], outputs: Sequence[int],
    streams: int, lead: int, period: int,
) -> dict[int, int] | None:  # fmt: skip
    """The latest stage of each operation for a period; None if one would have to be before what it
    reads. Times begin with stage 0; no operation goes on from one stage into the next."""
    ends: dict[int, int] = dict.fromkeys(updates, (streams - lead) * period)
    for number in outputs:
        ends[number] = min(period, ends.get(number, period))
    stages: dict[int, int] = {}
    for number in reversed(graph.order):
        if number not in ends:
            continue
        stage = -(-ends[number] // period) - 1
        begins = ends[number] - delays[number]
        if begins < stage * period:
            begins, stage = stage * period - delays[number], stage - 1
        if stage < (0 if INPUTS in graph.reads[number] else -lead):
            return None
        stages[number] = stage
        for source in graph.reads[number]:
            ends[source] = min(begins, ends.get(source, begins))
    return stages
