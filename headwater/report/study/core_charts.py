# SPDX-License-Identifier: Apache-2.0
"""Charts of cores: throughput of a target's cores against their area."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.measure.record import area_of
from headwater.measure.target import Target
from headwater.report.charts.colours import Palette, Row, palette
from headwater.report.charts.parts import Chart, log_x, log_y, marks, plot, spec_of, thin_lines
from headwater.report.study.study import Cell, Study, of_each_target
from headwater.report.units import plural


def core_charts(study: Study[Cell], cells: Sequence[Cell]) -> list[Chart]:
    """A chart for each target that something is stored of."""
    look = palette(cell.point.cipher.name for cell in cells)
    charts = [_chart(study, target, those, look) for target, those in of_each_target(cells)]
    return [chart for chart in charts if chart.rows]


def _chart(study: Study[Cell], target: Target, cells: Sequence[Cell], look: Palette) -> Chart:
    rows = [row for cell in cells for row in _rows(cell)]
    base = plot(log_x("area", plural(target.area_unit)), log_y("value", "Mbit/s of a long text"))
    lines = thin_lines(base).encode(look.colour(rows))
    return Chart(
        f"{study.name}-{target.name}",
        f"Throughput against area: {study.title.lower()}",
        "A mark is a core; a line joins those of a cipher.",
        spec_of(lines, marks(base).encode(look.colour(rows), look.shape(rows)), height=340),
        rows,
        f"headwater study {study.name}",
        f"Measured on {target.name} ({target.title}).",
    )


def _rows(cell: Cell) -> list[Row]:
    record = cell.record
    if record is None or record["throughput_mbps"] is None:
        return []
    return [
        {
            "id": record.get("id", ""),
            "cipher": cell.point.cipher.name,
            "area": area_of(record),
            "value": record["throughput_mbps"],
            "radix": cell.point.architecture.radix,
        }
    ]
