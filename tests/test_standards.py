# SPDX-License-Identifier: Apache-2.0
"""The page on standards: every name and file is there, and no mode of mobile radio is left out."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.cipher.catalogue import CATALOGUE
from headwater.verify.vector_files import own_files

PAGE = Path(__file__).parents[1] / "docs" / "standards.md"


def rows() -> list[tuple[list[str], list[str]]]:
    """Names and files of each row of each table."""
    found = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[0] not in ("part", "---"):
            found.append((re.findall(r"`([^`]+)`", cells[1]), re.findall(r"`([^`]+)`", cells[2])))
    return found


def test_names_and_files() -> None:
    assert len(rows()) > 20
    for names, files in rows():
        assert set(names) <= set(CATALOGUE)
        known = {path.name for name in names for path in own_files(CATALOGUE[name])}
        assert set(files) <= known
        assert bool(names) == bool(files)


def test_every_mode_of_mobile_radio_is_there() -> None:
    listed = {name for names, _ in rows() for name in names}
    modes = {name for name, cipher in CATALOGUE.items() if cipher.kind == "telephony"}
    assert modes <= listed
