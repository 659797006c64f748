# SPDX-License-Identifier: Apache-2.0
"""Charts of variants of cores: a figure against bits per cycle, a line for each variant."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.measure.target import Target
from headwater.report.charts.colours import Row, palette
from headwater.report.charts.parts import (
    Chart,
    dash,
    log_y,
    marks,
    plot,
    powers_x,
    spec_of,
    thin_lines,
)
from headwater.report.study.study import Cell, Study, of_each_target
from headwater.report.study.variant_figures import core_of, value_of, variant_of


def variant_charts(study: Study[Cell], optimum: str, cells: Sequence[Cell]) -> list[Chart]:
    """A chart for each target that something is stored of."""
    charts = [_chart(study, optimum, target, those) for target, those in of_each_target(cells)]
    return [chart for chart in charts if chart.rows]


def _chart(study: Study[Cell], optimum: str, target: Target, cells: Sequence[Cell]) -> Chart:
    rows = [row for cell in cells for row in _rows(optimum, cell)]
    look = palette(row["cipher"] for row in rows)
    base = plot(powers_x("bits", "Bits per cycle", rows), log_y("value", optimum))
    lines = thin_lines(base).encode(
        look.colour(rows), detail="series:N", strokeDash=dash("variant", rows)
    )
    return Chart(
        f"{study.name}-{target.name}",
        study.title,
        "A colour is a cipher, a dash what the flow made of it.",
        spec_of(lines, marks(base).encode(look.colour(rows), look.shape(rows)), height=340),
        rows,
        f"headwater study {study.name}",
        f"Measured on {target.name} ({target.title}).",
    )


def _rows(optimum: str, cell: Cell) -> list[Row]:
    value = value_of(cell.record, optimum)
    if value is None or cell.record is None:
        return []
    _, bits, options = core_of(cell)
    variant = variant_of(cell.point)
    return [
        {
            "id": cell.record.get("id", ""),
            "cipher": cell.point.cipher.name,
            "bits": bits,
            "value": value,
            "variant": variant,
            "series": f"{cell.point.cipher.name} {variant}",
            "options": options,
        }
    ]
