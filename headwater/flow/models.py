# SPDX-License-Identifier: Apache-2.0
"""Verilated models as objects, and simulators linked of several of them.

A model that many systems share, such as a processor, is compiled once. Models and simulators are
kept in the user's cache folder under a hash of all their inputs.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from headwater.flow.process import private_folder, run_tool
from headwater.flow.verilator import (
    COMPILE,
    cache_folder,
    compiler,
    compiler_version,
    include_folders,
    publish,
    runtime,
    verilator,
    verilator_version,
)


@dataclass(frozen=True)
class Model:
    """A compiled model: the folder that its headers and its object are in, and its hash."""

    folder: Path
    identity: str


def compile_model(
    prefix: str,
    top: str,
    sources: Mapping[str, str],
    options: Sequence[str] = (),
    headers: Collection[str] = (),
) -> Model:
    """A Verilated model; taken from the cache if it was compiled before.

    Parameters
    ----------
    prefix
        Name of its class.
    top
        The module.
    sources
        Files by name, in the order in which they are to be read.
    options
        Further options of Verilator.
    headers
        Files that are only included; files that end in .vh or .svh need not be named.

    Raises
    ------
    ToolError
        If Verilator or the compiler is missing or fails.
    """
    identity = _hash(prefix, top, *options, *COMPILE, verilator_version(), compiler_version(),
                     *(part for item in sources.items() for part in item))  # fmt: skip
    target = cache_folder() / f"model-{identity}"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=cache_folder(), prefix=".model-") as name:
            made = _compile(Path(name), prefix, top, sources, options, headers)
            with suppress(OSError):  # Another process has put the same model there meanwhile.
                made.rename(target)
    return Model(target, identity)


def _compile(
    folder: Path,
    prefix: str,
    top: str,
    sources: Mapping[str, str],
    options: Sequence[str],
    headers: Collection[str],
) -> Path:
    for name, text in sources.items():
        (folder / name).write_text(text)
    read = [name for name in sources
            if not name.endswith((".vh", ".svh")) and name not in headers]  # fmt: skip
    run_tool(
        [*verilator(), "--cc", "-O3", "--x-initial", "unique", "--x-assign", "unique", "-Wno-lint",
         "-Wno-fatal", "--top-module", top, "--prefix", prefix, "--Mdir", "model", *options, *read],
        cwd=folder,
    )  # fmt: skip
    made = folder / "model"
    written = sorted(made.glob("*.cpp"))
    (made / "unity.cpp").write_text("".join(f'#include "{each.name}"\n' for each in written))
    run_tool([*compiler(), *COMPILE, *include_folders(), "-I.", "-c", "unity.cpp", "-o", "model.o"],
             cwd=made)  # fmt: skip
    for each in (*written, made / "unity.cpp"):
        each.unlink()
    return made


def link_models(harness: Path, models: Sequence[Model]) -> Path:
    """The simulator that a C++ harness makes of some models, from the cache if there is one."""
    identity = _hash(harness.read_text(), *(model.identity for model in models))
    target = cache_folder() / f"{identity}.system"
    if not target.exists():
        folders = [f"-I{model.folder}" for model in models]
        objects = [model.folder / "model.o" for model in models]
        with private_folder() as folder:
            run_tool(
                [*compiler(), *COMPILE, *include_folders(), *folders, harness, *objects, runtime(),
                 "-lpthread", "-o", "simulator"],
                cwd=folder,
            )  # fmt: skip
            publish(folder / "simulator", target)
    return target


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
