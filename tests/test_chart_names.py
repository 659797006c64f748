# SPDX-License-Identifier: Apache-2.0
"""Names beside the points of a chart."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import combinations

import pytest

from headwater.cipher.catalogue import CATALOGUE
from headwater.report.charts.colours import Row
from headwater.report.charts.parts import Chart, log_x, log_y, names, plot, spec_of
from headwater.report.figures import svg

Places = Sequence[tuple[str, float, float]]
LINE, LETTER = 10, 6
"""Height and width of a letter, in pixels."""


def shown(rows: list[Row]) -> Places:
    """The names in a picture of rows, with their places."""
    base = plot(log_x("x", "Across"), log_y("y", "Up"))
    spec = spec_of(names(base, "x", "y"), height=320)
    root = ET.fromstring(svg(Chart("names", "Names", "Beside points.", spec, rows)))
    marks = root.findall(".//{*}text[@aria-roledescription='text mark']")
    places = [re.findall(r"[\d.]+", mark.get("transform", "")) for mark in marks]
    return [
        (str(mark.text), float(x), float(y)) for mark, (x, y) in zip(marks, places, strict=True)
    ]


def rows_at(*places: tuple[float, float]) -> list[Row]:
    """A row at each place, of a cipher each."""
    return [
        {"cipher": name, "target": "t", "x": x, "y": y}
        for name, (x, y) in zip(CATALOGUE, places, strict=False)
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("columns", [7, 1000])
def test_names_do_not_overlap(seed: int, columns: int) -> None:
    chance = random.Random(seed)
    places = [
        (2 ** (chance.randrange(columns) * 7 / columns), 10 ** (2 * chance.random()))
        for _ in CATALOGUE
    ]
    found = shown(rows_at(*places))
    assert len(found) > 15
    for (one, x, y), (other, x_other, y_other) in combinations(found, 2):
        width = LETTER * len(one if x < x_other else other)
        assert abs(x - x_other) > width or abs(y - y_other) > LINE


def test_each_of_a_few_points_has_its_name() -> None:
    assert len(shown(rows_at((1, 5)))) == 1
    assert len(shown(rows_at((1, 5), (1, 6), (64, 5)))) == 3
    assert len(shown(rows_at((1, 5), (2, 5), (3, 5)))) == 3


def test_a_line_has_its_name_at_its_right_end() -> None:
    rows = [{**row, "cipher": "trivium"} for row in rows_at((1, 5), (2, 6), (4, 7))]
    ((name, x, _),) = shown(rows)
    assert name == "trivium"
    ((_, leftmost, _), *_) = shown(rows_at((1, 5), (2, 6), (4, 7)))
    assert x > leftmost
