# SPDX-License-Identifier: Apache-2.0
"""One HTML file with charts and tables of all stored results. It fetches nothing.

Equal results give equal bytes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import vl_convert

from headwater import __version__
from headwater.measure.record import stage_of
from headwater.measure.settings import LAYOUT, PLACEMENT, STAGES
from headwater.measure.store import Result
from headwater.report.charts import Section, sections
from headwater.report.charts.colours import ON_BLACK
from headwater.report.charts.lengths import QUANTITIES
from headwater.report.charts.parts import Chart
from headwater.report.details import measured_facts, printed_facts, system_facts
from headwater.report.figures import VEGA_LITE
from headwater.report.foreign import latest
from headwater.report.layouts import facts_of_die, layouts
from headwater.report.messages import costs
from headwater.report.packed import packed
from headwater.report.page_tables import long_rows, tables
from headwater.report.points import (
    DIFFER,
    TARGET_SEPARATOR,
    Measured,
    Point,
    facets_of,
    first_targets,
    points_in,
    points_of,
    target_words,
    targets_in_words,
)
from headwater.report.published import Printed, printed_rows
from headwater.report.summary import summary
from headwater.report.systems import System, systems_of

_PARTS = Path(__file__).parent / "static"
_SCRIPTS = (
    "address",
    "filters",
    "messages",
    "hover",
    "thinning",
    "shown",
    "charts",
    "tables",
    "long",
    "dies",
    "page",
)
_MARK = re.compile(r"__([A-Z]+)__")


def page(
    results: Sequence[Result], simulated: Sequence[Result] = (), foreign: Sequence[Result] = ()
) -> bytes:
    """The page of results of design points, of systems and of cores of others, all in the order of
    measurement."""
    points, systems = points_of(results), systems_of(simulated)
    dies = [*points_of(results, LAYOUT), *points_of(results, PLACEMENT)]
    of_stages = sum(stage_of(result.record) in STAGES for result in results)
    drawn = sections(points, systems)
    printed = _printed(drawn)
    library, script = _library(), _script()
    parts = {
        "POLICY": escape(_policy(library, script)),
        "VERSION": __version__,
        "STYLE": (_PARTS / "page.css").read_text(),
        "HEADLINE": _headline(points, systems),
        "SUMMARY": "".join(f"<li>{escape(sentence)}</li>" for sentence in summary(points)),
        "FILTERS": "".join(_filter(*each) for each in _facets([*points, *dies], systems, printed)),
        "SECTIONS": "\n".join(_section(section, points) for section in drawn),
        "LAYOUTS": layouts(dies),
        "TABLES": tables(
            points,
            systems,
            printed,
            [Measured(one.id, one.record, one.measured_at) for one in latest(foreign)],
        ),
        "MISSING": _not_measured(drawn),
        "FOOTER": _footer(points, of_stages - len(dies), len(results) - of_stages),
        "DATA": _data(points, dies, systems, drawn, printed),
        "LIBRARY": library,
        "SCRIPT": script,
    }
    template = (_PARTS / "template.html").read_text()
    # All marks are replaced in one pass, so text in a part that looks like a mark stays.
    return _MARK.sub(lambda mark: parts[mark[1]], template).encode()


# Scripts


@cache
def _library() -> str:
    """Vega, Vega-Lite and Vega-Embed, once for all charts."""
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    return f"(() => {{{_inline(bundle)}}})();"


@cache
def _script() -> str:
    files = [(_PARTS / f"{name}.js").read_text() for name in _SCRIPTS]
    return f'(() => {{\n"use strict";\n{_inline("".join(files))}}})();\n'


def _inline(script: str) -> str:
    """JavaScript in a form that cannot close its HTML element."""
    return script.replace("</script", "<\\/script")


def _policy(*scripts: str) -> str:
    """The content security policy: only these scripts may run, and nothing may be fetched."""
    hashes = (
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    )
    allowed = " ".join(f"'sha256-{each}'" for each in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


# Data


def _data(
    points: Sequence[Point],
    dies: Sequence[Point],
    systems: Sequence[System],
    parts: Sequence[Section],
    printed: dict[str, Printed],
) -> str:
    data = {
        "points": {point.id: measured_facts(point) for point in points},
        "dies": {die.id: facts_of_die(die) for die in dies},
        "systems": {system.id: system_facts(system) for system in systems},
        "printed": {key: printed_facts(row) for key, row in printed.items()},
        "rows": long_rows(points),
        "onBlack": ON_BLACK,
        "ciphers": {
            name: asdict(facets_of(name)) for name in _ciphers([*points, *dies], systems, printed)
        },
        "charts": [_chart_data(chart) for section in parts for chart in section.charts],
        "costs": {
            name: {"quantity": quantity, "costs": [asdict(cost) for cost in costs(points, of)]}
            for name, (quantity, of) in QUANTITIES.items()
        },
    }
    return packed(data)


def _chart_data(chart: Chart) -> dict[str, Any]:
    return {
        "name": chart.name,
        "spec": chart.spec,
        "measured": chart.measured > 0,
        "longest": chart.longest,
        "rows": list(chart.rows),
    }


def _printed(parts: Sequence[Section]) -> dict[str, Printed]:
    """The printed rows that charts show, in the order that they show them."""
    keys = dict.fromkeys(
        row["printed"]
        for section in parts
        for chart in section.charts
        for row in chart.rows
        if "printed" in row
    )
    tables = dict.fromkeys(tuple(key.rsplit(".", 1)[0].rsplit(".", 1)) for key in keys)
    known = {row.key: row for name, identity in tables for row in printed_rows(name, identity)}
    return {key: known[key] for key in keys}


# HTML


def _headline(points: Sequence[Point], systems: Sequence[System]) -> str:
    counts = (
        (len(points), "design point"),
        (len({point.cipher for point in points}), "cipher"),
        (len({point["target"] for point in points}), "target"),
        *([(len(systems), "system")] if systems else []),
    )
    return " ".join(
        f"<span>{count:,} {noun}{'' if count == 1 else 's'}</span>" for count, noun in counts
    )


def _ciphers(
    points: Sequence[Point], systems: Sequence[System], printed: dict[str, Printed]
) -> list[str]:
    every: list[Point | System | Printed] = [*points, *systems, *printed.values()]
    return list(dict.fromkeys(one.cipher for one in every))


def _facets(
    points: Sequence[Point], systems: Sequence[System], printed: dict[str, Printed]
) -> Iterable[tuple[str, str, list[Any], list[str]]]:
    """Name, title and values of each filter, and the values that are chosen when the page opens."""
    ciphers = _ciphers(points, systems, printed)
    facets = [facets_of(name) for name in ciphers]
    targets = sorted({str(point["target"]) for point in points})
    yield "cipher", "Cipher", ciphers, []
    yield "target", "Target", targets, first_targets(points)
    measured: list[Point | System] = [*points, *systems]
    radices = {one["radix"] for one in measured} - {None}
    yield "radix", "Radix", sorted(radices), []
    yield "kind", "Kind", sorted({each.kind for each in facets}), []
    yield "key_bits", "Key bits", sorted({each.key_bits for each in facets if each.key_bits}), []
    yield "security", "Security", sorted({each.security for each in facets}), []


def _filter(name: str, title: str, values: Sequence[Any], chosen: Sequence[str]) -> str:
    boxes = "".join(
        f'<label><input type="checkbox" value="{escape(str(value))}"'
        f"{' checked' if value in chosen else ''}>{escape(str(value))}</label>"
        for value in values
    )
    return (
        f'\n<details data-facet="{name}" data-title="{title}"><summary>{title}</summary>'
        f'<fieldset aria-label="{title}">{boxes}</fieldset></details>'
    )


def _section(section: Section, points: Sequence[Point]) -> str:
    """The charts of a section that show anything; nothing if there are none."""
    shown = [chart for chart in section.charts if chart.rows]
    if not shown:
        return ""
    # Notes that hold for all charts appear once.
    sources = [_source(chart, points) for chart in shown]
    source = _of_all(sources)
    missing = _of_all(_missing(chart) for chart in shown)
    charts = "\n".join(
        _figure(chart, "" if source else own, tell_missing=not missing)
        for chart, own in zip(shown, sources, strict=True)
    )
    return (
        f'<section id="{section.name}"><h2>{escape(section.title)}</h2>'
        f"{_paragraph('source', escape(section.source))}{_paragraph('technology', source)}\n"
        f'<p class="missing">{missing}</p>\n<div class="grid">\n{charts}\n</div></section>'
    )


def _of_all(notes: Iterable[str]) -> str:
    """The note of all charts; empty if they have different ones."""
    shown = set(notes)
    return shown.pop() if len(shown) == 1 else ""


def _paragraph(look: str, said: str) -> str:
    return f'<p class="{look}">{said}</p>' if said else ""


def _source(chart: Chart, points: Sequence[Point]) -> str:
    """Where the points of a chart come from. Each target is an element, which the page hides while
    no mark is of it."""
    words = target_words(points_in(chart.rows, points))
    before = f"<span>{TARGET_SEPARATOR}</span>"
    spans = [
        f'<span data-target="{escape(name)}">{before * bool(place)}{escape(told)}</span>'
        for place, (name, told) in enumerate(words.items())
    ]
    said = escape(chart.source)
    if words:
        said = said.replace(escape(TARGET_SEPARATOR.join(words.values())), "".join(spans))
    return said.replace(DIFFER, f'<span data-several="">{DIFFER}</span>')


def _figure(chart: Chart, source: str, *, tell_missing: bool) -> str:
    said = " ".join(filter(None, (source, escape(chart.text))))
    missing = _missing(chart) if tell_missing else ""
    return (
        f'<figure data-chart="{chart.name}"><figcaption><h3>{escape(chart.title)}</h3>'
        f'{_paragraph("said", said)}</figcaption><p class="missing">{missing}</p>'
        '<div class="chart"></div></figure>'
    )


def _missing(chart: Chart) -> str:
    if chart.measured:
        return ""
    said = chart.missing.removesuffix(chart.hint)
    return f"{escape(said)}<code>{escape(chart.hint)}</code>"


def _not_measured(parts: Sequence[Section]) -> str:
    """The charts that have nothing to show yet, and the commands that measure what they need."""
    empty = [chart for section in parts for chart in section.charts if not chart.rows]
    items = "".join(
        f"<li>{escape(chart.title)}: <code>{escape(chart.hint)}</code></li>" for chart in empty
    )
    heading = "<h2>Not measured yet</h2>"
    return f'<section id="not-measured">{heading}<ul>{items}</ul></section>' if empty else ""


def _footer(points: Sequence[Point], stored: int, others: int) -> str:
    """``stored`` are the results of cores as `points` are, ``others`` all that no chart is of."""
    older = stored - len(points)
    sentences = [f"Made by Headwater {__version__}."]
    if points:
        latest = max(point.measured_at for point in points)[:10]
        sentences.append(f"Measured on {targets_in_words(points, in_full=True)}; last on {latest}.")
    if older:
        sentences.append(f"{older} older result(s) of the same design points are not shown.")
    if others:
        sentences.append(
            f"{others} result(s) of sources of random bits, of datapaths alone, with glitches or "
            "with the best of several recipes are not shown; headwater results list has them."
        )
    return escape(" ".join(sentences))
