# SPDX-License-Identifier: Apache-2.0
"""Charts of measured points: area, throughput, energy."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from headwater.report.charts.colours import Palette, Row, listed_colour, listed_shape
from headwater.report.charts.parts import (
    Chart,
    dash,
    log_x,
    log_y,
    marks,
    names,
    names_y,
    plot,
    radix_x,
    spec_of,
    thin_lines,
)
from headwater.report.points import CELLS, FPGA, Point, measured_on, points_in

UNITS = {FPGA: "slice or cell", CELLS: "GE"}
FLOWS = {FPGA: "FPGA", CELLS: "standard cells"}
_SUFFIX = {FPGA: "", CELLS: "-cells"}
_HINTS = {
    FPGA: "headwater evaluate trivium,grain_v1 --target ecp5-25k",
    CELLS: "headwater evaluate trivium,grain_v1 --target osu018",
}


def overview(points: Sequence[Point], palette: Palette) -> list[Chart]:
    """The charts of all measured points."""
    return [
        *(area_throughput(points, technology, palette) for technology in (FPGA, CELLS)),
        *(throughput_per_area(points, technology) for technology in (FPGA, CELLS)),
        energy_radix(points, palette),
    ]


def area_throughput(points: Sequence[Point], technology: str, palette: Palette) -> Chart:
    """Area against throughput; lines join the radices of a cipher, and those points that no other
    point of the same target beats."""
    rows = _rows(points, technology)
    unit = UNITS[technology]
    base = plot(log_x("mbps", "Throughput (Mbit/s)"), log_y("area", f"Area ({unit})"))
    front = _front(base)
    return Chart(
        f"area-throughput{_SUFFIX[technology]}",
        f"Area against throughput, {FLOWS[technology]}",
        "A line joins the radices of a cipher. Grey lines are Pareto fronts: no point of the "
        "target is below and to the right of them.",
        spec_of(
            thin_lines(front, interpolate="step-before", color="#888888").encode(
                strokeDash=dash("target", rows)
            ),
            thin_lines(base).encode(palette.colour(rows), detail="series:N", order="radix:Q"),
            marks(base).encode(palette.colour(rows), palette.shape(rows)),
            names(base, "mbps", "area"),
            height=360,
        ),
        rows,
        _HINTS[technology],
        measured_on(points_in(rows, points)),
    )


def _front(base: alt.Chart) -> alt.Chart:
    """The rows with less area than all other rows of the same target that are as fast or faster."""
    return base.transform_window(
        least="min(area)",
        groupby=["target"],
        sort=[alt.SortField("mbps", order="descending"), alt.SortField("area")],
        frame=[None, 0],
    ).transform_filter("datum.area <= datum.least")


def throughput_per_area(points: Sequence[Point], technology: str) -> Chart:
    """Throughput per area, cipher by cipher; the radix of the best stands beside it."""
    rows = _rows(points, technology)
    unit = UNITS[technology]
    targets = sorted({row["target"] for row in rows})
    base = plot(log_x("per_area", f"Mbit/s per {unit}"), names_y(rows, "per_area"))
    best = base.transform_joinaggregate(best="max(per_area)", groupby=["cipher"]).transform_filter(
        "datum.per_area === datum.best"
    )
    return Chart(
        f"throughput-per-area{_SUFFIX[technology]}",
        f"Throughput per area, {FLOWS[technology]}",
        "Each mark is an architecture; the number is the radix of the cipher's best.",
        spec_of(
            marks(base).encode(listed_colour("target", targets), listed_shape("target", targets)),
            best.mark_text(align="left", dx=9, fontSize=10, tooltip=None).encode(text="radix:Q"),
            height=alt.Step(22),
        ),
        rows,
        _HINTS[technology],
        measured_on(points_in(rows, points)),
    )


def energy_radix(points: Sequence[Point], palette: Palette) -> Chart:
    """Energy of a bit in steady state against the radix."""
    rows = [
        {
            "id": point.id,
            "cipher": point.cipher,
            "target": point["target"],
            "radix": point["radix"],
            "energy": point["energy_pj_per_bit"],
            "series": point.series,
        }
        for point in points
        if point["energy_pj_per_bit"]
    ]
    base = plot(radix_x("Radix (bits per cycle)", rows), log_y("energy", "Energy (pJ/bit)"))
    colour = palette.colour(rows)
    lines = thin_lines(base).encode(colour, detail="series:N", strokeDash=dash("target", rows))
    shown = marks(base).encode(colour, palette.shape(rows))
    return Chart(
        "energy-radix",
        "Energy per bit against radix",
        "In steady state, from the switching activity of the simulated netlist.",
        spec_of(lines, shown, names(base, "radix", "energy"), height=320),
        rows,
        _HINTS[CELLS],
        measured_on(points_in(rows, points)),
    )


def _rows(points: Sequence[Point], technology: str) -> list[Row]:
    return [
        {
            "id": point.id,
            "cipher": point.cipher,
            "target": point["target"],
            "radix": point["radix"],
            "area": point.area,
            "mbps": point["throughput_mbps"],
            "per_area": point.mbps_per_area,
            "series": point.series,
        }
        for point in points
        if point.technology == technology
        and point.area
        and point["throughput_mbps"]
        and point.mbps_per_area
    ]
