# SPDX-License-Identifier: Apache-2.0
"""C files as libraries that this process loads, compiled with the system's compiler and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.kept import hash_of, kept
from headwater.flow.process import find_program, program_version, run_tool

_INSTALL = "apt-get install gcc"
FLAGS = ("-std=c99", "-O1")


def c_library(files: Mapping[str, str], flags: Sequence[str] = FLAGS) -> Path:
    """The library of some files: content by name. Those ending in ``.c`` are compiled.

    Raises
    ------
    ToolError
        If there is no compiler, or it refuses a file.
    """
    parts = (*(text for item in files.items() for text in item), *flags, compiler_version())
    return kept(f"{hash_of(*parts)}.so", partial(_compile, files, flags))


def _compile(files: Mapping[str, str], flags: Sequence[str], folder: Path) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text)
    compiled = [name for name in files if name.endswith(".c")]
    run_tool([*c_compiler(), *flags, "-shared", "-fPIC", *compiled, "-o", "library.so"], cwd=folder)
    return folder / "library.so"


def c_compiler() -> list[str]:
    """The C compiler."""
    return [str(find_program("gcc", _INSTALL))]


def has_compiler() -> bool:
    """Whether there is a C compiler."""
    try:
        c_compiler()
    except ToolError:
        return False
    return True


@lru_cache
def compiler_version() -> str:
    """Its version."""
    return program_version("gcc", "-dumpfullversion", _INSTALL)
