# SPDX-License-Identifier: Apache-2.0
"""Calls that are carried out in another process, perhaps on another machine."""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import tempfile
import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from headwater.cipher import outside
from headwater.cipher.catalogue import CATALOGUE
from headwater.errors import FaultError, HeadwaterError, ToolError, of_fault, of_file
from headwater.flow.guard import arm
from headwater.flow.process import recording
from headwater.measure.identity import measuring_sources

_TAIL_LINES, _TAIL_CHARACTERS = 12, 4000


class _LastLog:
    """The log of the tool that ran last in each thread, to be shown beside a fault."""

    def __init__(self) -> None:
        self._mine = threading.local()

    def before(
        self,
        command: Sequence[str | Path],
        _cwd: Path,
        _stdin: str,
        *,
        merged: bool,  # noqa: ARG002
    ) -> None:
        """Note which tool runs."""
        self._mine.name, self._mine.log = Path(command[0]).name, ""

    def after(self, _cwd: Path, output: str) -> None:
        """Note the end of what it printed."""
        self._mine.log = output[-_TAIL_CHARACTERS:]

    def forget(self) -> None:
        """Another work begins."""
        self._mine.name = ""

    def tail(self) -> str:
        """The end of the log, with the name of the tool; empty if none ran."""
        if not getattr(self._mine, "name", ""):
            return ""
        lines = self._mine.log.strip().splitlines()[-_TAIL_LINES:]
        return "\n".join([f"{self._mine.name}, which ran last, printed:", *(lines or ["nothing"])])


_last_log = _LastLog()


@dataclass(frozen=True)
class LargeFile(os.PathLike[str]):
    """A file that a call reads: to another machine it travels apart from the call, once."""

    path: Path

    def __fspath__(self) -> str:
        return str(self.path)

    def content(self) -> bytes:
        """What is sent: the compressed content."""
        return zlib.compress(self.path.read_bytes(), 1)

    def received(self, content: bytes) -> LargeFile:
        """The file on the machine that it was sent to."""
        return LargeFile(_unpacked(self.path.name, content))


class OtherSourcesError(ToolError):
    """A worker has other sources than the command that its results would be stored for."""

    def __init__(self, message: str, worker: str) -> None:
        super().__init__(message, worker)
        self.worker = worker
        """Its address in the cluster."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class _Sources:
    """What must be the same here and at a worker: figures depend on it."""

    package: str
    ciphers: tuple[tuple[str, str], ...]
    """The ciphers from outside, each with the hash of the file that offers it."""

    @classmethod
    def here(cls) -> _Sources:
        """Those of this process."""
        ciphers = (
            (name, cipher.offered_by)
            for name, cipher in CATALOGUE.items()
            if outside.is_from_outside(name)
        )
        return cls(measuring_sources(), tuple(ciphers))

    def check(self) -> None:
        """Raise an OtherSourcesError where this process has others."""
        own = _Sources.here()
        missing = [name for name, offered in self.ciphers if (name, offered) not in own.ciphers]
        if own.package == self.package and not missing:
            return
        what = "of Headwater" if own.package != self.package else f"of {missing[0]}"
        raise OtherSourcesError(
            f"every worker must have the same sources {what} as the command, and the one on "
            f"{socket.gethostname()} has others",
            _own_address(),
        )


def _own_address() -> str:
    """The address of the Dask worker that this is."""
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return ""


def packed(call: Callable[..., Any], arguments: tuple[Any, ...], *, travels: bool = False) -> bytes:
    """A call with the ciphers from outside, because it may refer to functions in their files; if it
    travels to another machine, also with what must be the same there."""
    needed = _Sources.here() if travels else None
    return pickle.dumps((outside.files(), needed, pickle.dumps((call, arguments))))


def carry_out(call: bytes, *contents: bytes) -> Any:
    """What a packed call gives; ``contents`` are those of the large files among its arguments, if
    they travel.

    Raises
    ------
    HeadwaterError
        Whatever the call raises: what nobody foresaw is a `FaultError` with the end of the log of
        the tool that ran last.
    """
    try:
        return _carried_out(call, contents)
    except HeadwaterError:
        raise
    except OSError as error:  # A full disk, say.
        raise ToolError(of_file(error)) from error
    except Exception as error:
        raise FaultError(of_fault(error, _last_log.tail())) from error


def _carried_out(call: bytes, contents: Sequence[bytes]) -> Any:
    arm()
    _last_log.forget()
    ciphers, needed, pickled = pickle.loads(call)
    outside.add_installed()
    for file in ciphers:
        outside.add_source(file)
    if needed:
        needed.check()
    function, arguments = pickle.loads(pickled)
    if contents:
        sent = iter(contents)
        arguments = [
            one.received(next(sent)) if isinstance(one, LargeFile) else one for one in arguments
        ]
    with recording(_last_log):
        return function(*arguments)


@lru_cache(maxsize=8)
def _unpacked(name: str, content: bytes) -> Path:
    """Write a large file into a folder that only this user can read; returns its path."""
    folder = Path(tempfile.gettempdir()) / f"headwater-libraries-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise ToolError(f"{folder} must belong to the user that the worker runs as")
    path = folder / f"{hashlib.sha256(content).hexdigest()[:16]}-{name}"
    if not path.exists():
        part = path.with_name(f".{path.name}.{os.getpid()}")
        part.write_bytes(zlib.decompress(content))
        part.replace(path)
    return path
