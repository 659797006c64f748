# SPDX-License-Identifier: Apache-2.0
"""The design points that no other point beats."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.bench.point import Record

_SMALLER = ("lut", "ge", "energy_pj_per_bit")
_GREATER = ("throughput_mbps",)


def mark_pareto(records: Sequence[Record]) -> list[Record]:
    """The records with a member ``non_dominated`` each.

    A record is dominated if another record of the same target is at least as good in area,
    throughput and (if both have it) energy per bit, and better in one of them.
    """
    return [
        {**record, "non_dominated": not any(_beats(other, record) for other in records)}
        for record in records
    ]


def _beats(one: Record, other: Record) -> bool:
    if one["target"] != other["target"]:
        return False
    pairs = [(-one[name], -other[name]) for name in _SMALLER if _both(one, other, name)]
    pairs += [(one[name], other[name]) for name in _GREATER if _both(one, other, name)]
    return all(mine >= its for mine, its in pairs) and any(mine > its for mine, its in pairs)


def _both(one: Record, other: Record, name: str) -> bool:
    return one.get(name) is not None and other.get(name) is not None
