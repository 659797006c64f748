# SPDX-License-Identifier: Apache-2.0
"""Print what CHANGELOG.md says of a version.

python tools/release_notes.py 0.2.0
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def notes(changelog: str, version: str) -> str:
    """The section of a version, without its heading."""
    heading = rf"^## \[{re.escape(version)}\][^\n]*\n"
    found = re.search(rf"{heading}(.*?)(?=^## \[|^\[|\Z)", changelog, re.DOTALL | re.MULTILINE)
    if not found or not found[1].strip():
        raise SystemExit(f"CHANGELOG.md must have a section [{version}] that says what is new")
    return found[1].strip()


def main() -> None:
    """Print the notes of the version in the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version")
    print(notes(CHANGELOG.read_text(encoding="utf-8"), parser.parse_args().version))


if __name__ == "__main__":
    main()
