# SPDX-License-Identifier: Apache-2.0
"""Print the tables of the documents anew, or check that they are what their commands print.

    python tools/printed.py           writes them
    python tools/printed.py --check   names the documents that differ, and exits with 1 if any does

A table stands between `<!-- prints: headwater VERB ... -->` and `<!-- printed -->`. The command
measures nothing: it shows what comes with the package.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import tempfile
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

from headwater.cli.main import main as headwater
from headwater.files import write_whole

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(
    r"(<!-- prints: headwater (?P<command>.+?) -->\n).*?(<!-- printed -->)", re.DOTALL
)


def documents() -> list[Path]:
    """The documents that have such a table."""
    pages = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    return sorted(page for page in pages if _BLOCK.search(page.read_text(encoding="utf-8")))


def printed_anew(text: str) -> str:
    """A document with its tables as they are today."""
    return _BLOCK.sub(lambda block: f"{block[1]}{_output(block['command'])}{block[3]}", text)


@cache
def _output(command: str) -> str:
    told = StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(told):
        os.environ |= {"HEADWATER_STORE": f"{folder}/none.sqlite", "COLUMNS": "80"}
        os.environ.pop("HEADWATER_REFERENCE", None)
        status = headwater(shlex.split(command))
    if status:
        raise SystemExit(f"headwater {command} must end with status 0, not {status}")
    text = told.getvalue().strip()
    # A table of Markdown needs an empty line before it; what else is printed is a block of code.
    return f"\n{text}\n\n" if "--format md" in command else f"\n```text\n{text}\n```\n\n"


def different() -> list[Path]:
    """The documents whose tables are not what their commands print."""
    return [
        page
        for page in documents()
        if page.read_text(encoding="utf-8") != printed_anew(page.read_text(encoding="utf-8"))
    ]


def main() -> int:
    """Write or check; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    found = different()
    for page in found:
        if check:
            where = page.relative_to(ROOT)
            print(f"{where}: differs; run python tools/printed.py", file=sys.stderr)
        else:
            text = printed_anew(page.read_text(encoding="utf-8"))
            write_whole(page, text.encode())
    return int(check and bool(found))


if __name__ == "__main__":
    sys.exit(main())
