# SPDX-License-Identifier: Apache-2.0
"""A vector file before it is known what it holds: its text, and its content if that is JSON."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.errors import InputError

LARGEST_BYTES = 1 << 26
"""The longest file that is read: some twenty times the longest that is published."""


@dataclass(frozen=True)
class Source:
    """A vector file.

    Members
    -------
    path : Path
    text : str
    content : Any
        What the text is as JSON, or None.
    """

    path: Path
    text: str
    content: Any

    def first_lines(self, count: int) -> list[str]:
        """The first lines that say something."""
        lines = (line for line in self.text[:4096].splitlines() if line.strip())
        return [line for line in lines if not line.startswith("#")][:count]

    def line_of(self, member: str, value: object) -> int:
        """The first line where a JSON object has this member; 1 if there is none."""
        place = re.search(
            rf'"{re.escape(member)}"\s*:\s*{re.escape(json.dumps(value))}\s*[,}}\n]', self.text
        )
        return 1 + self.text.count("\n", 0, place.start()) if place else 1


def load(path: Path) -> Source:
    """Read a file: UTF-8, with or without a byte order mark, lines ended in any way."""
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise InputError(
                f"vector file {path} must be of at most {LARGEST_BYTES >> 20} MiB, not {size >> 20}"
            )
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"vector file {path} cannot be read: {error.strerror}") from error
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise InputError(
            f"vector file {path}, line {line}: must be UTF-8, but byte {error.start} is not"
        ) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Source(path, text, _content(path, text))


def _content(path: Path, text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"vector file {path} must be JSON: {error}") from error
