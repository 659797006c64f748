# SPDX-License-Identifier: Apache-2.0
"""Charts of sources of random bits: a figure on a target against the bits in each cycle."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.measure.record import unfit
from headwater.measure.target import Target
from headwater.report.charts.colours import Palette, Row, palette
from headwater.report.charts.parts import (
    Chart,
    log_y,
    marks,
    plot,
    powers_x,
    spec_of,
    thin_lines,
)
from headwater.report.study.source_tables import QUANTITIES, Quantity, SourceCell, smallest
from headwater.report.study.study import Study, of_each_target


def source_charts(study: Study[SourceCell], cells: Sequence[SourceCell]) -> list[Chart]:
    """A chart for each quantity and target that something is stored of."""
    look = palette(cell.point.cipher.name for cell in cells)
    charts = [
        _chart(study, quantity, target, those, look)
        for target, those in of_each_target(cells)
        for quantity in QUANTITIES
        if quantity.unit(target)
    ]
    return [chart for chart in charts if chart.rows]


def _chart(
    study: Study[SourceCell],
    quantity: Quantity,
    target: Target,
    cells: Sequence[SourceCell],
    look: Palette,
) -> Chart:
    rows = [row for cell in cells for row in _rows(cell, cells, quantity)]
    axis = f"{quantity.title} ({quantity.unit(target)})"
    base = plot(powers_x("bits", "Random bits in each cycle", rows), log_y("value", axis))
    lines = thin_lines(base.transform_filter("datum.least")).encode(look.colour(rows))
    return Chart(
        f"{study.name}-{quantity.name}-{target.name}",
        f"{quantity.title}: {study.title.lower()}",
        "A mark is a source, with the number of its cores where there are several; lines join the "
        "smallest that are measured.",
        spec_of(
            lines,
            marks(base).encode(look.colour(rows), look.shape(rows)),
            base.transform_filter("datum.cores > 1")
            .mark_text(align="left", dx=8, fontSize=9, tooltip=None)
            .encode(text="cores:Q"),
            height=340,
        ),
        rows,
        f"headwater study {study.name}",
        f"Measured on {target.name} ({target.title}).",
    )


def _rows(cell: SourceCell, cells: Sequence[SourceCell], quantity: Quantity) -> list[Row]:
    value = cell.record and quantity.of(cell.record)
    if cell.record is None or value is None or unfit(cell.record):
        return []
    splits = [one for one in cells if (one.bits, one.cipher) == (cell.bits, cell.cipher)]
    return [
        {
            "id": cell.record.get("id", ""),
            "cipher": cell.point.cipher.name,
            "bits": cell.bits,
            "value": value,
            "cores": cell.source.instances,
            "least": smallest(splits)[0] is cell,
        }
    ]
