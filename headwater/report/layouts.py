# SPDX-License-Identifier: Apache-2.0
"""The dies of the page: a picture of each layout or placement, and what it made of the netlist."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from html import escape
from typing import Any

from headwater.measure.record import stage_of
from headwater.measure.settings import LAYOUT
from headwater.report.html import shown
from headwater.report.points import Point

_SOURCE = (
    "Placed and routed, or placed with estimated wires. Blue: registers; grey: other cells; red: "
    "the clock tree. In brackets: the same netlist before that."
)


def layouts(points: Sequence[Point]) -> str:
    """A section with a die for each layout and placement; nothing if there is none."""
    if not points:
        return ""
    dies = "\n".join(map(_die, points))
    return (
        f'<section id="layouts"><h2>Layouts</h2><p class="source">{escape(_SOURCE)}</p>\n'
        f'<div class="grid">\n{dies}\n</div></section>'
    )


def facts_of_die(point: Point) -> dict[str, Any]:
    """What filters choose a die by."""
    return {"cipher": point.cipher, "radix": point["radix"], "target": point["target"]}


def _die(point: Point) -> str:
    layout = point["layout"]
    facts = {
        "Die": f"{shown(layout['die_um2'])} um2, {shown(100 * layout['density'])} % cells",
        "Area": f"{shown(point['ge'])} GE ({shown(layout['ge_before'])})",
        "Frequency": f"{shown(point.fmax_mhz)} MHz ({shown(layout['fmax_mhz_before'])})",
        "Energy": f"{shown(point['energy_pj_per_bit'])} pJ/bit "
        f"({shown(layout['energy_pj_per_bit_before'])})",
        "Wire": f"{shown(layout['wire_mm'])} mm, {shown(layout['wire_pf'])} pF",
        "Longest": f"{shown(layout['longest_wire_um'])} um, {layout['longest_net']}",
        "Clock": f"{layout['clock_buffers']} buffers, {shown(layout['clock_insertion_ps'])} ps "
        f"deep, {shown(layout['clock_skew_ps'])} ps skew",
    }
    said = "".join(f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items())
    stage = "" if stage_of(point.record) == LAYOUT else ", wires estimated"
    title = f"{point.cipher}, radix {point['radix']}, {point['target']}{stage}"
    return (
        f'<figure data-key="{escape(point.id)}"><figcaption>'
        f"<h3>{escape(title)}</h3></figcaption>"
        f"{_drawn(layout['picture'], f'Die of {title}')}<dl>{said}</dl></figure>"
    )


def _drawn(picture: str, said: str) -> str:
    """The picture of a record as an image, in which no script runs: a record may be of unknown
    origin."""
    try:
        svg = zlib.decompress(base64.b64decode(picture, validate=True))
    except (binascii.Error, zlib.error):
        return ""
    data = base64.b64encode(svg).decode()
    return f'<img class="die" alt="{escape(said)}" src="data:image/svg+xml;base64,{data}">'
