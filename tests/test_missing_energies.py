# SPDX-License-Identifier: Apache-2.0
"""Libraries that do not tell all energies or areas: figures are absent, with the reason."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from needs import needs_iverilog, needs_osu018, needs_sta

from headwater.cipher.a51 import A51
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.asic import map_to_cells
from headwater.flow.liberty import Library, load_library
from headwater.measure.figures import Figures
from headwater.measure.point import DesignPoint
from headwater.measure.settings import Settings
from headwater.measure.target import find, from_liberty
from headwater.measure.work import evaluate

MADE = Architecture.choose(A51, radix=1)
OSU018 = "osu018"

pytestmark = [needs_osu018, needs_sta, needs_iverilog]


def edited(tmp_path: Path, pattern: str, text: str) -> Path:
    """A copy of osu018 in which a pattern is replaced everywhere."""
    path = tmp_path / "edited.lib"
    whole, count = re.subn(pattern, text, find(OSU018).library().text)
    assert count
    path.write_text(whole)
    return path


def figures(path: Path, settings: Settings) -> Figures:
    return evaluate(DesignPoint(A51, MADE, from_liberty(path), settings), generate(A51, MADE))


@pytest.mark.parametrize(
    ("pattern", "text", "told"),
    [
        (r"\binternal_power\b", "other_power", r"cell \w+ has no internal energy"),
        (r"\bfall_power\b", "other_power", r"cell \w+ has the energy of one edge alone at \w+"),
        (r"\brise_power\b", "other_power", r"cell \w+ has the energy of one edge alone at \w+"),
    ],
)
def test_power_is_absent_with_its_reason(
    pattern: str, text: str, told: str, tmp_path: Path
) -> None:
    path = edited(tmp_path, pattern, text)
    found = figures(path, Settings())
    assert found.ge
    assert found.fmax_mhz
    assert (found.power_mw, found.energy_pj_per_bit, found.energy_message_nj) == (None, None, None)
    assert re.fullmatch(rf"library edited cannot tell power: {told}", found.absent["power_mw"])
    with pytest.raises(InputError, match=rf"^objective power needs energies, but .* {told}$"):
        figures(path, Settings(objective="power"))


def sum_of_cells(cells: Counter[str], text: str) -> float:
    """The areas that the text states, each at the beginning of its cell."""
    total = 0.0
    for name, count in cells.items():
        stated = re.search(rf"cell \({name}\) \{{.*?area : ([\d.]+);", text, re.DOTALL)
        assert stated
        total += count * float(stated[1])
    return total


def gated(library: Library, folder: Path) -> tuple[float, Counter[str]]:
    verilog = generate(A51, MADE)
    mapped = map_to_cells(verilog.text, verilog.name, library, folder, clock_gating="latch")
    return mapped.area_um2, mapped.cells


def test_latch_has_the_area_of_its_outline(tmp_path: Path) -> None:
    """LATCH has the area 0 in the liberty file, and 5.6 by 10 micrometres in the LEF file."""
    library = find(OSU018).library()
    area, cells = gated(library, tmp_path)
    stated = sum_of_cells(cells, library.path.read_text())
    assert cells["LATCH"] == 4
    assert area == pytest.approx(stated + 4 * 56)


def test_cells_without_any_area_are_named(tmp_path: Path) -> None:
    path = tmp_path / "alone.lib"
    path.write_bytes(find(OSU018).library().path.read_bytes())
    library = load_library(path)
    assert library.without_area == {"LATCH"}
    latched = replace(find(OSU018).library(), path=path, sha256=library.sha256)
    area, cells = gated(latched, tmp_path)
    assert area == pytest.approx(sum_of_cells(cells, path.read_text()))
    assert figures(path, Settings()).settings["cells_without_area"] == ["LATCH"]
