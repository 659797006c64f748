# SPDX-License-Identifier: Apache-2.0
"""Charts of measured and printed figures: one small function each, all as Vega-Lite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headwater.report.charts.colours import Palette, palette
from headwater.report.charts.grain import grain
from headwater.report.charts.lengths import lengths
from headwater.report.charts.overview import overview
from headwater.report.charts.papers import eth, gaj, interfaces, spartan
from headwater.report.charts.parts import Chart
from headwater.report.charts.systems import speed_ups, systems_charts
from headwater.report.points import Point
from headwater.report.printed import paper
from headwater.report.published import ETH, GAJ, GRAIN, INTERFACES, SPARTAN
from headwater.report.systems import System


@dataclass(frozen=True)
class Section:
    """Charts under one heading; ``source`` is the title of the paper they come from."""

    name: str
    title: str
    charts: tuple[Chart, ...]
    source: str = ""


_PAPERS: dict[str, Callable[[Sequence[Point], Palette], list[Chart]]] = {
    ETH: eth,
    SPARTAN: spartan,
    GRAIN: grain,
    GAJ: gaj,
    INTERFACES: interfaces,
}


def sections(points: Sequence[Point], systems: Sequence[System] = ()) -> list[Section]:
    """All charts: of measured points, of messages, of systems, and of each paper."""
    look = palette(measured.cipher for measured in (*points, *systems))
    drawn = [
        Section("measured", "Area, throughput, energy", tuple(overview(points, look))),
        Section("messages", "Length of the message", tuple(lengths(points, look))),
        Section("processors", "Behind a processor", tuple(systems_charts(systems, look))),
    ]
    for name, draw in _PAPERS.items():
        printed = paper(name)
        charts = [*draw(points, look), *([speed_ups(systems)] if name == INTERFACES else [])]
        drawn.append(Section(name, printed.short, tuple(charts), printed.title))
    return drawn
