# SPDX-License-Identifier: Apache-2.0
"""The files that `new-cipher` begins with: a working description for each kind of cipher."""

from __future__ import annotations

from pathlib import Path

DEFAULT = "shift-registers"
_FILES = {path.stem.replace("_", "-"): path for path in Path(__file__).parent.glob("[a-z]*.py")}
KINDS = (DEFAULT, *sorted(set(_FILES) - {DEFAULT}))
"""Their names on the command line."""


def text_of(kind: str) -> str:
    """The file of a kind."""
    return _FILES[kind].read_text(encoding="utf-8")
