# SPDX-License-Identifier: Apache-2.0
"""Verilated models as objects, and simulators linked of several of them.

A model that many systems share, such as a processor, is compiled once. Others are compiled with the
harness that drives them. Models and simulators are kept in the user's cache folder under a hash of
all their inputs.
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
    plain_if_large,
    runtime,
    unity,
    verilator,
    verilator_version,
)


@dataclass(frozen=True)
class Model:
    """A compiled model: the folder that its headers and its object are in, and its hash."""

    folder: Path
    identity: str


@dataclass(frozen=True)
class Design:
    """What Verilator makes a model of.

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
    """

    prefix: str
    top: str
    sources: Mapping[str, str]
    options: Sequence[str] = ()
    headers: Collection[str] = ()

    @property
    def identity(self) -> str:
        """The hash of it, and of what compiles it."""
        return hash_of(
            self.prefix,
            self.top,
            *self.options,
            *COMPILE,
            verilator_version(),
            compiler_version(),
            *(part for item in self.sources.items() for part in item),
        )


def compile_model(design: Design) -> Model:
    """A model that many systems share; taken from the cache if it was compiled before."""
    identity = design.identity
    return Model(kept(f"model-{identity}", partial(_compile, design)), identity)


def _compile(design: Design, folder: Path) -> Path:
    place, written = _verilate(design, folder)
    unity(place / "unity.cpp", written)
    run_tool([*compile_command(), "-I.", "-c", "unity.cpp", "-o", "model.o"], cwd=place)
    for each in (*written, place / "unity.cpp"):
        each.unlink()
    return place


def _verilate(design: Design, folder: Path) -> tuple[Path, list[Path]]:
    """The folder of the model, and its sources in it."""
    for name, text in design.sources.items():
        (folder / name).write_text(text)
    read = [
        name
        for name in design.sources
        if not name.endswith((".vh", ".svh")) and name not in design.headers
    ]
    run_tool(
        [
            *verilator(),
            "--cc",
            "-O3",
            "--x-initial",
            "unique",
            "--x-assign",
            "unique",
            "-Wno-lint",
            "-Wno-fatal",
            "--top-module",
            design.top,
            "--prefix",
            design.prefix,
            "--Mdir",
            "model",
            *design.options,
            *read,
        ],
        cwd=folder,
    )
    place = folder / "model"
    return place, sorted(place.glob("*.cpp"))


def link_models(harness: Path, design: Design, shared: Sequence[Model] = ()) -> Path:
    """The simulator that a C++ harness makes of a design of its own and of shared models, from the
    cache if there is one."""
    identity = hash_of(harness.read_text(), design.identity, *(model.identity for model in shared))
    return kept(f"{identity}.system", partial(_link, harness, design, shared))


def _link(harness: Path, design: Design, shared: Sequence[Model], folder: Path) -> Path:
    place, written = _verilate(design, folder)
    unity(folder / "unity.cpp", [*written, harness], *plain_if_large(written))
    folders = [f"-I{each}" for each in (place, *(model.folder for model in shared))]
    objects = [model.folder / "model.o" for model in shared]
    run_tool(
        [
            *compile_command(),
            *folders,
            "unity.cpp",
            *objects,
            runtime(),
            "-lpthread",
            "-o",
            "simulator",
        ],
        cwd=folder,
    )
    return folder / "simulator"
