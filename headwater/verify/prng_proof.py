# SPDX-License-Identifier: Apache-2.0
"""Proves what a source of random bits promises, and shows for each promise that a source which
breaks it is refuted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from headwater.emit.prng import prng_files, top_name
from headwater.emit.prng_properties import prng_properties, proof_passes, properties_file
from headwater.flow import sat
from headwater.flow.folders import private_folder
from headwater.flow.yosys import run_yosys
from headwater.kinds.stepped.prng.core import PrngCore
from headwater.kinds.stepped.prng.mutants import mutant_for
from headwater.kinds.stepped.prng.promises import KNOWN, Promise, promises_of_source
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.verify.record import Record

_CYCLES = 3
"""Cycles that an assertion reads."""


def prove_prng(shape: PrngShape, traces: Path | None = None) -> Iterator[Record]:
    """One record per promise, each by induction on the Verilog as it is delivered. It fails if the
    promise does not hold, or if the mutant made to break it is not refuted. If a folder ``traces``
    is given, the run that refutes it is written there; Verilator must see the promise broken in it,
    too."""
    for promise in promises_of_source(shape):
        yield prove_one(shape, promise, traces)


def prove_one(shape: PrngShape, promise: Promise, traces: Path | None = None) -> Record:
    """The record of one promise."""
    failures = tuple(_failures(shape, promise, traces))
    return Record(f"proof of {promise.name}", "sat", architecture=shape.architecture,
                  passed=int(not failures), failures=failures)  # fmt: skip


def _failures(shape: PrngShape, promise: Promise, traces: Path | None) -> Iterator[str]:
    """What is wrong with a promise."""
    mutant = mutant_for(promise.name, PrngCore, shape.facts)
    checks = [
        _check(shape, promise, PrngCore(shape.facts)),
        _check(shape, promise, PrngCore(shape.facts), followed=True),
        _check(shape, promise, mutant, followed=True),
    ]
    with private_folder() as folder:
        kept, passed, missed = sat.each_holds(checks, folder)
        file = traces and traces / f"{top_name(shape)}-{promise.name}-mutant1.vcd"
        said = "" if missed or not file else sat.replayed(folder, 2, promise.name, file)
    if not kept:
        yield f"it is not true that {promise.meaning}"
    if not passed:
        yield f"the check for mutants refutes the unchanged source: {promise.meaning}"
    if missed:
        yield f"a mutant that breaks the promise was not found: {promise.meaning}"
    if said.startswith("FAIL"):
        yield (f"a run that refutes a mutant does not do so in Verilator ({said}): "
               f"{promise.meaning}")  # fmt: skip


def _check(
    shape: PrngShape, promise: Promise, core: PrngCore, *, followed: bool = False
) -> sat.Check:
    """Whether a source of such cores keeps a promise: by induction, or ``followed`` for the few
    cycles in which it is seen to be broken."""
    names = {promise.name} if followed else {promise.name, KNOWN}
    defined = "FROM_ANY_STEP" if followed and promise.of_setup else ""
    with private_folder() as folder:
        text = _read(shape, core, names, defined, folder)
    return sat.Check(text, _CYCLES, not followed)


def _read(shape: PrngShape, core: PrngCore, names: set[str], defined: str, folder: Path) -> str:
    """The RTLIL of a source of such cores, with the assertions of these names alone."""
    files = prng_files(shape, core) | {properties_file(shape): prng_properties(shape)}
    kept = " ".join(f"c:properties.{name} %d" for name in (*names, "begins"))
    # Assertions at a clock edge are of values before it: those of the cycle.
    selected = [f"delete t:$check {kept}", "setparam -set TRG_ENABLE 0 t:$check"]
    for name, text in files.items():
        (folder / name).write_text(text)
    run_yosys([*proof_passes(shape, defined), *selected, "write_rtlil read.il"], folder)
    return (folder / "read.il").read_text()
