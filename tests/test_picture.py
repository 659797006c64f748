# SPDX-License-Identifier: Apache-2.0
"""Pictures of registers and taps."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import Capture, refused, succeed

from headwater.cipher.catalogue import CATALOGUE
from headwater.report.picture import picture

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parts(name: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(picture(CATALOGUE[name])).iter(f"{NAMESPACE}{tag}"))


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_register_and_tap_is_drawn(name: str) -> None:
    registers = CATALOGUE[name].sheet().get("registers", {})
    if not registers:
        assert picture(CATALOGUE[name]) == ""
        return
    assert len(parts(name, "rect")) == len(registers)
    taps = [path for path in parts(name, "path") if path.get("class") == "tap"]
    assert len(taps) == sum(len(facts.get("taps", ())) for facts in registers.values())


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_tap_is_numbered(name: str) -> None:
    """Alone, or within `first to last` of adjacent ones; no two numbers overlap."""
    registers = CATALOGUE[name].sheet().get("registers", {})
    if not registers:
        return
    found, rows = [], defaultdict(list)
    for text in parts(name, "text"):
        numbers = re.fullmatch(r"(\d+)(?: to (\d+))?", text.text or "")
        if numbers and text.get("text-anchor") == "middle":
            first, last = int(numbers[1]), int(numbers[2] or numbers[1])
            found += range(min(first, last), max(first, last) + 1)
            half = 6 * len(numbers[0]) / 2
            rows[text.get("y")].append((float(text.get("x") or "") - half, half * 2))
    assert sorted(found) == sorted(
        tap for facts in registers.values() for tap in facts.get("taps", ())
    )
    for row in rows.values():
        ends = sorted(row)
        assert all(left + width < right for (left, width), (right, _) in pairwise(ends))


def test_taps_stand_at_their_stages() -> None:
    """Trivium's register b begins at stage 94: stage 162 is the 69th of 84."""
    bar = parts("trivium", "rect")[1]
    drawn = [path.get("d") or "" for path in parts("trivium", "path")]
    places = [float(path.removeprefix("M").split()[0]) for path in drawn]
    left, width = (float(bar.get(name) or "") for name in ("x", "width"))
    place = left + (162 - 94 + 0.5) * width / 84
    assert any(abs(one - place) < 0.1 for one in places)


def test_what_feeds_a_register_is_named() -> None:
    texts = [text.text for text in parts("grain_v1", "text")]
    assert "80 bits, feedback of degree 6 from b, s" in texts
    assert "80 bits, feedback of degree 1 from s" in texts


def test_show_draws(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "trivium.svg"
    assert succeed(capsys, "show", "trivium", "--picture", path) == f"{path}\n"
    assert path.read_text() == picture(CATALOGUE["trivium"])
    refused(
        capsys,
        ("show", "salsa20", "--picture", path),
        "picture must be of a cipher with registers, and salsa20 has none",
    )
    refused(
        capsys,
        ("show", "trivium", "--picture", path, "--radix", "8"),
        "--picture must come without --radix",
    )
