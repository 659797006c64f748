# SPDX-License-Identifier: Apache-2.0
"""Charts of the cost of messages by their length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headwater.report.charts.colours import Palette, Row
from headwater.report.charts.parts import (
    Chart,
    dash,
    log_x,
    log_y,
    marks,
    plot,
    spec_of,
    thin_lines,
)
from headwater.report.messages import Cost, cheapest, costs, cross_overs, cycles_of, energy_of
from headwater.report.points import Point, measured_on, points_in

_STEPS = 24
"""Lines are drawn at every power of two up to 16 Mbit."""

_MARKED = "datum.step % 6 === 0"
"""Places at which a line has a mark, so that its cipher is known without colours."""


QUANTITIES: dict[str, tuple[str, Callable[[Point], Cost | None]]] = {
    "message-cycles": ("Cycles", cycles_of),
    "message-energy": ("Energy (pJ)", energy_of),
}
"""The quantities, by name of the chart: title, and the function that computes it."""

_HINT = "headwater evaluate trivium,grain_v1"


def lengths(points: Sequence[Point], palette: Palette) -> list[Chart]:
    """Clock cycles of whole messages, setup included, and their energy, with that of the tag."""
    cycles, energy = (_rows(costs(points, of)) for _, of in QUANTITIES.values())
    return [
        Chart(
            "message-cycles",
            "Cycles of a message",
            "Setup and keystream, with the core of each cipher that makes the most bits in a "
            "cycle. Rings: from here on another cipher needs fewer cycles than all others.",
            _spec("Clock cycles", cycles, palette),
            cycles,
            _HINT,
        ),
        Chart(
            "message-energy",
            "Energy of a message",
            "Setup, text and tag, with the core of each cipher that needs the least energy for a "
            "bit on its target. Rings: from here on another cipher needs less than all others.",
            _spec("Energy (pJ)", energy, palette),
            energy,
            f"{_HINT} --target osu018",
            measured_on(points_in(energy, points)),
        ),
    ]


def _rows(each: Sequence[Cost]) -> list[Row]:
    """The lines of the cheapest points, and the cross-overs at which the best cipher changes."""
    lines = cheapest(each)
    return [
        *(
            {
                "id": cost.id,
                "cipher": cost.cipher,
                "target": cost.target,
                "radix": cost.radix,
                "fixed": cost.fixed,
                "per_bit": cost.per_bit,
            }
            for cost in lines
        ),
        *(
            {
                "ids": [over.short.id, over.long.id],
                "bits": over.bits,
                "cost": over.cost,
                "cipher": over.long.cipher,
                "target": over.short.target,
            }
            for over in cross_overs(lines)
            if over.best
        ),
    ]


def _spec(title: str, rows: Sequence[Row], palette: Palette) -> dict[str, Any]:
    base = plot(log_x("bits", "Length of the message (bits)"), log_y("cost", title))
    targets = any(row["target"] for row in rows)
    dashes: dict[str, Any] = {"strokeDash": dash("target", rows)} if targets else {}
    lines = (
        base.transform_filter("isValid(datum.fixed)")
        .transform_calculate(step=f"sequence({_STEPS + 1})")
        .transform_flatten(["step"])
        .transform_calculate(bits="pow(2, datum.step)")
        .transform_calculate(cost="datum.fixed + datum.per_bit * datum.bits")
        .encode(palette.colour(rows))
    )
    ends = lines.transform_filter(_MARKED).encode(palette.shape(rows))
    rings = base.transform_filter("!isValid(datum.fixed)")
    return spec_of(
        thin_lines(lines.encode(**dashes)),
        marks(ends),
        rings.mark_point(size=150, color="#888888", strokeWidth=1.5, tooltip=None),
        height=360,
    )
