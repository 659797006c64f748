# SPDX-License-Identifier: Apache-2.0
"""Running external tools: a private folder, a time limit, and a failure that shows the log."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from headwater.errors import ToolError

TIME_LIMIT_S = 1800
_LOG_TAIL_LINES = 12

_running: set[subprocess.Popen[str]] = set()


def run_tool(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    stdin: str = "",
    install: str = "",
    time_limit_s: float = TIME_LIMIT_S,
) -> str:
    """Run a tool to its end and give back what it printed on stdout.

    The tool gets a process group of its own, which is killed as a whole when the time limit is
    reached or the caller is interrupted.

    Parameters
    ----------
    command
        Program and arguments; neither ever holds a key.
    cwd
        Folder the tool works in.
    stdin
        Text for its standard input.
    install
        The shell command that installs the tool, for the message if it is missing.

    Raises
    ------
    ToolError
        If the tool is missing, fails or takes too long. The message ends with the log's tail.
    """
    name = Path(command[0]).name
    process = _start(command, cwd, install)
    with process:
        _running.add(process)
        try:
            output, log = process.communicate(stdin, timeout=time_limit_s)
        except subprocess.TimeoutExpired as error:
            _kill_group(process)
            limit = f"{name} took longer than {time_limit_s:g} s and was stopped"
            raise ToolError(limit) from error
        except BaseException:
            _kill_group(process)
            raise
        finally:
            _running.discard(process)
    if process.returncode:
        tail = "\n".join((output + log).strip().splitlines()[-_LOG_TAIL_LINES:])
        raise ToolError(f"{name} failed with exit status {process.returncode}:\n{tail}")
    return output


def _start(command: Sequence[str | Path], cwd: Path, install: str) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        hint = f"; install it with: {install}" if install else ""
        raise ToolError(f"{Path(command[0]).name} cannot be run: {error.strerror}{hint}") from error


def stop_all() -> None:
    """Stop every tool that is running, in whatever thread: the runs then end as failures."""
    for process in list(_running):
        _kill_group(process)


def _kill_group(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def private_folder() -> Iterator[Path]:
    """A temporary folder that only this user can read, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="headwater-") as name:
        yield Path(name)


def find_program(name: str, install: str) -> Path:
    """Where a program is: beside this Python first (pip's tools), then on PATH.

    Raises
    ------
    ToolError
        If it is nowhere; the message holds ``install``, the command that brings it.
    """
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise ToolError(f"{name} is not installed; install it with: {install}")
    return Path(found)
