# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of a source of random bits, and holds changes of it against a property."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from headwater.emit.prng import prng_files, top_name
from headwater.emit.prng_properties import prng_properties, proof_passes, properties_file
from headwater.flow import sat
from headwater.flow.folders import private_folder
from headwater.flow.mutation import MutableCore
from headwater.flow.yosys import run_yosys
from headwater.kinds.stepped.prng.core import PrngCore
from headwater.kinds.stepped.prng.properties import KNOWN, SourceProperty, properties_of_source
from headwater.kinds.stepped.prng.shape import PrngShape
from headwater.verify.alone import Trial
from headwater.verify.proof import replayed
from headwater.verify.record import Record

_CYCLES = 3
"""Cycles that an assertion reads."""


def prove_prng(shape: PrngShape, traces: Path | None = None) -> Iterator[Record]:
    """One record per property, each by induction on the Verilog as it is delivered. If a folder
    ``traces`` is given, a run that breaks a broken property is written into it."""
    for prop in properties_of_source(shape):
        yield prove_one(shape, prop, traces)


def prove_one(shape: PrngShape, prop: SourceProperty, traces: Path | None = None) -> Record:
    """The record of one property."""
    check = sat.Check(_read(shape, {prop.name, KNOWN}), _CYCLES, by_induction=True)
    failures: tuple[str, ...] = ()
    with private_folder() as folder:
        if not sat.holds(check, folder):
            file = traces and traces / f"{top_name(shape)}-{prop.name}.vcd"
            shown = replayed(folder, prop.name, file) if file else ""
            failures = (f"it is not true that {prop.meaning}{shown}",)
    return Record(
        f"proof of {prop.name}",
        "sat",
        architecture=shape.architecture,
        passed=int(not failures),
        failures=failures,
    )


def trial_of_source(shape: PrngShape, prop: str, folder: Path, traces: Path | None = None) -> Trial:
    """One property of a source, and mutants of its cores and of what joins them; see `Trial`."""
    (one,) = (one for one in properties_of_source(shape) if one.name == prop)
    checker = f"check_{prop}"
    # The parts of the flat design: the source, and its checkers.
    parted = [
        f"rename {top_name(shape)}_proof spec",
        "cd spec",
        "submod -name spec.core c:*source.*",
        "rename spec.core core",
        f"submod -name spec.{checker} c:core %n",
        f"rename spec.{checker} {checker}",
        "cd ..",
    ]
    text = _read(shape, {prop}, "FROM_ANY_STEP" if one.of_setup else "", parted)
    mutable = MutableCore(text, folder, {}, [prop], shows=traces is not None)
    return Trial(mutable, prop, _CYCLES, top_name(shape), traces)


def _read(shape: PrngShape, names: set[str], defined: str = "", further: Sequence[str] = ()) -> str:
    """The RTLIL of a source, with the assertions of these names alone, behind further passes."""
    core = PrngCore(shape.facts)
    files = prng_files(shape, core) | {properties_file(shape): prng_properties(shape)}
    kept = " ".join(f"c:properties.{name} %d" for name in (*sorted(names), "begins"))
    # Assertions at a clock edge are of values before it: those of the cycle.
    selected = [f"delete t:$check {kept}", "setparam -set TRG_ENABLE 0 t:$check"]
    with private_folder() as folder:
        for name, text in files.items():
            (folder / name).write_text(text)
        passes = [*proof_passes(shape, defined), *selected, *further, "write_rtlil read.il"]
        run_yosys(passes, folder)
        return (folder / "read.il").read_text()
