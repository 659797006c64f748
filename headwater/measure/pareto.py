# SPDX-License-Identifier: Apache-2.0
"""The design points that no other point beats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from headwater.measure.record import Record, area_of, stage_of, unfit

_Figure = Callable[[Record], float | None]

_SMALLER: tuple[_Figure, ...] = (area_of, lambda record: record.get("energy_pj_per_bit"))
_GREATER: tuple[_Figure, ...] = (lambda record: record.get("throughput_mbps"),)


def mark_pareto(records: Sequence[Record]) -> list[Record]:
    """The records with a member ``non_dominated`` each.

    A record is dominated if another record of the same target and stage is at least as good in
    area, throughput and (if both have it) energy per bit, and better in one of them; so is what
    does not fit or is not routed.
    """
    fit = [record for record in records if not unfit(record)]
    return [
        {
            **record,
            "non_dominated": not unfit(record) and not any(_beats(one, record) for one in fit),
        }
        for record in records
    ]


def _beats(one: Record, other: Record) -> bool:
    if one["target"] != other["target"] or stage_of(one) != stage_of(other):
        return False
    pairs = [(-mine, -its) for mine, its in _both(one, other, _SMALLER)]
    pairs += _both(one, other, _GREATER)
    return all(mine >= its for mine, its in pairs) and any(mine > its for mine, its in pairs)


def _both(one: Record, other: Record, figures: Sequence[_Figure]) -> list[tuple[float, float]]:
    """The figures that both records have."""
    pairs = [(figure(one), figure(other)) for figure in figures]
    return [(mine, its) for mine, its in pairs if mine is not None and its is not None]
