# SPDX-License-Identifier: Apache-2.0
"""C files as libraries that this process loads, compiled with the system's compiler and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from headwater.flow.folders import private_folder
from headwater.flow.kept import hash_of, kept
from headwater.flow.process import find_program, run_tool

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
    run_tool([*c_compiler(), *flags, "-shared", "-fPIC", *compiled, "-o", "library.so"],
             cwd=folder)  # fmt: skip
    return folder / "library.so"


def c_compiler() -> list[str]:
    """The C compiler."""
    return [str(find_program("gcc", _INSTALL))]


@lru_cache
def compiler_version() -> str:
    """Its version."""
    with private_folder() as folder:
        return run_tool([*c_compiler(), "-dumpfullversion"], cwd=folder).strip()
