# SPDX-License-Identifier: Apache-2.0
"""The papers' own words and values, compared with their texts.

`$HEADWATER_PAPERS` names a folder that has the text of each paper, PAPER.txt.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from needs import PAPERS as FOLDER
from needs import needs_papers
from reproductions import EVERYWHERE, PAPERS, made_up

from headwater.report.printed import paper
from headwater.report.reproduce.counts import counts, total
from headwater.report.reproduce.papers import reproduce_paper
from headwater.report.reproduce.text import as_json

LONGEST = 160
"""Quotations are short."""


def text_of(name: str) -> str:
    return (Path(FOLDER) / f"{name}.txt").read_text(encoding="utf-8")


def quoted(told: Any) -> Iterator[str]:
    """Every fragment in quotes of the strings of plain data."""
    if isinstance(told, str):
        yield from re.findall('"([^"]*)"', told)
    elif isinstance(told, dict | list | tuple):
        for one in told.values() if isinstance(told, dict) else told:
            yield from quoted(one)


def is_verbatim(fragment: str, text: str) -> bool:
    """Whether a fragment is in a text, whose lines end where they may, with a hyphen that belongs
    to the word or not."""
    joined = (re.sub("-\\s*\\n", hyphen, text) for hyphen in ("", "-"))
    return any(fragment in " ".join(one.split()) for one in joined)


def test_a_word_more_or_less_is_not_verbatim() -> None:
    text = "There are sev-\neral candi-\ndates,  which\nare low-\ncost."
    for right in ("There are several candidates, which are", "low-cost"):
        assert is_verbatim(right, text)
    for wrong in ("There are candidates", "several Candidates", "candidates which", "lowcosts"):
        assert not is_verbatim(wrong, text)


def test_quotations_of_all_kinds_are_found() -> None:
    told = {"claims": [{"claim": 'a "b" c "d e"'}], "errata": ('"f"',), "number": 1}
    assert list(quoted(told)) == ["b", "d e", "f"]


@needs_papers
@pytest.mark.parametrize("name", PAPERS)
def test_quotations_are_the_papers_words(name: str) -> None:
    """Of claims, errata, notes, doubts and titles."""
    text = text_of(name)
    found = list(quoted(as_json(reproduce_paper(paper(name), EVERYWHERE, made_up))))
    assert found
    for fragment in found:
        assert len(fragment) <= LONGEST
        assert is_verbatim(fragment, text), fragment


def tables_of(text: str) -> dict[str, list[list[str]]]:
    """The tables of a text whose cells have tabs between them, by their numbers."""
    found: dict[str, list[list[str]]] = {}
    rows: list[list[str]] = []
    for line in text.splitlines():
        if title := re.match(r"(?:\*\*)?Table (\d+)\.? ?", line):
            rows = found.setdefault(title[1], [])
        elif "\t" in line:
            rows.append([re.sub(r"</?b>|\*\*", "", cell).strip() for cell in line.split("\t")])
    return found


NUMBER = re.compile(r"-?\d+(\.\d+)?%?")


@needs_papers
@pytest.mark.parametrize(
    ("name", "numbers"),
    [("estream-phase2-fpga-asic-2007", range(4, 13)), ("grain128aead-65nm-2019", range(2, 8))],
)
def test_every_printed_number_is_counted(name: str, numbers: range) -> None:
    """The cells of the paper's tables that hold a number are as many as are counted, and their
    values are those shown."""
    made = {one.table: one for one in reproduce_paper(paper(name), EVERYWHERE, made_up).tables}
    for number in numbers:
        cells = [
            cell
            for row in tables_of(text_of(name))[str(number)]
            for cell in row[1:]
            if NUMBER.fullmatch(cell)
        ]
        parts = [one for table, one in made.items() if re.fullmatch(rf"table{number}(_.*)?", table)]
        shown = [
            value
            for part in parts
            for line in part.lines
            for pair in line.pairs
            for value in (
                pair.printed if not pair.derived else None,
                pair.times_printed if pair.times_in_print else None,
            )
            if isinstance(value, int | float)
        ]
        assert sorted(float(cell.rstrip("%")) for cell in cells) == sorted(map(float, shown)), (
            number
        )
        words = sum(
            isinstance(pair.printed, str)
            for part in parts
            for line in part.lines
            for pair in line.pairs
        )
        assert sum(counts(part).printed for part in parts) == len(cells) + words


def test_numbers_of_printed_values() -> None:
    """All that the five papers print in the tables that are compared, with everything measured."""
    found = {
        name: total(reproduce_paper(paper(name), EVERYWHERE, made_up).tables) for name in PAPERS
    }
    assert {name: one.printed for name, one in found.items()} == {
        "estream-phase2-fpga-asic-2007": 381,
        "eth-asic-2006": 88,
        "grain128aead-65nm-2019": 366,
        "hw-sw-interfaces-2007": 32,
        "spartan3-six-ciphers-2012": 60,
    }
    assert sum(one.bounds for one in found.values()) == 45
    assert found["eth-asic-2006"].same == 10  # flip-flops


@pytest.mark.parametrize("found", [True, False])
def test_the_whole_check_does_not_skip_these(tmp_path: Path, *, found: bool) -> None:
    """It takes the texts from a folder beside the checkout, and fails if there is none."""
    checkout, texts = tmp_path / "checkout", tmp_path / "other" / "papers" / "text"
    (checkout / ".venv" / "bin").mkdir(parents=True)
    for program in ("bin/make", ".venv/bin/python"):
        path = checkout / program
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\necho $HEADWATER_PAPERS\n")
        path.chmod(0o755)
    shutil.copytree(Path(__file__).parents[1] / ".ci", checkout / ".ci")
    if found:
        texts.mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items() if name != "HEADWATER_PAPERS"}
    path = f"{checkout / 'bin'}:{environment['PATH']}"
    done = subprocess.run(
        [checkout / ".ci" / "run"],
        env=environment | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) == found
    assert set(done.stdout.split()) == ({str(texts)} if found else set())
    assert found or "HEADWATER_PAPERS" in done.stderr
