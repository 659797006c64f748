# SPDX-License-Identifier: Apache-2.0
"""Testbenches in Verilog, with clocks of their own, as programs that Verilator makes of them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.process import run_tool
from headwater.flow.verilator import runtime, timed_command, timing, verilator

_RANDOM_START = ("+verilator+rand+reset+2", "+verilator+seed+1")
"""What has no value at the start begins at random, the same in every run."""
_GENERATED = "made"
_PROGRAM = "testbench"


def compile_testbench(top: str, files: Mapping[str, str], folder: Path) -> Path:
    """The program of a testbench, made in a folder of its own.

    Parameters
    ----------
    top
        The name of the testbench's module.
    files
        The text of each file that is read, by name.
    folder
        To work in. What the files include must be there.

    Raises
    ------
    ToolError
        If Verilator or the compiler cannot read them.
    """
    for name, text in files.items():
        (folder / name).write_text(text)
    shutil.rmtree(folder / _GENERATED, ignore_errors=True)
    run_tool(
        [
            *verilator(),
            "--cc",
            "--main",
            "--timing",
            "--x-initial",
            "unique",
            "-Wno-lint",
            "-Wno-fatal",
            "-Wno-UNOPTFLAT",
            "--top-module",
            top,
            "--prefix",
            "Vtop",
            "--Mdir",
            _GENERATED,
            *files,
        ],
        cwd=folder,
    )
    # One file, so that the headers are read once.
    sources = sorted((folder / _GENERATED).glob("*.cpp"))
    unity = "".join(f'#include "{source.name}"\n' for source in sources)
    (folder / _GENERATED / "unity.cpp").write_text(unity)
    command = [*timed_command(), f"-I{_GENERATED}", f"{_GENERATED}/unity.cpp"]
    run_tool([*command, runtime(), timing(), "-lpthread", "-o", _PROGRAM], cwd=folder)
    return folder / _PROGRAM


def verdict(
    program: Path, arguments: Sequence[str] = (), *, time_limit_s: float | None = None
) -> str:
    """What a testbench prints, with these arguments of its own: the first line that begins with
    PASS or FAIL, empty if there is none. One that says FAIL ends with an error, which is its
    verdict; any other error is raised."""
    try:
        said = run_tool(
            [program, *_RANDOM_START, *arguments], cwd=program.parent, time_limit_s=time_limit_s
        )
    except ToolError as error:
        if failed := _first(str(error), "FAIL"):
            return failed
        raise
    return _first(said, "PASS", "FAIL")


def _first(said: str, *beginnings: str) -> str:
    """The first line with one of these beginnings, or nothing."""
    return next((line for line in said.splitlines() if line.startswith(beginnings)), "")
