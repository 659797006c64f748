# SPDX-License-Identifier: Apache-2.0
"""No tool outlives the process that started it, however that ends: also by a signal that nobody can
catch.

A second process, the guard, waits for the end of this one: its input is closed then, whatever the
reason. It kills all that has the temporary folder of this process in its environment, as every tool
has, and what a tool has started, in whatever group or session it is. It looks for them in /proc;
where there is none, tools end with this process only if it can still act.

What figures depend on does not import this module: who watches over the tools changes no figure.
The guard is this file, run by itself.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

_FOLDER = "TMPDIR"
_RUN = "headwater-run-"
_PROC = Path("/proc")
_PAUSE_S = 0.02
_QUIET_S = 0.3
"""So long there must be nothing to kill: a tool that is just being started has not yet got its
environment."""
_LONGEST_S = 10.0

_guards: dict[tuple[int, str], int] = {}
"""The guard of each process, which may be a fork of this one, and folder."""
_armed: list[bool] = []


def arm() -> None:
    """From now on, a guard is there before this process starts a tool."""
    if not _armed and (_PROC / "self" / "environ").exists():
        sys.addaudithook(_before)
        _armed.append(True)


def _before(event: str, arguments: tuple[Any, ...]) -> None:
    """Start the guard before the first tool, and again if it was killed."""
    if event != "subprocess.Popen":
        return
    environment = arguments[3] or {}
    folder = environment.get(_FOLDER, "")
    if Path(folder).name.startswith(_RUN):
        key = os.getpid(), folder
        if key not in _guards or not _is_there(_guards[key]):
            _guards[key] = _started(folder)


def _started(folder: str) -> int:
    """Start a guard; its number. Its input stays open as long as this process is there."""
    end, _kept_open = os.pipe()
    nothing = [(os.POSIX_SPAWN_OPEN, output, os.devnull, os.O_WRONLY, 0) for output in (1, 2)]
    # It has an environment that is none of a tool's, and a session of its own: a signal for the
    # group of this process is none for the guard.
    number = os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-S", __file__, folder],
        {},
        file_actions=[(os.POSIX_SPAWN_DUP2, end, 0), *nothing],
        setsid=True,
    )
    os.close(end)
    return number


def _is_there(number: int) -> bool:
    """Whether a child has not ended."""
    try:
        return os.waitpid(number, os.WNOHANG)[0] == 0
    except ChildProcessError:  # Somebody else has waited for it.
        return (_PROC / str(number)).exists()


def main(folder: str) -> None:
    """Wait for the end of the input, and then end the tools of that folder."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(0, 1):
        pass
    mark = f"{_FOLDER}={folder}".encode()
    begun = quiet_since = time.monotonic()
    while (now := time.monotonic()) < min(begun + _LONGEST_S, quiet_since + _QUIET_S):
        for tool in _marked(mark):
            quiet_since = now
            with suppress(ProcessLookupError):
                os.kill(tool, signal.SIGKILL)
        time.sleep(_PAUSE_S)


def _marked(mark: bytes) -> list[int]:
    """The processes of this user that have the mark in their environment."""
    tools = []
    for folder in _PROC.glob("[0-9]*"):
        with suppress(OSError):  # It is gone, or of another user.
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                tools.append(int(folder.name))
    return tools


if __name__ == "__main__":
    main(sys.argv[1])
