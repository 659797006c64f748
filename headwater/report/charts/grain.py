# SPDX-License-Identifier: Apache-2.0
"""The charts of the study of Grain-128AEAD in 65 nm, drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from headwater.report.charts.colours import MEASURED, PRINTED, Palette, Row, listed_colour
from headwater.report.charts.papers import technologies
from headwater.report.charts.parts import (
    Chart,
    log_y,
    plot,
    radix_x,
    sources,
    spec_of,
    thin_lines,
)
from headwater.report.points import CELLS, Point
from headwater.report.published import GRAIN, printed_rows

_CIPHERS = ("grain128aead", "grain128aeadv2")
_BLOCKS = 1000
_HINT = "headwater evaluate grain128aead --radix 1,2,4,8,16,32,64 --target osu018"


@dataclass(frozen=True)
class _Study:
    """A figure of the study: where it is printed (series, table, column, factor), and the measured
    figure."""

    name: str
    title: str
    axis: str
    printed: tuple[tuple[str, str, str, float], ...]
    text: str = ""


_STUDIES = (
    _Study(
        "energy",
        "Energy of 1000 blocks of 64 bits",
        "Energy (nJ)",
        (
            ("low power, 100 kHz", "table6", "energy_nj_1000_blocks", 1),
            ("low power, 10 MHz", "table7", "energy_nj_1000_blocks", 1),
        ),
    ),
    _Study(
        "area",
        "Area",
        "Area (GE)",
        (
            ("straightforward", "table2", "area_ge", 1),
            ("high speed", "table4_regular", "area_ge", 1),
            ("high speed, optimized controller", "table4_optimized", "area_ge", 1),
            ("low power, 100 kHz", "table6", "area_ge_power", 1),
        ),
    ),
    _Study(
        "power",
        "Power",
        "Power (µW)",
        (
            ("straightforward", "table2", "power_mw", 1000),
            ("high speed", "table4_regular", "power_mw", 1000),
            ("high speed, optimized controller", "table4_optimized", "power_mw", 1000),
            ("low power, 100 kHz", "table6", "power_uw_power", 1),
            ("low power, 10 MHz", "table7", "power_uw_power", 1),
        ),
        "Straightforward and high speed are at their highest clock, measured ones at the clock "
        "that the point tells.",
    ),
)

_PRINTED_SERIES = tuple(
    f"{name} (printed)"
    for name in dict.fromkeys(name for study in _STUDIES[1:] for name, *_ in study.printed)
)

_BY_RADIX = (("straightforward", "table3"), ("high speed", "table5"))
"""Tables of energy that have a column for each radix."""


def grain(points: Sequence[Point], _palette: Palette) -> list[Chart]:
    """Energy, area and power against n, the output bits in a cycle."""
    return [_chart(study, points) for study in _STUDIES]


def _chart(study: _Study, points: Sequence[Point]) -> Chart:
    rows = [*_printed(study), *_measured(study, points)]
    base = plot(radix_x("n (output bits per cycle)", rows), log_y("value", study.axis))
    names = list(dict.fromkeys(row["series"] for row in rows))
    colour = partial(listed_colour, "series", names, among=_PRINTED_SERIES)
    lines = thin_lines(base).encode(colour(), detail="line:N")
    spec = spec_of(lines, sources(base, colour), height=320)
    source = technologies(GRAIN, rows, points, comparable=study.name == "area")
    chart = f"grain128aead-{study.name}"
    return Chart(chart, study.title, study.text, spec, rows, _HINT, source)


def _printed(study: _Study) -> Iterator[Row]:
    for series, table, column, factor in study.printed:
        for row in printed_rows(GRAIN, table):
            yield _row(series, PRINTED, row.radix, row[column] * factor, printed=row.key)
    for series, table in _BY_RADIX if study.name == "energy" else ():
        (row,) = (row for row in printed_rows(GRAIN, table) if row["blocks"] == _BLOCKS)
        for column in row.table.columns[1:]:
            yield _row(series, PRINTED, int(column.removeprefix("x")), row[column], printed=row.key)


def _measured(study: _Study, points: Sequence[Point]) -> Iterator[Row]:
    cells = (point for point in points if point.technology == CELLS and point.cipher in _CIPHERS)
    for point in cells:
        for clock, value in _figures(study, point).items():
            if not value:
                continue
            series = f"{point.cipher}, {point['target']}{clock}"
            yield _row(
                series,
                MEASURED,
                point["radix"],
                value,
                id=point.id,
                line=f"{point.series}{clock}",
                cipher=point.cipher,
            )


def _figures(study: _Study, point: Point) -> dict[str, float | None]:
    """The figure of a point that a study shows; for power one figure for each clock."""
    if study.name == "power":
        clocks = {
            "": "power_mw",
            ", 100 kHz": "power_at_100khz_mw",
            ", 10 MHz": "power_at_10mhz_mw",
        }
        return {clock: point[name] and 1000 * point[name] for clock, name in clocks.items()}
    energy = (point["energy_message_nj"] or {}).get("thousand_blocks")
    return {"": energy if study.name == "energy" else point["ge"]}


def _row(series: str, source: str, radix: float | None, value: float, **more: Any) -> Row:
    name = series if source == MEASURED else f"{series} (printed)"
    return {
        "series": name,
        "line": name,
        "source": source,
        "radix": radix,
        "value": value,
        "cipher": "grain128aead",
        **more,
    }
