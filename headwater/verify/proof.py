# SPDX-License-Identifier: Apache-2.0
"""Proves a core's promises, and shows for each that a core which breaks it is refuted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from amaranth.back import rtlil

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.function import FunctionCollection
from headwater.files import write_whole
from headwater.flow import sat
from headwater.flow.folders import private_folder
from headwater.flow.sat import Verdict
from headwater.kinds.registry import build, kind_of, mutants_of, promises_of
from headwater.prove.watcher import Property, Watch, WatchedCore, Watcher
from headwater.verify.record import Record


def prove(cipher: Cipher, architecture: Architecture, traces: Path | None = None) -> list[Record]:
    """One record per promise that a core of this architecture makes; see `prove_one`."""
    return [
        prove_one(cipher, architecture, name, traces) for name in promised(cipher, architecture)
    ]


def promised(cipher: Cipher, architecture: Architecture) -> list[str]:
    """The names of what a core of this architecture promises."""
    formed = kind_of(cipher).formed(cipher, architecture)
    return [promise.name for promise in promises_of(formed, architecture)]


def prove_one(
    cipher: Cipher, architecture: Architecture, name: str, traces: Path | None = None
) -> Record:
    """The record of one promise of a core, by its name.

    It fails if the promise does not hold, or if a mutant made to break it is not refuted: a
    proof that cannot fail proves nothing. Nor does one whose assumptions exclude every run, or a
    check for mutants that the unchanged core fails as well. If the promise is broken, a run that
    shows it is written into the folder ``traces``, if one is given.
    """
    cipher = kind_of(cipher).formed(cipher, architecture)
    (promise,) = (one for one in promises_of(cipher, architecture) if one.name == name)
    return _record(promise, cipher, architecture, traces)


def _record(
    promise: Property, cipher: Cipher, architecture: Architecture, traces: Path | None
) -> Record:
    failures = tuple(_failures(promise, cipher, architecture, traces))
    return Record(
        check=f"proof of {promise.name}",
        engine="sat",
        architecture=architecture,
        passed=int(not failures),
        failures=failures,
    )


def _failures(
    promise: Property, cipher: Cipher, architecture: Architecture, traces: Path | None
) -> Iterator[str]:
    """What is wrong with a promise. A mutant is refuted only by a check that the core passes."""
    core = build(cipher, architecture)
    checks = [_check(promise, core, cipher)]
    mutants = list(mutants_of(promise.name, cipher, architecture))
    followed = [build(cipher, architecture)] if checks[0].by_induction and mutants else []
    checks += [_check(promise, one, cipher, followed=True) for one in (*followed, *mutants)]
    with private_folder() as folder:
        verdicts = sat.verdicts(checks, folder)
    for check, verdict in zip(checks, verdicts, strict=True):
        if verdict is Verdict.NO_RUN:
            yield (f"{verdict.value} of {check.cycles} cycles, so that nothing is shown: "
                   f"{promise.meaning}")  # fmt: skip
            return
    kept, *of_others = verdicts
    if kept is not Verdict.HOLDS:
        shown = _written(promise, cipher, architecture, traces) if traces else ""
        within = f"{kept.value} within {checks[0].cycles} cycles, so that it is not shown"
        said = "it is not true" if kept is Verdict.FAILS else within
        yield f"{said} that {promise.meaning}{shown}"
    if Verdict.FAILS in of_others[: len(followed)]:
        yield f"the check for mutants refutes the unchanged core: {promise.meaning}"
    for verdict in of_others[len(followed) :]:
        if verdict is Verdict.HOLDS:
            yield f"a mutant that breaks the promise was not found: {promise.meaning}"


def _written(promise: Property, cipher: Cipher, architecture: Architecture, traces: Path) -> str:
    """Write a run that breaks a promise, and tell where it is."""
    core = build(cipher, architecture)
    text = watched(core, {promise.name: (promise.watch, Watcher(cipher, False))})
    with private_folder() as folder:
        run = sat.counterexample(text, folder, cycles=promise.cycles(core.facts))
    if run is None:
        return ", though no run from any state shows it"
    file = traces / f"{cipher.name}-r{architecture.radix}-{promise.name}.vcd"
    write_whole(file, run.encode())
    return f"; {file} shows it"


def watched(
    core: Core, watches: Mapping[str, tuple[Watch, Watcher]], *, whole: bool = False
) -> str:
    """The RTLIL of a core and of what watches it, in the module ``spec``; a submodule for each, by
    name. With ``whole`` all outputs leave."""
    made, functions = WatchedCore(core, watches, whole=whole), FunctionCollection(of_several=True)
    text = rtlil.convert(made, name="spec", platform=functions, emit_src=False)
    return text + functions.as_rtlil()


def _check(promise: Property, core: Core, cipher: Cipher, *, followed: bool = False) -> sat.Check:
    """Whether ``core`` keeps the promise as ``cipher`` defines it; see `is_kept`."""
    by_induction = promise.by_induction(core.facts) and not followed
    text = watched(core, {promise.name: (promise.watch, Watcher(cipher, by_induction))})
    return sat.Check(text, 2 if by_induction else promise.cycles(core.facts), by_induction)


def is_kept(promise: Property, core: Core, cipher: Cipher, *, followed: bool = False) -> bool:
    """Whether ``core`` keeps the promise as ``cipher`` defines it.

    With ``followed`` there is no induction: the core is followed for as long as a violation needs,
    so that a core that breaks the promise is refuted by an actual trace.
    """
    check = _check(promise, core, cipher, followed=followed)
    with private_folder() as folder:
        return sat.holds(check, folder)
