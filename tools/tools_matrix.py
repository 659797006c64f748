# SPDX-License-Identifier: Apache-2.0
"""Have everything that can be delivered read, and small members run, by the tools that users have.

    python tools/tools_matrix.py              does what was not done of the files of today
    python tools/tools_matrix.py TEXT...      only deliveries whose command has one of these texts
    python tools/tools_matrix.py --check      says what is stale, missing or failed, and exits with
                                              1 if there is any; runs no tool

A delivery is a command of `headwater generate`. Results stand in docs/tools.jsonl, a line for each,
with the tool's version and the hash of what it read; docs/tools.md shows them as tables. A run that
is stopped goes on where it was. A tool that is not installed is named, and its results are absent.
The exit status is 1 if a tool refuses a file, or a testbench fails.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import astuple, replace
from itertools import groupby
from pathlib import Path

from matrix_page import page
from matrix_readers import readings
from matrix_rows import Does, Row, rows
from matrix_runs import labelled, runs
from matrix_tools import TOOLS, Cell, Job, done, version

from headwater.cipher.catalogue import CATALOGUE
from headwater.files import write_whole
from headwater.flow.process import MissingToolError

DOCS = Path(__file__).parents[1] / "docs"
SYSTEM = "Debian GNU/Linux 12"
"""Whose tools are meant where a result says Debian."""
FILE, PAGE = DOCS / "tools.jsonl", DOCS / "tools.md"

Cells = dict[str, Cell]
"""What became of the jobs of a delivery, by column."""
Results = dict[str, Cells]
"""By the words of the command."""


def jobs(row: Row) -> list[Job] | None:
    """What is done with the files of a delivery; None if there is no such delivery."""
    files = row.files()
    if files is None:
        return None
    run = () if row.does == Does.READ else runs(files, synthesis=row.does == Does.ALL)
    digest = CATALOGUE[row.cipher].digest
    return [replace(job, digest=digest) for job in (*readings(files), *labelled(files), *run)]


def cells(row: Row, known: Mapping[tuple[str, str, str], Cell]) -> Cells | None:
    """The results of a delivery: those that are known of the same text and version, and new ones.
    None if there is no such delivery."""
    found = jobs(row)
    if found is None:
        return None
    made: Cells = {}
    for job in found:
        try:
            same = known.get((job.column, version(job.tool), job.sha256))
            with tempfile.TemporaryDirectory() as folder:
                made[job.column] = same or done(job, Path(folder))
        except MissingToolError as error:
            print(f"{job.column}: {error}", file=sys.stderr)
    return made


def of_group(group: Sequence[Row], results: Results) -> dict[str, Cells | None]:
    """The results of some deliveries. Where they have the same file, it is read once."""
    known = by_text(results)
    found: dict[str, Cells | None] = {}
    for row in group:
        made = found[row.words] = cells(row, known)
        known |= by_text({row.words: made or {}})
    return found


def by_text(results: Results) -> dict[tuple[str, str, str], Cell]:
    """What passed, by column, version and hash of what was read. What failed is tried again."""
    return {
        (column, cell.version, cell.sha256): cell
        for made in results.values()
        for column, cell in made.items()
        if cell.passed
    }


def groups(wanted: Iterable[Row]) -> list[list[Row]]:
    """Deliveries of the same cipher that follow each other."""
    return [list(group) for _, group in groupby(wanted, key=lambda row: (row.cipher, row.does))]


def read_results(file: Path = FILE) -> Results:
    """What is stored."""
    if not file.exists():
        return {}
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {
        line["delivered"]: {
            name: Cell(*cell)
            for name, cell in line["cells"].items()
            if name.partition(": ")[2] in TOOLS
        }
        for line in lines
    }


def write_results(results: Results, order: Sequence[str]) -> None:
    """Write the file and its page, deliveries in a fixed order."""
    stored = {words: results[words] for words in order if words in results}
    told = (
        {"delivered": words, "cells": {name: astuple(one) for name, one in made.items()}}
        for words, made in stored.items()
    )
    write_whole(FILE, "".join(f"{json.dumps(line)}\n" for line in told).encode())
    write_whole(PAGE, page(stored).encode())


def faults(group: Sequence[Row], results: Results) -> list[str]:
    """What the stored results of some deliveries lack, or have of other text, or say is wrong."""
    return [fault for row in group for fault in _faults(row, results.get(row.words))]


def _faults(row: Row, stored: Cells | None) -> Iterator[str]:
    found = jobs(row)
    if found is None or stored is None:
        if (found is None) != (stored is None):
            yield f"{'not tried' if found else 'not delivered any more'}: {row.words}"
        return
    for job in found:
        cell = stored.get(job.column)
        if cell is None:
            yield f"not tried: {job.column}: {row.words}"
        elif cell.sha256 != job.sha256:
            yield f"stale, as the text has changed: {job.column}: {row.words}"
        elif not cell.passed:
            yield f"failed: {job.column}: {row.words}: {cell.said}"


def check(wanted: Sequence[Row], jobs: int) -> list[str]:
    """All faults of the stored results, and of the page."""
    results = read_results()
    with ProcessPoolExecutor(jobs) as workers:
        parts = [workers.submit(faults, group, results) for group in groups(wanted)]
        found = [fault for part in parts for fault in part.result()]
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(results):
        found.append(f"stale: {PAGE.name}")
    return found


def run(wanted: Sequence[Row], jobs: int) -> list[str]:
    """Do what is not done; what has failed."""
    results, order = read_results(), [row.words for row in rows()]
    with ProcessPoolExecutor(jobs) as workers:
        parts = [workers.submit(of_group, group, results) for group in groups(wanted)]
        for part in as_completed(parts):
            for words, made in part.result().items():
                results.pop(words, None)
                if made is not None:
                    results[words] = made
                    print(f"{words}: {len(made)} results", file=sys.stderr)
            write_results(results, order)
    return [
        f"failed: {name}: {words}: {cell.said}"
        for words, made in results.items()
        for name, cell in made.items()
        if not cell.passed
    ]


def _system() -> str:
    told = platform.freedesktop_os_release()
    return f"{told.get('NAME', '')} {told.get('VERSION_ID', '')}"


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    parser.add_argument("--check", action="store_true", help="run nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    given = parser.parse_args()
    if not given.check and _system() != SYSTEM:
        parser.error(f"what is stored must be of {SYSTEM}, not {_system()}")
    # No figures of a store: they are of no concern to tools.
    os.environ |= {"HEADWATER_STORE": "/none/none", "HEADWATER_REFERENCE": "none"}
    wanted = [
        row for row in rows() if not given.texts or any(text in row.words for text in given.texts)
    ]
    told = (check if given.check else run)(wanted, given.jobs)
    for line in told:
        print(line)
    return int(bool(told))


if __name__ == "__main__":
    sys.exit(main())
