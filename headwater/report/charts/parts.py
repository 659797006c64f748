# SPDX-License-Identifier: Apache-2.0
"""Parts of all charts: the chart as data, colours, shapes, scales and legends.

Colours are those of Okabe and Ito that are visible on white and on black. Series that differ in
colour also differ in shape. No chart fetches anything: all have one data set, named ``rows``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from headwater.report.points import place_of

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a")
FURTHER_COLOURS = ("#b5a400", "#7f5a3c")
"""Further colours, for charts in which the shape does not tell the cipher."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right",
          "triangle-left")  # fmt: skip
"""The numbers of shapes and of colours have no common divisor, so 56 series differ in shape or
colour."""

MEASURED = "measured"
PRINTED = "printed"

Channel = type[alt.Color] | type[alt.Stroke]
"""The coloured part of a mark: all of it, or its outline alone."""

_LEGENDS = ("cipher", "series", "target", "source")
_NAME_WIDTH, _LETTER_WIDTH = 34, 7
"""Widths in a legend, in pixels."""

Row = dict[str, Any]
"""The data of one mark. ``id`` is the id of a measured point, ``printed`` the key of a printed row,
and ``ids`` are the points from which a value was computed."""


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


def plot() -> alt.Chart:
    """A chart of the data set ``rows``, which is added when the chart is drawn."""
    return alt.Chart(alt.NamedData("rows"))


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
    return alt.X(f"{field}:Q", title=title, scale=_log(), axis=_numbers())


def log_y(field: str, title: str) -> alt.Y:
    """A logarithmic vertical axis."""
    return alt.Y(f"{field}:Q", title=title, scale=_log(), axis=_numbers())


def _log() -> alt.Scale:
    return alt.Scale(type="log", nice=False, padding=20)


def _numbers() -> alt.Axis:
    strong = alt.when(_DECADE).then(alt.value(1)).otherwise(alt.value(0.4))
    return alt.Axis(labelExpr=_LABEL, tickCount=5, labelOverlap="greedy", labelSeparation=4,
                    gridOpacity=strong)  # fmt: skip


def radix_x(title: str, rows: Iterable[Row]) -> alt.X:
    """The radix, as powers of two."""
    widest = max((row["radix"] for row in rows), default=1)
    ticks = [2**power for power in range(int(widest).bit_length() + 1)]
    return alt.X(
        "radix:Q",
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
    found: dict[str, float] = {}
    for row in rows:
        known = found.setdefault(row["cipher"], row[by])
        found[row["cipher"]] = min(known, row[by]) if least else max(known, row[by])
    return found


# Colours and shapes


def _in_order(rows: Iterable[Row]) -> list[str]:
    """Ciphers in the order of the catalogue."""
    return sorted({row["cipher"] for row in rows}, key=lambda name: (place_of(name), name))


def cipher_colour(rows: Iterable[Row]) -> alt.Color:
    """A colour for each cipher, the same in all charts."""
    return alt.Color("cipher:N", title=None, scale=_scale(rows, COLOURS))


def cipher_shape(rows: Iterable[Row]) -> alt.Shape:
    """A shape for each cipher, the same in all charts."""
    return alt.Shape("cipher:N", title=None, scale=_scale(rows, SHAPES))


def _scale(rows: Iterable[Row], values: Sequence[str]) -> alt.Scale:
    names = _in_order(rows)
    known = place_of("")
    places = [place_of(name) for name in names]
    # Ciphers that the catalogue does not know have the same place, so they get shapes in order of
    # their names.
    places = [place + (index if place == known else 0) for index, place in enumerate(places)]
    return alt.Scale(domain=names, range=[values[place % len(values)] for place in places])


def listed_colour(field: str, names: Sequence[str], channel: Channel = alt.Color,
                  among: Sequence[str] = ()) -> Any:  # fmt: skip
    """A colour for each of a few names; equal in all charts with the same ``among``."""
    every = list(dict.fromkeys((*among, *names)))
    colours = (*COLOURS, *FURTHER_COLOURS)
    used = [colours[every.index(name) % len(colours)] for name in names]
    return channel(f"{field}:N", title=None, scale=alt.Scale(domain=list(names), range=used))


def local_colour(rows: Iterable[Row], channel: Channel = alt.Color) -> Any:
    """A colour for each of a few ciphers, for a chart in which the shape does not tell the
    cipher."""
    return listed_colour("cipher", _in_order(rows), channel)


def listed_shape(field: str, names: Sequence[str]) -> alt.Shape:
    """A shape for each of a few names."""
    used = [SHAPES[index % len(SHAPES)] for index in range(len(names))]
    return alt.Shape(f"{field}:N", title=None, scale=alt.Scale(domain=list(names), range=used))


def source_shape() -> alt.Shape:
    """Circles are measured, diamonds printed."""
    scale = alt.Scale(domain=[MEASURED, PRINTED], range=["circle", "diamond"])
    return alt.Shape("source:N", title=None, scale=scale)


def source_colour(channel: Channel = alt.Color) -> Any:
    """Blue is measured, vermillion printed."""
    return listed_colour("source", (MEASURED, PRINTED), channel)


def sources(base: alt.Chart, colour: Callable[[Channel], Any]) -> alt.Chart:
    """Points of both sources: measured ones are filled circles, printed ones hollow diamonds."""
    return marks(base).encode(
        colour(alt.Color), source_shape(), stroke=colour(alt.Stroke), fillOpacity=source_fill(),
        size=size(),
    )  # fmt: skip


def source_fill() -> alt.FillOpacity:
    """Measured points are filled, printed points hollow."""
    scale = alt.Scale(domain=[MEASURED, PRINTED], range=[1, 0])
    return alt.FillOpacity("source:N", title=None, scale=scale)


def dash(field: str) -> alt.StrokeDash:
    """A dash pattern for each name."""
    return alt.StrokeDash(f"{field}:N", title=None)


def size() -> Any:
    """The chosen point is larger."""
    return alt.when("chosen !== '' && (datum.id === chosen || datum.printed === chosen)").then(
        alt.value(420)).otherwise(alt.value(75))  # fmt: skip


def marks(chart: alt.Chart) -> alt.Chart:
    """Points with a tooltip in the page; filled unless an encoding says otherwise."""
    return chart.mark_point(filled=True, opacity=0.9, strokeWidth=1.5,
                            tooltip=alt.TooltipContent("data"))  # fmt: skip


def thin_lines(chart: alt.Chart, **properties: Any) -> alt.Chart:
    """Lines that join points without hiding them."""
    return chart.mark_line(strokeWidth=1.4, opacity=0.55, tooltip=None, **properties)
