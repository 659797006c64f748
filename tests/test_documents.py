# SPDX-License-Identifier: Apache-2.0
"""Documents: lines that fit, links and files that exist, data sheets that are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import compress
from pathlib import Path

import pytest

import headwater as hw

ROOT = Path(__file__).parents[1]
WIDTH = 120

DOCUMENTS = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])
EVERY_DOCUMENT = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)


def lines_too_long(text: str) -> Iterator[str]:
    """Lines over the width, but for rows of tables, which Markdown cannot break, and commands:
    those that print a table, and those in blocks of code, which no shell takes in two lines without
    a sign that readers would have to remove."""
    in_code = False
    for line in text.splitlines():
        if line.startswith("```"):
            in_code = not in_code
        elif len(line) > WIDTH and not line.startswith(
            "$ " if in_code else ("| ", "<!-- prints: ")
        ):
            yield line


@EVERY_DOCUMENT
def test_lines_fit(path: Path) -> None:
    assert list(lines_too_long(path.read_text(encoding="utf-8"))) == []


def test_long_lines_are_found() -> None:
    long = "x" * (WIDTH + 1)
    text = f"{long}\n| {long}\n```\n$ {long}\n{long}\n| {long}\n```\n$ {long}"
    assert list(lines_too_long(text)) == [long, long, f"| {long}", f"$ {long}"]


@EVERY_DOCUMENT
def test_links_lead_to_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", text)
    assert [target for target in targets if not (path.parent / target).exists()] == []


@EVERY_DOCUMENT
def test_files_that_are_named_exist(path: Path) -> None:
    """A folder and a file in quotes are of the repository or of the package."""
    if path.name in ("CHANGELOG.md", "history.md"):  # Of the past, too.
        return
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z0-9_]+/)+[a-z0-9_]+\.(?:py|v|json|md|js))`", text)
    places = (ROOT, ROOT / "headwater", ROOT / "headwater/codesign")
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


@pytest.mark.parametrize("name", ["grain128aead", "sfinks", "zuc"])
def test_a_data_sheet_on_a_page_has_the_entries_of_the_command(name: str) -> None:
    page = (ROOT / "docs" / "ciphers" / f"{name}.md").read_text(encoding="utf-8")
    _, _, table = page.partition("| entry | value |\n| --- | --- |\n")
    names = [
        line.split(" | ")[0].removeprefix("| ") for line in table.partition("\n\n")[0].splitlines()
    ]
    assert names == [entry.replace("_", " ") for entry in hw.cipher(name).core().facts]


def test_data_sheets_are_as_printed() -> None:
    tool = ROOT / "tools" / "data_sheets.py"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_systems_of_a_cipher_are_told_apart() -> None:
    """By what their rows say beside the figures."""
    told = {}
    for path in (ROOT / "docs" / "ciphers").glob("*.md"):
        _, _, section = path.read_text(encoding="utf-8").partition("## Behind a processor")
        lines = [line.strip("|").split("|") for line in section.splitlines() if line[:1] == "|"]
        header, _, *rows = [[cell.strip() for cell in line] for line in lines] or [[], []]
        chosen = [name in ("by", "processor", "radix", "options") for name in header]
        told[path.stem] = [tuple(compress(row, chosen)) for row in rows]
    assert len(told["salsa20"]) > 1
    assert {name for name, rows in told.items() if len(set(rows)) < len(rows)} == set()
