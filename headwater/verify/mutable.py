# SPDX-License-Identifier: Apache-2.0
"""A core that random changes are made in, with its checkers, and the runs that show a change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from amaranth.lib.wiring import In, Out

from headwater import sources
from headwater.core.component import Core
from headwater.errors import ToolError
from headwater.files import write_whole
from headwater.flow.mutation import MutableCore
from headwater.prove.checker import Checker, Proof, ports_of
from headwater.verify.proof import with_checkers

_OF_THE_CORE = frozenset({"algebra", "cipher", "core", "emit", "errors.py", "kinds"})
"""What makes a core and its properties, whose hashes a finding has anyway."""


@cache
def sources_sha256(module: str) -> str:
    """Hash of the sources that hold a mutant against something, of a module with what it imports,
    without those that make the core."""
    return sources.closure_sha256([Path(module)], without=_OF_THE_CORE)


def mutable_core(
    core: Core, checkers: Mapping[str, tuple[Checker, Proof]], folder: Path, *, shows: bool
) -> MutableCore:
    """The core with its checkers, by name, in an empty folder; ``shows`` says whether values of
    runs are wanted."""
    ports = {port.name: flow.name.lower() for flow in (In, Out) for port in ports_of(core, flow)}
    return MutableCore(
        with_checkers(core, checkers, whole=True), folder, ports, list(checkers), shows=shows
    )


def follow(mutable: MutableCore, mutation: str, prop: str, file: Path | None) -> None:
    """Follow the run by which a property of a changed core was refuted just now once more, in
    Verilator, and write it into a file, if one is given.

    Raises
    ------
    ToolError
        If Verilator does not see the property broken.
    """
    said = mutable.replayed(mutation, prop)
    if not said.startswith("PASS"):
        raise ToolError(
            f"a run that refutes the property {prop} must break it in Verilator, "
            f"too, which says of {mutation}: {said}"
        )
    if file:
        write_whole(file, mutable.shown(mutation, prop).encode())
