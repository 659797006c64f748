# SPDX-License-Identifier: Apache-2.0
"""In which stage each operation of a core with several sessions is.

A session has its turn in every K-th cycle. Stage 0 is the cycle of its turn, in which its inputs
are there and its outputs are read; stage s is s cycles later. A register of the plain core has its
word from stage ``-lead`` on, and takes the next one at the end of stage ``K - 1 - lead``, so that
each way from register to register is K cycles long. Between, each operation is as late as it can
be: operands that are words of the state wait in the rows of the state itself.

Each operation has two delays, in an FPGA and in cells, in ten thousandths of the longest path that
the plain core has there. A stage has room for what fits into it by both.

A stage ends behind a table, so that what is looked up goes into a register at once. Yosys takes a
register at the address of a table for a part of a memory and moves it to the other side, unless a
register is there already: the stage before would then have the table, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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
    graph: Graph,
    delays: Mapping[int, Delay],
    updates: Sequence[int],
    outputs: Sequence[int],
    streams: int,
) -> Schedule:
    """The schedule with the shortest period, where it is longest, and of those with the shortest
    one elsewhere and the least lead. ``updates`` are the operations that registers read,
    ``outputs`` those that outputs read. Where a way has more tables than there are stages, no
    stage need end behind one."""
    problem = _Problem(graph, delays, updates, outputs, streams)
    best = _best(problem) or _best(replace(problem, graph=replace(graph, tables=frozenset())))
    assert best is not None
    return best


@dataclass(frozen=True)
class _Problem:
    """What is to be put into stages."""

    graph: Graph
    delays: Mapping[int, Delay]
    updates: Sequence[int]
    outputs: Sequence[int]
    streams: int


def _best(problem: _Problem) -> Schedule | None:
    """The best schedule; None if there is none, however long its period."""
    best: Schedule | None = None
    for lead in range(problem.streams):
        best = _shorter(problem, lead, best) or best
    return best


def _shorter(problem: _Problem, lead: int, best: Schedule | None) -> Schedule | None:
    """The schedule with the shortest period for a lead, if it is shorter than the best one so far:
    for both delays the same at first, then a shorter one for each by itself."""

    def stages(period: Delay) -> dict[int, int] | None:
        return _as_late(problem, lead, period)

    delays = problem.delays.values()
    least = [max(1, *(delay[place] for delay in delays)) for place in (0, 1)]
    most = max(best.period) if best else sum(map(max, delays)) + 1
    if stages((most, most)) is None:
        return None
    both = _least(max(least), most, lambda period: stages((period, period)) is not None)
    one = _least(least[0], both, lambda period: stages((period, both)) is not None)
    other = _least(least[1], both, lambda period: stages((one, period)) is not None)
    if best and sorted((one, other), reverse=True) >= sorted(best.period, reverse=True):
        return None
    joined = stages((one, other))
    assert joined is not None
    return Schedule(problem.streams, lead, (one, other), joined)


def _least(low: int, high: int, fits: Callable[[int], bool]) -> int:
    """The least number from ``low`` to ``high`` that fits, as all greater ones do."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    return low


def _as_late(problem: _Problem, lead: int, period: Delay) -> dict[int, int] | None:
    """The latest stage of each operation for a period; None if one would have to be before what it
    reads. Times begin with stage 0; no operation goes on from one stage into the next."""
    graph, delays, (long, other_long) = problem.graph, problem.delays, period
    ends = dict.fromkeys(problem.updates, _end(period, problem.streams - lead))
    for number in problem.outputs:
        ends[number] = _earlier(period, ends.get(number))
    stages: dict[int, int] = {}
    for number in reversed(graph.order):
        if number not in ends:
            continue
        end, other_end = ends[number]
        if number in graph.tables:
            end, other_end = _end(period, min(end // long, other_end // other_long))
        delay, other_delay = delays[number]
        stage = min(-(-end // long), -(-other_end // other_long)) - 1
        begin = min(end, (stage + 1) * long) - delay
        other_begin = min(other_end, (stage + 1) * other_long) - other_delay
        if begin < stage * long or other_begin < stage * other_long:
            # It does not fit behind the beginning of this stage, and ends with the one before.
            begin, other_begin = stage * long - delay, stage * other_long - other_delay
            stage -= 1
        if stage < (0 if INPUTS in graph.reads[number] else -lead):
            return None
        stages[number] = stage
        for source in graph.reads[number]:
            ends[source] = _earlier((begin, other_begin), ends.get(source))
    return stages


def _end(period: Delay, stages: int) -> Delay:
    """When so many stages are over."""
    return stages * period[0], stages * period[1]


def _earlier(one: Delay, other: Delay | None) -> Delay:
    return one if other is None else (min(one[0], other[0]), min(one[1], other[1]))
