# SPDX-License-Identifier: Apache-2.0
"""Running external tools: a time limit, a failure with its log, and an end with the caller."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from headwater import interrupts
from headwater.errors import ToolError
from headwater.flow.folders import folder_of_process, private_folder

_LOG_TAIL_LINES = 12

_running: set[subprocess.Popen[str]] = set()
_starting = threading.RLock()
"""Held while a tool is started: one that `stop_all` does not know yet starts after it, or not."""


class MissingToolError(ToolError):
    """A tool is not installed, or cannot be run."""


class ToolStoppedError(ToolError):
    """A tool crashed or took too long: the run may succeed when it is repeated."""


class TookTooLongError(ToolStoppedError):
    """A tool did not come to an end within its time limit."""


class _Limits:
    """The limits of every tool that this process runs."""

    seconds = 1800.0
    stopped = False


def limit_time(seconds: float) -> None:
    """Set the longest time that one run of a tool may take from now on."""
    _Limits.seconds = seconds


class Recorder(Protocol):
    """Observer of every run of a tool."""

    def before(self, command: Sequence[str | Path], cwd: Path, stdin: str, *, merged: bool) -> None:
        """Called before a tool is run; its output is what it prints on stdout, and on stderr too
        where they are ``merged``."""

    def after(self, cwd: Path, output: str) -> None:
        """Called after a tool has ended with success and printed ``output``."""


class _Recording:
    recorder: Recorder | None = None


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Call the recorder's methods for every run of a tool in this process, as long as the context
    lasts."""
    _Recording.recorder = recorder
    try:
        yield
    finally:
        _Recording.recorder = None


def run_tool(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    stdin: str = "",
    merged: bool = False,
    install: str = "",
    time_limit_s: float | None = None,
) -> str:
    """Run a tool to its end and give back what it printed on stdout.

    The tool gets a process group of its own, which is killed as a whole when the time limit is
    reached or the caller is interrupted.

    Parameters
    ----------
    command
        Program and arguments; neither ever holds a key.
    merged
        Whether what it prints on stderr is given back as well, in the order of time.
    install
        The shell command that installs the tool, for the message if it is missing.
    time_limit_s
        Longest time it may take; what `limit_time` has set unless given.

    Raises
    ------
    ToolError
        If the tool fails. The message ends with the log's tail.
    MissingToolError
        If it cannot be run.
    ToolStoppedError
        If it crashes or was stopped; `TookTooLongError` if it takes too long.
    """
    name = Path(command[0]).name
    limit_s = _Limits.seconds if time_limit_s is None else time_limit_s
    if _Recording.recorder:
        _Recording.recorder.before(command, cwd, stdin, merged=merged)
    with _start(command, cwd, install, merged=merged) as process:
        try:
            output, log = process.communicate(stdin, timeout=limit_s)
        except subprocess.TimeoutExpired as error:
            _kill_group(process)
            limit = f"{name} took longer than {limit_s:g} s and was stopped"
            raise TookTooLongError(limit) from error
        except BaseException:
            _kill_group(process)
            raise
        finally:
            _running.discard(process)
    if process.returncode:
        kind = ToolError if process.returncode > 0 else ToolStoppedError
        told = _last_words(output + (log or ""))
        raise kind(f"{name} failed with exit status {process.returncode}:\n{told}")
    if _Recording.recorder:
        _Recording.recorder.after(cwd, output)
    return output


def _last_words(log: str) -> str:
    """The end of a log; of a tool in Python that crashed, what it says last."""
    lines = log.strip().splitlines()
    crashed = any(line.startswith("Traceback (most recent call last)") for line in lines)
    return "\n".join(lines[-1:] if crashed else lines[-_LOG_TAIL_LINES:])


def written_json(path: Path) -> Any:
    """The data that a tool wrote as JSON. Some tools do not notice that the disk is full."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ToolError(
            f"{path.name}, which a tool wrote, is not whole: is the disk full?"
        ) from error


def _start(
    command: Sequence[str | Path], cwd: Path, install: str, *, merged: bool
) -> subprocess.Popen[str]:
    name = Path(command[0]).name
    environment = {**os.environ, "TMPDIR": str(folder_of_process())}
    # An interrupt in Popen would leave a tool that nobody knows.
    with interrupts.held(), _starting:
        if _Limits.stopped:
            raise ToolStoppedError(f"{name} was not begun, as the work was stopped")
        try:
            process = subprocess.Popen(
                [str(word) for word in command],
                cwd=cwd,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if merged else subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            hint = f"; install it with: {install}" if install else ""
            raise MissingToolError(f"{name} cannot be run: {error.strerror}{hint}") from error
        _running.add(process)
    return process


def stop_all(*, for_good: bool = False) -> None:
    """Stop every tool that is running, in whatever thread: the runs then end as failures.

    With ``for_good``, this process can start no further tool.
    """
    with _starting:
        _Limits.stopped = for_good
        for process in list(_running):
            _kill_group(process)


interrupts.at_end.append(partial(stop_all, for_good=True))


def _kill_group(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def find_program(name: str, install: str) -> Path:
    """The path of a program: searched beside the running Python (tools from pip), then on PATH. An
    error contains ``install``, the command that installs it."""
    beside = Path(sys.executable).parent / name
    program = str(beside) if beside.exists() else shutil.which(name)
    if program is None:
        raise MissingToolError(f"{name} is not installed; install it with: {install}")
    return Path(program)


def program_version(name: str, option: str, install: str) -> str:
    """The version that an installed program prints."""
    with private_folder() as folder:
        printed = run_tool([find_program(name, install), option], cwd=folder)
    number = re.search(r"\d+(\.\d+)+", printed)
    return number[0] if number else "unknown"


def package_version(name: str, install: str) -> str:
    """The version of an installed package."""
    try:
        return version(name)
    except PackageNotFoundError as error:
        raise MissingToolError(f"{name} is not installed; install it with: {install}") from error
