# SPDX-License-Identifier: Apache-2.0
"""Files that users ask for."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from headwater.errors import InputError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically: to another name in the same folder, then renamed. A symbolic link
    stays, and the file that it leads to is written."""
    with _explained(path), _part_of(path) as part:
        part.write_bytes(data)
        part.replace(_place_of(path))


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file in pieces as `write_whole` does: there is the whole file in the end, or what was
    there before."""
    with _explained(path), _part_of(path) as part:
        with part.open("wb") as file:
            for piece in pieces:
                file.write(piece)
        part.replace(_place_of(path))


def check_file(path: Path) -> None:
    """Refuse a path where no file can be written, before anything takes time. Leaves nothing."""
    with _explained(path), _part_of(path):
        pass


def check_folder(path: Path) -> None:
    """Refuse a folder that no file can be written into, before anything takes time. Leaves
    nothing."""
    with _explained(path):
        existing = next(place for place in (path, *path.absolute().parents) if place.exists())
        if not existing.is_dir():
            raise InputError(f"output must be a folder, not the file {existing}")
        with _part_of(path / "any"):
            pass


@contextmanager
def _part_of(path: Path) -> Iterator[Path]:
    """An empty file beside a path, for the same users as a file that is there, in a folder that is
    made if there is none. What is left of it in the end is removed, and so is the folder if nothing
    is in it."""
    if path.exists() and not path.is_file():
        # A device would be replaced by the file.
        raise InputError(f"output must be a file, not {path}")
    path = _place_of(path)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    missing = [folder for folder in path.parents if not folder.exists()]
    try:
        if missing:
            path.parent.mkdir(parents=True, exist_ok=True)
        part.touch()
        if path.exists():
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        yield part
    finally:
        for remove in (part.unlink, *(folder.rmdir for folder in missing)):
            with suppress(OSError):
                remove()


def _place_of(path: Path) -> Path:
    """The path without symbolic links."""
    return Path(os.path.realpath(path))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Errors of the operating system in one sentence."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
