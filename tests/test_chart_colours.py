# SPDX-License-Identifier: Apache-2.0
"""Colours and shapes of ciphers in charts."""

from __future__ import annotations

import math
import re
from itertools import combinations
from operator import mul
from pathlib import Path
from xml.etree import ElementTree

import altair as alt
import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.report.charts.colours import (
    COLOURS,
    SHAPES,
    SOURCE_COLOURS,
    Palette,
    palette,
)
from headwater.report.charts.parts import Chart
from headwater.report.figures import svg
from headwater.report.published import printed_ciphers


def test_colours_and_shapes_have_no_common_divisor() -> None:
    pairs = {
        (COLOURS[place % len(COLOURS)], SHAPES[place % len(SHAPES)])
        for place in range(len(COLOURS) * len(SHAPES))
    }
    assert len(pairs) == 126


def colours_of(look: Palette, names: list[str]) -> list[str]:
    """The colours that a chart of these ciphers has."""
    encoding = look.colour([{"cipher": name} for name in names]).to_dict()
    found: list[str] = encoding["scale"]["range"]
    return found


def test_measured_ciphers_have_colours_of_their_own() -> None:
    names = list(CATALOGUE)[::2][: len(COLOURS)]
    look = palette(names)
    colours = colours_of(look, names)
    assert len(set(colours)) == len(names)
    assert colours_of(look, names[5:6]) == [colours[5]]
    assert not set(colours) & {light for light, _ in SOURCE_COLOURS}


def test_ciphers_of_papers_have_colours_of_their_own_however_many_are_measured() -> None:
    names = sorted(printed_ciphers())
    assert len(names) <= len(COLOURS) < len(CATALOGUE)
    for measured in (list(CATALOGUE), [name for name in CATALOGUE if name != "trivium"]):
        assert len(set(colours_of(palette(measured), names))) == len(names)


def brightness(colour: str) -> float:
    """Relative luminance (WCAG 2)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_colours_are_seen_on_their_paper() -> None:
    pairs = [*COLOURS, *SOURCE_COLOURS]
    assert len({colour for pair in pairs for colour in pair}) == 2 * len(pairs)
    for on_white, on_black in pairs:
        assert 1.05 / (brightness(on_white) + 0.05) >= 3
        assert (brightness(on_black) + 0.05) / (brightness("#161b21") + 0.05) >= 4.5


FIGURES = sorted((Path(__file__).parents[1] / "docs" / "figures").glob("*.svg"))
DARK = re.compile(r'\[(fill|stroke)="([^"]+)"\]\{\1:(#[0-9a-f]{6})\}')
USED = re.compile(r'\b(fill|stroke)="([^"]+)"')


def seen_on_dark_paper(text: str) -> dict[str, str]:
    """The colours of a chart on dark paper, by those on white paper, each of which must have
    one."""
    ElementTree.fromstring(text)
    style, _, drawing = text.partition("</style>")
    assert "@media (prefers-color-scheme: dark)" in style
    rules = {(part, colour): dark for part, colour, dark in DARK.findall(style)}
    used = {one for one in USED.findall(drawing) if one[1] not in ("none", "transparent")}
    assert used == set(rules)
    return {colour: dark for (_, colour), dark in rules.items()}


def test_charts_have_dark_colours() -> None:
    row = {"id": "a", "cipher": "trivium", "radix": 1, "area": 3, "mbps": 5}
    spec = (
        alt.Chart(alt.NamedData("rows"))
        .mark_line(point=True)
        .encode(x="radix:Q", y="mbps:Q", color=palette(["trivium"]).colour([row]))
    )
    chart = Chart("one", "One", "A text", spec.to_dict(), [row])
    dark = seen_on_dark_paper(svg(chart).decode())
    assert dark["white"] == "#161b21"
    assert dark[COLOURS[0][0]] == COLOURS[0][1]


@pytest.mark.parametrize("path", FIGURES, ids=[path.name for path in FIGURES])
def test_figures_of_the_documents_are_read_on_dark_paper(path: Path) -> None:
    text = path.read_text()
    if 'class="marks"' not in text:
        assert "prefers-color-scheme: dark" in text
        return
    dark = seen_on_dark_paper(text)
    paper = dark.pop("white")
    lines = dark.pop("#e6e8eb")
    assert brightness(lines) > brightness(paper)
    for colour in dark.values():
        assert (brightness(colour) + 0.05) / (brightness(paper) + 0.05) >= 4.5


def oklab(colour: str) -> tuple[float, ...]:
    """Lightness and the two axes of colour (Ottosson, A perceptual color space, 2020)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    cones = (
        (0.4122214708, 0.5363325363, 0.0514459929),
        (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005),
    )
    axes = (
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    )
    seen = [sum(map(mul, cone, linear)) ** (1 / 3) for cone in cones]
    return tuple(sum(map(mul, axis, seen)) for axis in axes)


@pytest.mark.parametrize("paper", [0, 1])
def test_colours_are_far_apart(paper: int) -> None:
    seen = [oklab(pair[paper]) for pair in (*COLOURS, *SOURCE_COLOURS)]
    assert min(math.dist(*two) for two in combinations(seen, 2)) > 0.105
