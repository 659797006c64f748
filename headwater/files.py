# SPDX-License-Identifier: Apache-2.0
"""Files that users ask for."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from headwater.errors import InputError


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
