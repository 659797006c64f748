# SPDX-License-Identifier: Apache-2.0
"""Proves a core's promises, and shows for each that a core which breaks it is refuted."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from amaranth.back import rtlil

from headwater import python_limits
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.core.component import Core
from headwater.core.facts import Facts
from headwater.core.function import FunctionCollection
from headwater.flow import sat
from headwater.flow.folders import private_folder
from headwater.flow.sat import Verdict
from headwater.kinds.registry import build, facts_of, kind_of, mutants_of, promises_of
from headwater.prove.watcher import Property, Watch, WatchedCore, Watcher
from headwater.verify.record import Record

_WATCH = re.compile(
    r"^(?:attribute [^\n]*\n)*module \\spec\.watch_(\w+)(?:\.\S+)?\n.*?^end\n"
    r"|^  cell \\spec\.watch_(\w+) .*?^  end\n",
    re.MULTILINE | re.DOTALL,
)
"""What watches a core in RTLIL: a module, or its use."""


@dataclass(frozen=True)
class _Checks:
    """What is asked of one promise."""

    promise: Property
    kept: sat.Check
    """Whether the core keeps it."""
    followed: list[sat.Check]
    """Whether the core passes the check for mutants, if that is another one."""
    mutants: list[sat.Check]

    @property
    def all(self) -> list[sat.Check]:
        """In the order in which `failures` takes the answers."""
        return [self.kept, *self.followed, *self.mutants]

    def failures(
        self, verdicts: Sequence[Verdict], shown: Callable[[], str], replayed: Callable[[int], str]
    ) -> Iterator[str]:
        """What is wrong with the promise; ``shown`` writes a run that breaks it, and says where;
        ``replayed`` says what is wrong with the run that refutes a mutant, by its number. A mutant
        is refuted only by a check that the core passes."""
        meaning = self.promise.meaning
        for check, verdict in zip(self.all, verdicts, strict=True):
            if verdict is Verdict.NO_RUN:
                yield (f"{verdict.value} of {check.cycles} cycles, so that nothing is shown: "
                       f"{meaning}")  # fmt: skip
                return
        kept, *others = verdicts
        if kept is not Verdict.HOLDS:
            within = f"{kept.value} within {self.kept.cycles} cycles, so that it is not shown"
            said = "it is not true" if kept is Verdict.FAILS else within
            yield f"{said} that {meaning}{shown()}"
        if Verdict.FAILS in others[: len(self.followed)]:
            yield f"the check for mutants refutes the unchanged core: {meaning}"
        for number, verdict in enumerate(others[len(self.followed) :]):
            if verdict is Verdict.HOLDS:
                yield f"a mutant that breaks the promise was not found: {meaning}"
            elif said := replayed(number):
                yield f"a run that refutes a mutant does not do so in Verilator ({said}): {meaning}"


def prove(
    cipher: Cipher,
    architecture: Architecture,
    traces: Path | None = None,
    *,
    only: Collection[str] | None = None,
) -> list[Record]:
    """One record per promise that a core of this architecture makes, or ``only`` of those with
    these names. They share the converted core and the processes.

    It fails if the promise does not hold, or if a mutant made to break it is not refuted: a
    proof that cannot fail proves nothing. Nor does one whose assumptions exclude every run, or a
    check for mutants that the unchanged core fails as well.

    If a folder ``traces`` is given, a run that breaks a broken promise is written into it, and the
    run that refutes each mutant; Verilator must see the promise broken in it, too.
    """
    cipher = kind_of(cipher).formed(cipher, architecture)
    promises = [one for one in promises_of(cipher, architecture)
                if only is None or one.name in only]  # fmt: skip
    facts = facts_of(cipher, architecture)
    asked = {
        one.promise.name: one
        for one in _checks(
            [one for one in promises if not one.undecided(facts)], cipher, architecture
        )
    }
    records, first = [], 0
    with private_folder() as folder:
        checks = [check for one in asked.values() for check in one.all]
        verdicts = sat.verdicts(checks, folder) if checks else []
        for promise in promises:
            name, one = promise.name, asked.get(promise.name)
            if one is None:
                records.append(_undecided(promise, architecture, facts))
                continue
            end = first + len(one.all)
            file = traces and traces / f"{cipher.name}-r{architecture.radix}-{name}.vcd"
            failures = tuple(one.failures(
                verdicts[first:end],
                partial(_written, promise, cipher, architecture, file),
                partial(_replayed, name, folder, end - len(one.mutants), file),
            ))  # fmt: skip
            records.append(Record(f"proof of {name}", "sat", architecture=architecture,
                                  passed=int(not failures), failures=failures))  # fmt: skip
            first = end
    return records


def _undecided(promise: Property, architecture: Architecture, facts: Facts) -> Record:
    """The record of a promise that no solver decides."""
    return Record(f"proof of {promise.name}", "sat", architecture=architecture,
                  skip_reasons={promise.method(facts): 1})  # fmt: skip


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


def _checks(
    promises: Sequence[Property], cipher: Cipher, architecture: Architecture
) -> list[_Checks]:
    """What is asked of each promise. The core is converted once for all of them."""
    core = build(cipher, architecture)
    mutants = {one.name: list(mutants_of(one.name, cipher, architecture)) for one in promises}
    watchers = {one.name: [Watcher(cipher, one.by_induction(core.facts))] for one in promises}
    for name, several in watchers.items():
        if several[0].by_induction and mutants[name]:
            several.append(Watcher(cipher, by_induction=False))
    text = watched(core, {f"{one.name}_{place}": (one.watch, watcher) for one in promises
                          for place, watcher in enumerate(watchers[one.name])})  # fmt: skip
    made = []
    for one in promises:
        kept, *followed = (
            _check(one, core, watcher, _alone(text, f"{one.name}_{place}"))
            for place, watcher in enumerate(watchers[one.name])
        )
        broken = [_check_of(one, mutant, cipher, followed=True) for mutant in mutants[one.name]]
        made.append(_Checks(one, kept, followed, broken))
    return made


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
        said = sat.replayed(folder, 0, promise.name, file)
    return f"; {file} shows it" if said.startswith("PASS") else f", though Verilator says: {said}"


def _replayed(name: str, folder: Path, first: int, file: Path | None, number: int) -> str:
    """What is wrong with the run that refutes a mutant of a promise, by its number, if there is a
    file beside which it is to be written; its check is that many after the first one."""
    if file is None:
        return ""
    beside = file.with_stem(f"{file.stem}-mutant{number + 1}")
    said = sat.replayed(folder, first + number, name, beside)
    return "" if said.startswith("PASS") else said


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
