# SPDX-License-Identifier: Apache-2.0
"""Calls that are carried out in another process, perhaps on another machine."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from headwater.cipher import outside
from headwater.errors import FaultError, HeadwaterError, ToolError, of_fault, of_file
from headwater.flow.guard import arm
from headwater.flow.process import recording

_TAIL_LINES = 12


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
        """Note what it printed."""
        self._mine.log = output

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


def packed(call: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """A call with the ciphers from outside, because it may refer to functions in their files."""
    return pickle.dumps((outside.files(), pickle.dumps((call, arguments))))


def carry_out(call: bytes) -> Any:
    """What a packed call gives.

    Raises
    ------
    HeadwaterError
        Whatever the call raises: what nobody foresaw is a `FaultError` with the end of the log of
        the tool that ran last.
    """
    try:
        return _carried_out(call)
    except HeadwaterError:
        raise
    except OSError as error:  # A full disk, say.
        raise ToolError(of_file(error)) from error
    except Exception as error:
        raise FaultError(of_fault(error, _last_log.tail())) from error


def _carried_out(call: bytes) -> Any:
    arm()
    _last_log.forget()
    ciphers, pickled = pickle.loads(call)
    outside.add_installed()
    for file in ciphers:
        outside.add_source(file)
    function, arguments = pickle.loads(pickled)
    with recording(_last_log):
        return function(*arguments)
