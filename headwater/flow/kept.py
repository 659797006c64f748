# SPDX-License-Identifier: Apache-2.0
"""Files and folders that are made once and kept in the user's cache folder.

The name of a file contains a hash of all that went into it. Such a file is never out of date.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from headwater.errors import InputError
from headwater.flow.folders import private_folder


def cache_folder(name: str = "headwater") -> Path:
    """The folder that files are kept in, or that another program keeps its own in."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the cache folder {folder} must be writable: {error.strerror}; XDG_CACHE_HOME may "
            "name another place"
        ) from error
    return folder


def hash_of(*parts: str) -> str:
    """The hash of some texts in this order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def kept(name: str, make: Callable[[Path], Path]) -> Path:
    """The kept file or folder of that name.

    If there is none, ``make`` makes it in the folder that it is given. Processes that want the same
    file at the same time make it once, and none reads an unfinished one.
    """
    target = cache_folder() / name
    if not target.exists():
        with _locked(target):
            if not target.exists():
                # In the same file system, so that it can be renamed.
                with private_folder(target.parent) as folder:
                    make(folder).rename(target)
    return target


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Nobody else makes the file meanwhile. Who waited finds it made, unless that failed."""
    lock = target.with_name(f"{target.name}.lock")
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        lock.unlink(missing_ok=True)
