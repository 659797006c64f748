# SPDX-License-Identifier: Apache-2.0
"""Printing and writing: data on stdout or in files, everything else on stderr."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from headwater.errors import InputError


def print_json(data: Any) -> None:
    """Data as JSON on stdout."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def say(text: str) -> None:
    """Print a line on stderr at once."""
    print(text, file=sys.stderr, flush=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically: to another name in the same folder, then renamed."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if not path.parent.exists():
            path.parent.mkdir(parents=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink()
