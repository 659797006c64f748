# SPDX-License-Identifier: Apache-2.0
"""Temporary folders that only this user can read, and that are removed even if a process is killed.

A process has one folder for all that is temporary, and holds a lock on it. The lock is free as soon
as the process is gone, whatever ended it. Folders whose lock is free are removed by every process
that makes one, and at its end.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headwater import interrupts
from headwater.errors import ToolError

_PREFIX = "headwater-run-"

_lock = threading.Lock()
_held: dict[tuple[int, Path], Path] = {}
"""The folder of each process, which may be a fork of this one, by the folder that it is in."""


@contextmanager
def private_folder(parent: Path | None = None) -> Iterator[Path]:
    """A temporary folder, which is deleted when the context ends; in ``parent``, or where temporary
    files are."""
    folder = folder_of_process(parent)
    # What a killed tool still writes goes with the folder of the process.
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as name:
        yield Path(name)


def folder_of_process(parent: Path | None = None) -> Path:
    """The folder for all that is temporary in this process."""
    try:
        place = Path(tempfile.gettempdir()) if parent is None else parent
        key = os.getpid(), place
        with _lock:
            # A program that tidies up may have removed it.
            if key not in _held or not _held[key].exists():
                _remove_abandoned(place)
                _held[key] = _locked_folder(place)
            return _held[key]
    except OSError as error:
        raise ToolError(f"a temporary folder cannot be made: {error.strerror}") from error


def _locked_folder(place: Path) -> Path:
    """A new folder whose lock this process holds to its end."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        try:
            lock = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Another process may have removed it before it was locked.
        if folder.exists():
            return folder
        os.close(lock)


def _remove_abandoned(place: Path) -> None:
    """Remove this user's folders whose process is gone."""
    for folder in place.glob(f"{_PREFIX}*"):
        try:
            if folder.lstat().st_uid != os.getuid():
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass  # Its process works, or the file system has no locks.
        finally:
            os.close(lock)


def _remove_own() -> None:
    for (process, place), folder in list(_held.items()):
        if process == os.getpid():
            shutil.rmtree(folder, ignore_errors=True)
            _remove_abandoned(place)


atexit.register(_remove_own)
interrupts.at_end.append(_remove_own)
