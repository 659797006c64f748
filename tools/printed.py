# SPDX-License-Identifier: Apache-2.0
"""Print the tables and figures of the documents anew, or check that they are what their commands
print.

    python tools/printed.py           writes them
    python tools/printed.py --check   names the documents that differ, and exits with 1 if any does

A table stands between `<!-- prints: headwater VERB ... -->` and `<!-- printed -->`. The commands
measure nothing: they show what comes with the package.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

from headwater.cli.main import main as headwater
from headwater.files import write_whole

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(
    r"(<!-- prints: headwater (?P<command>.+?) -->\n).*?(<!-- printed -->)", re.DOTALL
)

FIGURES = {
    ROOT / "docs/figures/gaj-throughput-per-area.svg": "report --figures {} --target ecp5-25k",
    ROOT / "docs/figures/energy-osu018.svg": "study energy --stored --figures {}",
    ROOT / "docs/figures/masked-osu018.svg": "study masked --stored --figures {}",
    ROOT / "docs/figures/throughput-osu018.svg": "study throughput --stored --figures {}",
}
"""What draws each, with others, into a folder."""


def documents() -> list[Path]:
    """The documents that have such a table."""
    pages = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    return sorted(page for page in pages if _BLOCK.search(page.read_text(encoding="utf-8")))


def printed_anew(text: str) -> str:
    """A document with its tables as they are today."""
    return _BLOCK.sub(lambda block: f"{block[1]}{_output(block['command'])}{block[3]}", text)


@cache
def _output(command: str) -> str:
    text = _told(command).strip()
    # A table of Markdown needs an empty line before it; what else is printed is a block of code.
    return f"\n{text}\n\n" if "--format md" in command else f"\n```text\n{text}\n```\n\n"


def _told(command: str) -> str:
    told, beside = StringIO(), StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(told), redirect_stderr(beside):
        os.environ |= {"HEADWATER_STORE": f"{folder}/none.sqlite", "COLUMNS": "80"}
        os.environ.pop("HEADWATER_REFERENCE", None)
        status = headwater(shlex.split(command))
    if status:
        raise SystemExit(
            f"headwater {command} must end with status 0, not {status}: {beside.getvalue()}"
        )
    return told.getvalue()


@cache
def drawn(command: str) -> Mapping[str, bytes]:
    """The figures that a command draws, by file name."""
    with tempfile.TemporaryDirectory() as folder:
        _told(command.format(folder))
        return {path.name: path.read_bytes() for path in Path(folder).glob("*.svg")}


def different() -> dict[Path, bytes]:
    """The documents and figures that are not what their commands give today, as they should be."""
    return {
        path: content
        for path, content in _anew()
        if not path.exists() or path.read_bytes() != content
    }


def _anew() -> Iterator[tuple[Path, bytes]]:
    for page in documents():
        yield page, printed_anew(page.read_text(encoding="utf-8")).encode()
    for figure, command in FIGURES.items():
        yield figure, drawn(command)[figure.name]


def main() -> int:
    """Write or check; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check, found = parser.parse_args().check, different()
    for path, content in found.items():
        if check:
            where = path.relative_to(ROOT)
            print(f"{where}: differs; run python tools/printed.py", file=sys.stderr)
        else:
            write_whole(path, content)
    return int(check and bool(found))


if __name__ == "__main__":
    sys.exit(main())
