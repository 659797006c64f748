# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of a core."""

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
from headwater.kinds.registry import build, kind_of, properties_of
from headwater.prove.checker import CheckedCore, Checker, Proof, Property
from headwater.verify.record import Record

_CHECKER = re.compile(
    r"^(?:attribute [^\n]*\n)*module \\spec\.check_(\w+)(?:\.\S+)?\n.*?^end\n"
    r"|^  cell \\spec\.check_(\w+) .*?^  end\n",
    re.MULTILINE | re.DOTALL,
)
"""What checks a core in RTLIL: a module, or its use."""


def prove(
    cipher: Cipher,
    architecture: Architecture,
    traces: Path | None = None,
    *,
    only: Collection[str] | None = None,
) -> list[Record]:
    """One record per property that a core of this architecture has, or ``only`` of those with
    these names. They share the converted core and the processes.

    It fails if the property does not hold, or if its assumptions exclude every run: then nothing is
    shown. Whether a property finds a core that breaks it `headwater.verify.alone` says.

    If a folder ``traces`` is given, a run that breaks a broken property is written into it;
    Verilator must see the property broken in it, too.
    """
    cipher = kind_of(cipher).formed(cipher, architecture)
    properties = [
        one for one in properties_of(cipher, architecture) if only is None or one.name in only
    ]
    core = build(cipher, architecture)
    proofs = {one.name: Proof(cipher, one.by_induction(core.facts)) for one in properties}
    text = with_checkers(core, {one.name: (one.checker, proofs[one.name]) for one in properties})
    checks = [_check(one, core, proofs[one.name], _alone(text, one.name)) for one in properties]
    with private_folder() as folder:
        answers = sat.answers(checks, folder)
    records = []
    for one, check, answer in zip(properties, checks, answers, strict=True):
        file = traces and traces / f"{cipher.name}-r{architecture.radix}-{one.name}.vcd"
        shown = partial(_written, one, cipher, architecture, file)
        said = _said(check, answer.verdict, one.meaning, shown)
        result = Record(
            f"proof of {one.name}", "sat", architecture=architecture, method=answer.method
        )
        records.append(replace(result, passed=int(not said), failures=(said,) if said else ()))
    return records


def _said(check: sat.Check, verdict: Verdict, meaning: str, shown: Callable[[], str]) -> str:
    """What is wrong with a property; empty if it holds. ``shown`` writes a run that breaks it, and
    says where."""
    if verdict is Verdict.HOLDS:
        return ""
    if verdict is Verdict.NO_RUN:
        return f"{verdict.value} of {check.cycles} cycles, so that nothing is shown: {meaning}"
    within = f"{verdict.value} within {check.cycles} cycles, so that it is not shown"
    said = "it is not true" if verdict is Verdict.FAILS else within
    return f"{said} that {meaning}{shown()}"


def property_names(cipher: Cipher, architecture: Architecture) -> list[str]:
    """The names of the properties of a core of this architecture."""
    formed = kind_of(cipher).formed(cipher, architecture)
    return [prop.name for prop in properties_of(formed, architecture)]


def prove_one(
    cipher: Cipher, architecture: Architecture, name: str, traces: Path | None = None
) -> Record:
    """The record of one property of a core, by its name; see `prove`."""
    (record,) = prove(cipher, architecture, traces, only=[name])
    return record


def _alone(text: str, name: str) -> str:
    """The RTLIL of a core with only one of its checkers."""
    return _CHECKER.sub(lambda found: found[0] if name in found.groups() else "", text)


def _written(prop: Property, cipher: Cipher, architecture: Architecture, file: Path | None) -> str:
    """Write a run that breaks a property into a file, if one is given, and tell where it is."""
    if file is None:
        return ""
    check = _check_of(prop, build(cipher, architecture), cipher, followed=True)
    with private_folder() as folder:
        if sat.answers([check], folder)[0].verdict is not Verdict.FAILS:
            return ", though no run from any state shows it"
        return replayed(folder, prop.name, file)


def replayed(folder: Path, checker: str, file: Path) -> str:
    """Write the run that refuted the one check in a folder into a file, and tell where it is."""
    said = sat.replayed(folder, 0, checker, file)
    return f"; {file} shows it" if said.startswith("PASS") else f", though Verilator says: {said}"


@python_limits.for_circuits()
def with_checkers(
    core: Core, checkers: Mapping[str, tuple[Checker, Proof]], *, whole: bool = False
) -> str:
    """The RTLIL of a core and of its checkers, in the module ``spec``; a submodule for each, by
    name. With ``whole`` all outputs leave."""
    checked, functions = (
        CheckedCore(core, checkers, whole=whole),
        FunctionCollection(of_several=True),
    )
    text = rtlil.convert(checked, name="spec", platform=functions, emit_src=False)
    return text + functions.as_rtlil()


def _check(
    prop: Property, core: Core, proof: Proof, text: str, *, followed: bool = False
) -> sat.Check:
    """Whether no assertion of ``text``, a core with a checker, fails. A run that is ``followed``
    begins with whatever the checker assumes: it is written down."""
    by_induction = proof.by_induction
    cycles = 2 if by_induction else prop.cycles(core.facts)
    if followed or not prop.begins:
        return sat.Check(text, cycles, by_induction)
    zeros = ("rst", "in_clear", "in_load_valid") if prop.undisturbed else ()
    return sat.Check(text, cycles, by_induction, prop.begins, zeros)


def _check_of(prop: Property, core: Core, cipher: Cipher, *, followed: bool) -> sat.Check:
    """Whether ``core`` keeps the property as ``cipher`` defines it; see `is_kept`."""
    proof = Proof(cipher, prop.by_induction(core.facts) and not followed)
    text = with_checkers(core, {prop.name: (prop.checker, proof)})
    return _check(prop, core, proof, text, followed=followed)


def is_kept(prop: Property, core: Core, cipher: Cipher, *, followed: bool = False) -> bool:
    """Whether ``core`` keeps the property as ``cipher`` defines it.

    With ``followed`` there is no induction: the core is followed for as long as a violation needs,
    so that a core that breaks the property is refuted by an actual trace.
    """
    check = _check_of(prop, core, cipher, followed=followed)
    with private_folder() as folder:
        return sat.holds(check, folder)
