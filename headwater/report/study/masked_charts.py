# SPDX-License-Identifier: Apache-2.0
"""Charts of cores in shares: their area against that of plain ones, and their fresh bits."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from headwater.measure.target import Target
from headwater.report.charts.colours import Palette, Row, palette
from headwater.report.charts.parts import (
    Chart,
    dash,
    log_x,
    log_y,
    marks,
    plot,
    radix_x,
    spec_of,
    thin_lines,
)
from headwater.report.study.masked_pairs import Pair, pairs_of
from headwater.report.study.study import Cell, Study, of_each_target

_ALONE, _WITH_SOURCE = "in shares", "with its source"


def masked_charts(study: Study[Cell], cells: Sequence[Cell]) -> list[Chart]:
    """Charts of what is stored: of the area on each target, and of the fresh bits."""
    pairs = pairs_of(cells)
    look = palette(pair.masked.point.cipher.name for pair in pairs)
    charts = [_of_area(study, target, those, look) for target, those in of_each_target(cells)]
    return [chart for chart in (*charts, _of_fresh_bits(study, pairs, look)) if chart.rows]


def _of_area(study: Study[Cell], target: Target, cells: Sequence[Cell], look: Palette) -> Chart:
    rows = [row for pair in pairs_of(cells) for row in _areas(pair)]
    base = plot(log_x("plain", "Plain core, GE"), log_y("value", "Core in shares, GE"))
    lines = thin_lines(base).encode(
        look.colour(rows), detail="series:N", strokeDash=dash("variant", rows)
    )
    return Chart(
        f"{study.name}-{target.name}",
        f"Area in shares against the plain one: {study.title.lower()}",
        "A mark is a radix, a line joins those of a cipher; a dash is whether the source of random "
        "bits is counted.",
        spec_of(lines, marks(base).encode(look.colour(rows), look.shape(rows)), height=340),
        rows,
        f"headwater study {study.name}",
        f"Measured on {target.name} ({target.title}), without clock gates.",
    )


def _areas(pair: Pair) -> list[Row]:
    plain, masked = pair.plain.record, pair.masked.record
    if plain is None or masked is None:
        return []
    areas = {_ALONE: masked["ge"]}
    if pair.source_ge is not None:
        areas[_WITH_SOURCE] = round(masked["ge"] + pair.source_ge, 1)
    name, radix = pair.masked.point.cipher.name, pair.core[1]
    return [
        {
            "id": masked.get("id", ""),
            "cipher": name,
            "radix": radix,
            "plain": plain["ge"],
            "value": area,
            "variant": variant,
            "series": f"{name} {variant}",
        }
        for variant, area in areas.items()
    ]


def _of_fresh_bits(study: Study[Cell], pairs: Sequence[Pair], look: Palette) -> Chart:
    rows: dict[tuple[str, int], Row] = {
        pair.core: {
            "id": pair.masked.record.get("id", ""),
            "cipher": pair.masked.point.cipher.name,
            "radix": pair.core[1],
            "value": round(pair.fresh_bits_per_bit, 2),
        }
        for pair in pairs
        if pair.masked.record
    }
    shown = list(rows.values())
    # Not logarithmic: some cores take none.
    base = plot(radix_x("Radix", shown), alt.Y("value:Q", title="Fresh bits per bit of output"))
    return Chart(
        f"{study.name}-fresh",
        f"Fresh bits per bit of output: {study.title.lower()}",
        "A mark is a core that is measured; a line joins those of a cipher.",
        spec_of(
            thin_lines(base).encode(look.colour(shown)),
            marks(base).encode(look.colour(shown), look.shape(shown)),
            height=340,
        ),
        shown,
        f"headwater study {study.name}",
        "From the descriptions.",
    )
