# SPDX-License-Identifier: Apache-2.0
"""Parts of all charts: the chart as data, axes, marks and lines.

No chart fetches anything: all have one data set, named ``rows``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from headwater.report.charts.colours import Channel, Row, source_fill, source_shape

_LEGENDS = ("cipher", "series", "target", "source", "variant", "cpu")
_NAME_WIDTH, _LETTER_WIDTH = 34, 8
"""Widths in a legend, in pixels."""
_PADDING, _LETTER_PADDING = 10, 1
"""Space between columns of a legend, in pixels. Columns are as wide as their names in Liberation
Sans, which is as wide as Helvetica and Arial. Where a viewer has none of these it draws a wider
font, such as DejaVu Sans: by up to a pixel for each letter."""
_NAME_SHARE, _LINE_SHARE = 0.16, 0.036
"""Width and height of a name beside a point, in those of a plot."""


@dataclass(frozen=True)
class Chart:
    """One chart, in the page and as a figure."""

    name: str
    """Name of its files and of its place in the page."""
    title: str
    text: str
    spec: dict[str, Any]
    """Vega-Lite without data, width or theme."""
    rows: Sequence[Row]
    hint: str = ""
    """The command that measures missing points."""
    source: str = ""
    """Technologies and targets of the points."""

    def columns(self, width: float) -> int:
        """Number of columns of names that fit into a legend."""
        return max(1, int(width // (_NAME_WIDTH + _LETTER_WIDTH * self.longest)))

    @property
    def column_padding(self) -> int:
        """Pixels between columns of a legend, enough for the fonts of all viewers."""
        return _PADDING + _LETTER_PADDING * self.longest

    @property
    def longest(self) -> int:
        """Letters of the longest name in a legend."""
        names = {str(row.get(field, "")) for row in self.rows for field in _LEGENDS}
        shown = json.dumps(self.spec)
        return max((len(name) for name in names if json.dumps(name) in shown), default=8)

    @property
    def measured(self) -> int:
        """Number of measured points."""
        return sum("id" in row for row in self.rows)

    @property
    def missing(self) -> str:
        """The text of a chart without measured points; empty if there are some."""
        if self.measured:
            return ""
        return f"No measured point yet. To measure some: {self.hint}"


def plot(x: alt.X, y: alt.Y) -> alt.Chart:
    """A chart of the data set ``rows``, which is added when the chart is drawn, on these axes."""
    return alt.Chart(alt.NamedData("rows")).encode(x, y)


def spec_of(*layers: alt.Chart, **properties: Any) -> dict[str, Any]:
    """Layers as Vega-Lite. The parameter ``chosen`` is the point that is chosen in the page."""
    chart = alt.layer(*layers) if len(layers) > 1 else layers[0]
    chosen = alt.param(name="chosen", value="")
    whole = chart.add_params(chosen).properties(**properties)
    # Not validated here: Vega-Lite validates its input, and Altair's validation would take most of
    # the time.
    spec: dict[str, Any] = whole.to_dict(validate=False)
    for member in ("$schema", "config"):
        spec.pop(member, None)
    return spec


# Scales and axes

_DIGIT = "datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9))"
_DECADE = f"abs({_DIGIT} - 1) < 1e-6"
_WHOLE = f"abs({_DIGIT} - round({_DIGIT})) < 1e-6"
_LABELLED = f"!({_WHOLE}) || indexof([1, 2, 5], round({_DIGIT})) >= 0"
_NUMBER = "datum.value >= 10000 ? format(datum.value, '~s') : format(datum.value, '.3~r')"
_LABEL = f"({_LABELLED}) ? ({_NUMBER}) : ''"
"""Labels of a logarithmic axis: 1, 2 and 5 of each decade; all ticks if the range is less than a
decade."""


def log_x(field: str, title: str) -> alt.X:
    """A logarithmic horizontal axis."""
    # A label at the end would be cut by the edge of the picture.
    return alt.X(f"{field}:Q", title=title, scale=_log(), axis=_numbers(labelFlush=12))


def log_y(field: str, title: str) -> alt.Y:
    """A logarithmic vertical axis."""
    return alt.Y(f"{field}:Q", title=title, scale=_log(), axis=_numbers())


def _log() -> alt.Scale:
    return alt.Scale(type="log", nice=False, padding=20)


def _numbers(**properties: Any) -> alt.Axis:
    strong = alt.when(_DECADE).then(alt.value(1)).otherwise(alt.value(0.4))
    return alt.Axis(
        labelExpr=_LABEL,
        tickCount=5,
        labelOverlap="greedy",
        labelSeparation=4,
        gridOpacity=strong,
        **properties,
    )


def radix_x(title: str, rows: Iterable[Row]) -> alt.X:
    """The radix, as powers of two."""
    return powers_x("radix", title, rows)


def powers_x(field: str, title: str, rows: Iterable[Row]) -> alt.X:
    """A number of bits, as powers of two."""
    widest = max((row[field] for row in rows), default=1)
    ticks = [2**power for power in range(int(widest).bit_length() + 1)]
    return alt.X(
        f"{field}:Q",
        title=title,
        scale=alt.Scale(type="log", base=2, nice=False, padding=20),
        axis=alt.Axis(values=ticks, format="d", labelOverlap="greedy"),
    )


def names_y(rows: Sequence[Row], by: str, *, least_first: bool = False) -> alt.Y:
    """Ciphers by name, one line each: the one with the best value on top."""
    best = _best(rows, by, least_first)
    order = sorted(best, key=lambda name: (best[name] if least_first else -best[name], name))
    return alt.Y("cipher:N", title=None, sort=order, axis=alt.Axis(grid=True, labelLimit=160))


def _best(rows: Iterable[Row], by: str, least: bool) -> dict[str, float]:
    best: dict[str, float] = {}
    for row in rows:
        known = best.setdefault(row["cipher"], row[by])
        best[row["cipher"]] = min(known, row[by]) if least else max(known, row[by])
    return best


# Marks


def sources(base: alt.Chart, colour: Callable[[Channel], Any]) -> alt.Chart:
    """Points of both sources: measured ones are filled circles, printed ones hollow diamonds."""
    return marks(base).encode(
        colour(alt.Color),
        source_shape(),
        stroke=colour(alt.Stroke),
        fillOpacity=source_fill(),
    )


def dash(field: str, rows: Iterable[Row]) -> alt.StrokeDash:
    """A dash pattern for each name of the rows; a single one needs no legend."""
    names = sorted({row[field] for row in rows})
    if len(names) < 2:
        return alt.StrokeDash(f"{field}:N", title=None, legend=None)
    return alt.StrokeDash(f"{field}:N", title=None, scale=alt.Scale(domain=names))


def marks(chart: alt.Chart) -> alt.Chart:
    """Points with a tooltip in the page, the chosen one larger; filled unless an encoding says
    otherwise."""
    chosen = "chosen !== '' && (datum.id === chosen || datum.printed === chosen)"
    size: Any = alt.when(chosen).then(alt.value(420)).otherwise(alt.value(75))
    return chart.encode(size=size).mark_point(
        filled=True, opacity=0.9, strokeWidth=1.5, tooltip=alt.TooltipContent("data")
    )


def thin_lines(chart: alt.Chart, **properties: Any) -> alt.Chart:
    """Lines that join points without hiding them."""
    return chart.mark_line(strokeWidth=1.4, opacity=0.55, tooltip=None, **properties)


def names(base: alt.Chart, x: str, y: str) -> alt.Chart:
    """The name of its cipher at the right end of each line, where no lower name is too near. Both
    axes are logarithmic."""
    ends = base.transform_joinaggregate(end=f"max({x})", groupby=["cipher", "target"])
    ends = ends.transform_filter(f"datum.{x} === datum.end")
    ends = ends.transform_joinaggregate(
        left=f"min({x})", right=f"max({x})", low=f"min({y})", high=f"max({y})"
    ).transform_calculate(across=_share(x, "left", "right"), up=_share(y, "low", "high"))
    # Names that could meet are in one column, of these or of those that begin between them.
    for shift in (0, 0.5):
        ends = (
            ends.transform_calculate(column=f"floor(datum.across / {2 * _NAME_SHARE} + {shift})")
            .transform_window(below="lag(up)", groupby=["column"], sort=[alt.SortField("up")])
            .transform_filter(f"datum.below === null || datum.up - datum.below > {_LINE_SHARE}")
        )
    return ends.mark_text(align="left", dx=9, fontSize=10, tooltip=None).encode(text="cipher:N")


def _share(field: str, least: str, most: str) -> str:
    """Where a value is on a logarithmic axis, from 0 to 1."""
    value, range_ = f"log(datum.{field} / datum.{least})", f"log(datum.{most} / datum.{least})"
    return f"{value} / max({range_}, 1e-9)"
