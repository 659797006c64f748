# SPDX-License-Identifier: Apache-2.0
"""Verilated models as objects, and simulators linked of several of them.

A model that many systems share, such as a processor, is compiled once. Models and simulators are
kept in the user's cache folder under a hash of all their inputs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from headwater.flow.kept import hash_of, kept
from headwater.flow.process import run_tool
from headwater.flow.verilator import (
    COMPILE,
    compile_command,
    compiler_version,
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
    """A Verilated model of the module ``top``; taken from the cache if it was compiled before.

    Parameters
    ----------
    prefix
        Name of its class.
    sources
        Files by name, in the order in which they are to be read.
    options
        Further options of Verilator.
    headers
        Files that are only included; files that end in .vh or .svh need not be named.
    """
    identity = hash_of(prefix, top, *options, *COMPILE, verilator_version(), compiler_version(),
                       *(part for item in sources.items() for part in item))  # fmt: skip
    make = partial(_compile, prefix, top, sources, options, headers)
    return Model(kept(f"model-{identity}", make), identity)


def _compile(
    prefix: str,
    top: str,
    sources: Mapping[str, str],
    options: Sequence[str],
    headers: Collection[str],
    folder: Path,
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
    run_tool([*compile_command(), "-I.", "-c", "unity.cpp", "-o", "model.o"], cwd=made)
    for each in (*written, made / "unity.cpp"):
        each.unlink()
    return made


def link_models(harness: Path, models: Sequence[Model]) -> Path:
    """The simulator that a C++ harness makes of some models, from the cache if there is one."""
    identity = hash_of(harness.read_text(), *(model.identity for model in models))
    return kept(f"{identity}.system", partial(_link, harness, models))


def _link(harness: Path, models: Sequence[Model], folder: Path) -> Path:
    folders = [f"-I{model.folder}" for model in models]
    objects = [model.folder / "model.o" for model in models]
    run_tool(
        [*compile_command(), *folders, harness, *objects, runtime(), "-lpthread",
         "-o", "simulator"],
        cwd=folder,
    )  # fmt: skip
    return folder / "simulator"
