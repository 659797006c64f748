# SPDX-License-Identifier: Apache-2.0
"""Cost of a message by its length, and the lengths at which one cipher begins to beat another.

Cost is a straight line. In cycles: the setup, plus 1 / (bits per cycle) for each bit. In energy:
setup and tag, plus the energy of a bit for each bit. In the page `report/static/messages.js`
computes the same for the filtered points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from headwater.report.points import CELLS, Point

SHORTEST, LONGEST = 1.0, 2.0**30
"""Range of message lengths, in bits."""


@dataclass(frozen=True)
class Cost:
    """The cost of messages with one design point."""

    id: str
    cipher: str
    radix: int
    target: str
    """Target of an energy; empty for cycles, which do not depend on the target. Only costs of one
    target are compared."""
    fixed: float
    """Cycles or pJ of setup (and tag)."""
    per_bit: float
    """Cycles or pJ of each bit."""

    def of(self, bits: float) -> float:
        """Cost of a message of ``bits`` bits."""
        return self.fixed + bits * self.per_bit


@dataclass(frozen=True)
class CrossOver:
    """The length in bits from which ``long`` costs less than ``short``, and the cost at this
    length.

    ``best`` says whether no other cipher costs less at that length.
    """

    short: Cost
    long: Cost
    bits: float
    cost: float
    best: bool


def cycles_of(point: Point) -> Cost | None:
    """The cost in clock cycles of one session, equal on every target; None if the record lacks a
    number."""
    setup, bits = point["setup_cycles"], point["bits_per_cycle"]
    if setup is None or not bits:
        return None
    return Cost(point.id, point.cipher, point["radix"], "", setup, point.sessions / bits)


def energy_of(point: Point) -> Cost | None:
    """The cost in pJ on the target of the point; None if energy was not measured."""
    setup, bit = point["setup_energy_nj"], point["energy_pj_per_bit"]
    if point.technology != CELLS or setup is None or bit is None:
        return None
    fixed = 1000 * (setup + (point["tag_energy_nj"] or 0.0))
    return Cost(point.id, point.cipher, point["radix"], point["target"], fixed, bit)


def costs(points: Iterable[Point], of: Callable[[Point], Cost | None]) -> list[Cost]:
    """The costs of all points that have one."""
    return [cost for cost in map(of, points) if cost]


def cheapest(all_costs: Iterable[Cost]) -> list[Cost]:
    """For each cipher and target, the cost with the least slope; among equals the one with the
    cheapest setup, then the first."""
    best: dict[tuple[str, str], Cost] = {}
    for cost in all_costs:
        known = best.setdefault((cost.target, cost.cipher), cost)
        if (cost.per_bit, cost.fixed) < (known.per_bit, known.fixed):
            best[cost.target, cost.cipher] = cost
    return list(best.values())


def cross_overs(all_costs: Sequence[Cost]) -> list[CrossOver]:
    """The lengths at which two costs of one target are equal, shortest first."""
    crossings = []
    for one, other in combinations(all_costs, 2):
        short, long = (one, other) if one.per_bit > other.per_bit else (other, one)
        if one.target != other.target or short.per_bit == long.per_bit:
            continue
        bits = (long.fixed - short.fixed) / (short.per_bit - long.per_bit)
        if SHORTEST <= bits <= LONGEST:
            cost = short.of(bits)
            best = all(
                cost <= rival.of(bits) * (1 + 1e-9)
                for rival in all_costs
                if rival.target == one.target
            )
            crossings.append(CrossOver(short, long, bits, cost, best))
    return sorted(crossings, key=lambda each: (each.bits, each.short.cipher, each.long.cipher))
