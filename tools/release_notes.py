# SPDX-License-Identifier: Apache-2.0
"""Print what CHANGELOG.md says of a version.

python tools/release_notes.py 1.0.0

It must be the version that the project has.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def project_version() -> str:
    """The version of the project, without a v."""
    project = tomllib.loads((CHANGELOG.parent / "pyproject.toml").read_text(encoding="utf-8"))
    version: str = project["project"]["version"]
    return version


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
    version = parser.parse_args().version
    if version != project_version():
        raise SystemExit(f"version must be that of the project, {project_version()}, not {version}")
    print(notes(CHANGELOG.read_text(encoding="utf-8"), version))


if __name__ == "__main__":
    main()
