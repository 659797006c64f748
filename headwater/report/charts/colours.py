# SPDX-License-Identifier: Apache-2.0
"""Colours and shapes of charts: of ciphers, of measured and printed figures, of other names.

Each colour is a pair, for white and for black paper. A search found those of ciphers: on both
papers all of them, and those of measured and printed figures, are as far apart for the eye as can
be (greatest least distance in OKLab, lightness counted less than hue). The farthest come first.
Series that differ in colour also differ in shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from headwater.report.points import place_of
from headwater.report.published import printed_ciphers

MEASURED = "measured"
PRINTED = "printed"

SOURCE_COLOURS = (("#0072b2", "#56b4e9"), ("#d55e00", "#e8833a"))
"""Of measured and of printed figures; nothing else has them."""

COLOURS = (
    ("#b5059c", "#ff74e2"),
    ("#018202", "#6ec967"),
    ("#795769", "#be9cad"),
    ("#0128ba", "#457cfe"),
    ("#4c3a88", "#8c7fcc"),
    ("#b6837a", "#ffccc4"),
    ("#7c03b9", "#bf6ffd"),
    ("#b53155", "#ff829a"),
    ("#899c03", "#d1e678"),
    ("#6e98b6", "#b9e1fe"),
    ("#945fb9", "#dbaaff"),
    ("#5b3b0f", "#9d7d58"),
    ("#014959", "#568a9a"),
    ("#01a77d", "#81f0c6"),
    ("#806a01", "#c4b166"),
    ("#307562", "#7ebaa7"),
    ("#015100", "#579352"),
    ("#7a105e", "#c162a0"),
)
"""Of ciphers, targets and interfaces."""

ON_BLACK = dict((*SOURCE_COLOURS, *COLOURS))
"""The colour on black paper, by that on white paper."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right")
"""The numbers of shapes and of colours have no common divisor, so no two of 126 series have both in
common."""

Channel = type[alt.Color] | type[alt.Stroke]
"""The coloured part of a mark: all of it, or its outline alone."""

Row = dict[str, Any]
"""The data of one mark. ``id`` is the id of a measured point, ``printed`` the key of a printed row,
and ``ids`` are the points from which a value was computed."""


def _on_white(index: int) -> str:
    return COLOURS[index % len(COLOURS)][0]


@dataclass(frozen=True)
class Palette:
    """A colour and a shape for each cipher, the same in all charts of a page."""

    first: tuple[str, ...] = ()
    """Ciphers that come first, so that no two of them look alike before the colours run out."""

    def colour(self, rows: Iterable[Row], channel: Channel = alt.Color) -> Any:
        """The colours of the ciphers of a chart."""
        names = in_order(row["cipher"] for row in rows)
        used = [_on_white(self._place(name)) for name in names]
        return channel("cipher:N", title=None, scale=alt.Scale(domain=names, range=used))

    def shape(self, rows: Iterable[Row]) -> alt.Shape:
        """The shapes of the ciphers of a chart."""
        names = in_order(row["cipher"] for row in rows)
        used = [SHAPES[self._place(name) % len(SHAPES)] for name in names]
        return alt.Shape("cipher:N", title=None, scale=alt.Scale(domain=names, range=used))

    def _place(self, name: str) -> int:
        known = self.first.index(name) if name in self.first else None
        return len(self.first) + place_of(name) if known is None else known


def palette(ciphers: Iterable[str]) -> Palette:
    """The palette of a page with these measured ciphers. If they are more than there are colours,
    those of papers come before the others: in charts of papers the shape tells printed figures from
    measured ones, and ciphers differ in colour alone."""
    measured = in_order(ciphers)
    if len(measured) <= len(COLOURS):
        return Palette(tuple(measured))
    return Palette(tuple(dict.fromkeys((*in_order(printed_ciphers()), *measured))))


def in_order(ciphers: Iterable[str]) -> list[str]:
    """Names of ciphers, each once, in the order of the catalogue."""
    return sorted(set(ciphers), key=lambda name: (place_of(name), name))


def listed_colour(
    field: str, names: Sequence[str], channel: Channel = alt.Color, among: Sequence[str] = ()
) -> Any:
    """A colour for each of a few names; equal in all charts with the same ``among``."""
    every = list(dict.fromkeys((*among, *names)))
    used = [_on_white(every.index(name)) for name in names]
    return channel(f"{field}:N", title=None, scale=alt.Scale(domain=list(names), range=used))


def listed_shape(field: str, names: Sequence[str]) -> alt.Shape:
    """A shape for each of a few names."""
    used = [SHAPES[index % len(SHAPES)] for index in range(len(names))]
    return alt.Shape(f"{field}:N", title=None, scale=alt.Scale(domain=list(names), range=used))


def source_shape() -> alt.Shape:
    """Circles are measured, diamonds printed."""
    return alt.Shape("source:N", title=None, scale=_of_sources("circle", "diamond"))


def source_colour(channel: Channel = alt.Color) -> Any:
    """Blue is measured, vermillion printed."""
    (measured, _), (printed, _) = SOURCE_COLOURS
    return channel("source:N", title=None, scale=_of_sources(measured, printed))


def source_fill() -> alt.FillOpacity:
    """Measured points are filled, printed points hollow."""
    return alt.FillOpacity(
        "source:N", title=None, sort=[MEASURED, PRINTED], scale=_of_sources(1, 0)
    )


def source_dash() -> alt.StrokeDash:
    """Lines of measured points are solid, of printed ones dashed."""
    return alt.StrokeDash("source:N", legend=None, scale=_of_sources([1, 0], [4, 3]))


def _of_sources(measured: Any, printed: Any) -> alt.Scale:
    return alt.Scale(domain=[MEASURED, PRINTED], range=[measured, printed])
