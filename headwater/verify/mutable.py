# SPDX-License-Identifier: Apache-2.0
"""A core that random changes are made in, with what watches it, and the runs that show a change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from headwater import sources
from headwater.core.component import Core
from headwater.errors import ToolError
from headwater.files import write_whole
from headwater.flow.mutation import MutableCore
from headwater.prove.watcher import Watch, Watcher
from headwater.verify.proof import watched

_OF_THE_CORE = frozenset({"algebra", "cipher", "core", "emit", "errors.py", "kinds"})
"""What makes a core and its promises, whose hashes a finding has anyway."""


@cache
def sources_sha256(module: str) -> str:
    """Hash of the sources that hold a mutant against something, of a module with what it imports,
    without those that make the core."""
    return sources.closure_sha256([Path(module)], without=_OF_THE_CORE)


def mutable_core(
    core: Core, watches: Mapping[str, tuple[Watch, Watcher]], folder: Path, *, shows: bool
) -> MutableCore:
    """The core with what watches it, by name, in an empty folder; ``shows`` says whether values of
    runs are wanted."""
    ports = {signal.name: member.flow.name.lower()
             for _, member, signal in core.signature.flatten(core)}  # fmt: skip
    return MutableCore(watched(core, watches, whole=True), folder, ports, list(watches),
                       shows=shows)  # fmt: skip


def follow(mutable: MutableCore, mutation: str, promise: str, file: Path | None) -> None:
    """Follow the run by which a promise of a changed core was refuted just now once more, in
    Verilator, and write it into a file, if one is given.

    Raises
    ------
    ToolError
        If Verilator does not see the promise broken.
    """
    said = mutable.replayed(mutation, promise)
    if not said.startswith("PASS"):
        raise ToolError(f"a run that refutes the promise {promise} must break it in Verilator, "
                        f"too, which says of {mutation}: {said}")  # fmt: skip
    if file:
        write_whole(file, mutable.shown(mutation, promise).encode())
