# SPDX-License-Identifier: Apache-2.0
"""Charts as SVG and PNG. An SVG has colours for dark surroundings, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import vl_convert

from headwater.report.charts.colours import ON_BLACK
from headwater.report.charts.parts import Chart

VEGA_LITE = "6.4"
"""The version of Vega-Lite that Altair writes and the page carries."""

_WIDTH = 640
_PNG_SCALE = 2
_PAPER, _INK, _FAINT, _LINES = "white", "#1b1f24", "#57606a", "#e6e8eb"
_DARK = {_PAPER: "#161b21", _INK: "#e7ebf0", _FAINT: "#9aa5b1", _LINES: "#2b323a", **ON_BLACK}
"""The colour on dark paper, by that on white paper."""

_FONT = "Helvetica, Arial, sans-serif"
_CONFIG = {
    "background": _PAPER,
    "padding": 14,
    "font": _FONT,
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "fontSize": 16,
        "color": _INK,
        "subtitleColor": _FAINT,
        "subtitleFontSize": 11,
        "offset": 14,
        "subtitlePadding": 6,
    },
    "axis": {
        "gridColor": _LINES,
        "domainColor": _LINES,
        "tickColor": _LINES,
        "labelColor": _FAINT,
        "titleColor": _INK,
        "titleFontWeight": 500,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titlePadding": 10,
    },
    "text": {"color": _FAINT},
}
_LEGEND = {
    "orient": "bottom",
    "labelColor": _INK,
    "labelFontSize": 11,
    "labelLimit": 260,
    "symbolLimit": 60,
    "symbolOpacity": 1,
    "symbolBaseFillColor": _FAINT,
    "symbolBaseStrokeColor": _FAINT,
    "symbolSize": 70,
    "layout": {"bottom": {"direction": "vertical", "anchor": "start"}},
}
_LINE = 105
"""Characters in a line of the text below the title."""


def svg(chart: Chart) -> bytes:
    """The chart as SVG."""
    text: str = vl_convert.vegalite_to_svg(_styled(chart), vl_version=VEGA_LITE)
    return with_dark_colours(text).encode()


def with_dark_colours(text: str) -> str:
    """An SVG whose colours are others where the reader prefers dark paper."""
    rules = "".join(
        f'[{part}="{colour}"]{{{part}:{dark}}}'
        for colour, dark in _DARK.items()
        for part in ("fill", "stroke")
        if f'{part}="{colour}"' in text
    )
    head, end, body = text.partition(">")
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    return f"{head}{end}{style}{body}"


def png(chart: Chart) -> bytes:
    """The chart as PNG, at twice its size."""
    image: bytes = vl_convert.vegalite_to_png(
        _styled(chart), vl_version=VEGA_LITE, scale=_PNG_SCALE
    )
    return image


def figures(charts: Sequence[Chart]) -> dict[str, bytes]:
    """Files by name: each chart as SVG and as PNG. A chart without points gives no file."""
    files: dict[str, bytes] = {}
    for chart in charts:
        if chart.rows:
            files[f"{chart.name}.svg"] = svg(chart)
            files[f"{chart.name}.png"] = png(chart)
    return files


def _styled(chart: Chart) -> dict[str, Any]:
    columns = {"columns": chart.columns(_WIDTH), "columnPadding": chart.column_padding}
    legend = {**_LEGEND, **columns}
    return {**whole(chart), "config": {**_CONFIG, "legend": legend}}


def whole(chart: Chart) -> dict[str, Any]:
    """The specification with title, width and data."""
    text = " ".join(filter(None, (chart.source, chart.text, chart.missing)))
    return {
        **chart.spec,
        "width": _WIDTH,
        "title": {"text": chart.title, "subtitle": _wrapped(text)},
        "datasets": {"rows": list(chart.rows)},
    }


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + 1 + len(word) > _LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
