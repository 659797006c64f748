# SPDX-License-Identifier: Apache-2.0
"""Proves what a core promises."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from amaranth.back import rtlil

from headwater import python_limits
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.function import FunctionCollection
from headwater.flow import sat
from headwater.flow.folders import private_folder
from headwater.flow.sat import Verdict
from headwater.kinds.registry import build, kind_of, promises_of
from headwater.prove.watcher import Property, Watch, WatchedCore, Watcher
from headwater.verify.record import Record

_WATCH = re.compile(
    r"^(?:attribute [^\n]*\n)*module \\spec\.watch_(\w+)(?:\.\S+)?\n.*?^end\n"
    r"|^  cell \\spec\.watch_(\w+) .*?^  end\n",
    re.MULTILINE | re.DOTALL,
)
"""What watches a core in RTLIL: a module, or its use."""


def prove(
    cipher: Cipher,
    architecture: Architecture,
    traces: Path | None = None,
    *,
    only: Collection[str] | None = None,
) -> list[Record]:
    """One record per promise that a core of this architecture makes, or ``only`` of those with
    these names. They share the converted core and the processes.

    It fails if the promise does not hold, or if its assumptions exclude every run: then nothing is
    shown. Whether a promise finds a core that breaks it `headwater.verify.alone` says.

    If a folder ``traces`` is given, a run that breaks a broken promise is written into it;
    Verilator must see the promise broken in it, too.
    """
    cipher = kind_of(cipher).formed(cipher, architecture)
    promises = [one for one in promises_of(cipher, architecture)
                if only is None or one.name in only]  # fmt: skip
    core = build(cipher, architecture)
    watchers = {one.name: Watcher(cipher, one.by_induction(core.facts)) for one in promises}
    text = watched(core, {one.name: (one.watch, watchers[one.name]) for one in promises})
    checks = [_check(one, core, watchers[one.name], _alone(text, one.name)) for one in promises]
    with private_folder() as folder:
        verdicts = sat.verdicts(checks, folder)
    records = []
    for one, check, verdict in zip(promises, checks, verdicts, strict=True):
        file = traces and traces / f"{cipher.name}-r{architecture.radix}-{one.name}.vcd"
        shown = partial(_written, one, cipher, architecture, file)
        said = _said(check, verdict, one.meaning, shown)
        result = Record(f"proof of {one.name}", "sat", architecture=architecture)
        records.append(replace(result, passed=int(not said), failures=(said,) if said else ()))
    return records


def _said(check: sat.Check, verdict: Verdict, meaning: str, shown: Callable[[], str]) -> str:
    """What is wrong with a promise; empty if it holds. ``shown`` writes a run that breaks it, and
    says where."""
    if verdict is Verdict.HOLDS:
        return ""
    if verdict is Verdict.NO_RUN:
        return f"{verdict.value} of {check.cycles} cycles, so that nothing is shown: {meaning}"
    within = f"{verdict.value} within {check.cycles} cycles, so that it is not shown"
    said = "it is not true" if verdict is Verdict.FAILS else within
    return f"{said} that {meaning}{shown()}"


def promised(cipher: Cipher, architecture: Architecture) -> list[str]:
    """The names of what a core of this architecture promises."""
    formed = kind_of(cipher).formed(cipher, architecture)
    return [promise.name for promise in promises_of(formed, architecture)]


def prove_one(
    cipher: Cipher, architecture: Architecture, name: str, traces: Path | None = None
) -> Record:
    """The record of one promise of a core, by its name; see `prove`."""
    (record,) = prove(cipher, architecture, traces, only=[name])
    return record


def _alone(text: str, name: str) -> str:
    """The RTLIL of a core with only one of those that watch it."""
    return _WATCH.sub(lambda found: found[0] if name in found.groups() else "", text)


def _written(
    promise: Property, cipher: Cipher, architecture: Architecture, file: Path | None
) -> str:
    """Write a run that breaks a promise into a file, if one is given, and tell where it is."""
    if file is None:
        return ""
    check = _check_of(promise, build(cipher, architecture), cipher, followed=True)
    with private_folder() as folder:
        if sat.verdicts([check], folder) != [Verdict.FAILS]:
            return ", though no run from any state shows it"
        return replayed(folder, promise.name, file)


def replayed(folder: Path, watch: str, file: Path) -> str:
    """Write the run that refuted the one check in a folder into a file, and tell where it is."""
    said = sat.replayed(folder, 0, watch, file)
    return f"; {file} shows it" if said.startswith("PASS") else f", though Verilator says: {said}"


@python_limits.for_circuits()
def watched(
    core: Core, watches: Mapping[str, tuple[Watch, Watcher]], *, whole: bool = False
) -> str:
    """The RTLIL of a core and of what watches it, in the module ``spec``; a submodule for each, by
    name. With ``whole`` all outputs leave."""
    made, functions = WatchedCore(core, watches, whole=whole), FunctionCollection(of_several=True)
    text = rtlil.convert(made, name="spec", platform=functions, emit_src=False)
    return text + functions.as_rtlil()


def _check(promise: Property, core: Core, watcher: Watcher, text: str) -> sat.Check:
    """Whether no assertion of ``text``, a core with a watch, fails."""
    by_induction = watcher.by_induction
    return sat.Check(text, 2 if by_induction else promise.cycles(core.facts), by_induction)


def _check_of(promise: Property, core: Core, cipher: Cipher, *, followed: bool) -> sat.Check:
    """Whether ``core`` keeps the promise as ``cipher`` defines it; see `is_kept`."""
    watcher = Watcher(cipher, promise.by_induction(core.facts) and not followed)
    text = watched(core, {promise.name: (promise.watch, watcher)})
    return _check(promise, core, watcher, text)


def is_kept(promise: Property, core: Core, cipher: Cipher, *, followed: bool = False) -> bool:
    """Whether ``core`` keeps the promise as ``cipher`` defines it.

    With ``followed`` there is no induction: the core is followed for as long as a violation needs,
    so that a core that breaks the promise is refuted by an actual trace.
    """
    check = _check_of(promise, core, cipher, followed=followed)
    with private_folder() as folder:
        return sat.holds(check, folder)
