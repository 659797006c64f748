# SPDX-License-Identifier: Apache-2.0
"""Charts of the cost of messages by their length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from headwater.report.charts.parts import (
    Chart,
    Row,
    cipher_colour,
    cipher_shape,
    dash,
    log_x,
    log_y,
    marks,
    plot,
    size,
    spec_of,
    thin_lines,
)
from headwater.report.messages import Cost, cheapest, costs, cross_overs, cycles_of, energy_of
from headwater.report.points import CELLS, Point, measured_on

_STEPS = 24
"""Lines are drawn at every power of two up to 16 Mbit."""

_MARKED = "datum.step % 6 === 0"
"""Places at which a line has a mark, so that its cipher is known without colours."""


QUANTITIES: dict[str, tuple[str, Callable[[Point], Cost | None]]] = {
    "message-cycles": ("Cycles", cycles_of),
    "message-energy": ("Energy (pJ)", energy_of),
}
"""The quantities, by name of the chart: title, and the function that computes it."""


def lengths(points: Sequence[Point]) -> list[Chart]:
    """The charts of messages."""
    return [message_cycles(points), message_energy(points)]


def message_cycles(points: Sequence[Point]) -> Chart:
    """Clock cycles of whole messages, setup included."""
    rows = message_rows(costs(points, cycles_of))
    return Chart(
        "message-cycles",
        "Cycles of a message",
        "Setup and keystream, with the core of each cipher that makes the most bits in a cycle. "
        "Rings: from here on another cipher needs fewer cycles than all others.",
        _spec("Clock cycles", rows),
        rows,
        "headwater evaluate trivium,grain_v1",
    )


def message_energy(points: Sequence[Point]) -> Chart:
    """Energy of whole messages, setup and tag included."""
    rows = message_rows(costs(points, energy_of))
    return Chart(
        "message-energy",
        "Energy of a message",
        "Setup, text and tag, with the core of each cipher that needs the least energy for a bit "
        "on its target. Rings: from here on another cipher needs less than all others.",
        _spec("Energy (pJ)", rows),
        rows,
        "headwater evaluate trivium,grain_v1 --target osu018",
        measured_on(points, CELLS),
    )


def message_rows(given: Sequence[Cost]) -> list[Row]:
    """The lines of the cheapest points, and the cross-overs at which the best cipher changes."""
    lines = cheapest(given)
    return [*map(_line, lines), *(
        {"ids": [over.short.id, over.long.id], "bits": over.bits, "cost": over.cost,
         "cipher": over.long.cipher, "target": over.short.target}
        for over in cross_overs(lines) if over.best
    )]  # fmt: skip


def _line(cost: Cost) -> Row:
    return {"id": cost.id, "cipher": cost.cipher, "target": cost.target, "radix": cost.radix,
            "fixed": cost.fixed, "per_bit": cost.per_bit}  # fmt: skip


def _spec(title: str, rows: Sequence[Row]) -> dict[str, Any]:
    axes: dict[str, Any] = {
        "x": log_x("bits", "Length of the message (bits)"),
        "y": log_y("cost", title),
    }
    colour = cipher_colour(rows)
    targets = any(row["target"] for row in rows)
    dashes: dict[str, Any] = {"strokeDash": dash("target")} if targets else {}
    lines = (
        plot()
        .transform_filter("isValid(datum.fixed)")
        .transform_calculate(step=f"sequence({_STEPS + 1})")
        .transform_flatten(["step"])
        .transform_calculate(bits="pow(2, datum.step)")
        .transform_calculate(cost="datum.fixed + datum.per_bit * datum.bits")
        .encode(colour, **axes)
    )
    ends = lines.transform_filter(_MARKED).encode(cipher_shape(rows), size=size())
    rings = plot().transform_filter("!isValid(datum.fixed)").encode(**axes)
    return spec_of(
        thin_lines(lines.encode(**dashes)),
        marks(ends),
        rings.mark_point(size=150, color="#888888", strokeWidth=1.5, tooltip=None),
        height=360,
    )
