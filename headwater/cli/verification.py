# SPDX-License-Identifier: Apache-2.0
"""The verb `verify`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from headwater.bench import target
from headwater.bench.netlist import check_netlist, read_netlist
from headwater.bench.target import AsicTarget
from headwater.cipher.description import Cipher
from headwater.cli.arguments import architecture, cipher_of, fixed_parameters, radices
from headwater.cli.output import say
from headwater.cli.rows import print_rows
from headwater.core.architecture import Architecture
from headwater.emit.c_model import c_radix
from headwater.errors import InputError, ToolError, unknown
from headwater.flow.c_library import c_compiler
from headwater.report.table import Table
from headwater.verify.c_engine import CEngine
from headwater.verify.check import check_lint, check_vectors, combined, skip_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import prove
from headwater.verify.record import Record
from headwater.verify.vector_files import VectorFile, own_files, read_variants

_GENERATED: Mapping[str, type[RtlEngine | CEngine]] = {
    RtlEngine.name: RtlEngine,
    CEngine.name: CEngine,
}
"""Engines that run what is generated."""


def run_verify(given: argparse.Namespace) -> int:
    """`headwater verify`: fails if a check failed or if an engine ran no check."""
    if given.netlist is not None:
        return run_verify_netlist(given)
    for name in ("target", "liberty"):
        if getattr(given, name):
            raise InputError(f"--{name} must come with --netlist, the netlist that is verified")
    engines = _engines(given)
    cipher = cipher_of(given.cipher, given)
    legal = {engine: _radices(cipher, engine, given) for engine in engines}
    for radix in {radix: None for several in legal.values() for radix in several}:
        architecture(cipher, given, radix)
    paths = [Path(name) for name in given.vectors] if given.vectors else own_files(cipher)
    files = [read_variants(path, cipher, fixed_parameters(cipher, given)) for path in paths]
    cores = {engine: [(variant, architecture(variant, given, radix))
                      for radix in several for variant in _variants(cipher, files)]
             for engine, several in legal.items()}  # fmt: skip
    records = []
    printed = []
    for of, record in _records(cores, files, given):
        say(_line(record))
        records.append(record)
        printed.append(record.as_json(of.name))
    print_rows(given, [_table(records)], printed)
    idle = _idle(records)
    for where in idle:
        say(f"no vector was checked{where}: every one was skipped or failed")
    return 1 if idle or any(record.failed for record in records) else 0


def run_verify_netlist(given: argparse.Namespace) -> int:
    """`headwater verify --netlist`: fails if the netlist differs from the core's Verilog."""
    if given.vectors or given.prove:
        raise InputError("--netlist must come without --vectors and --prove")
    cipher, where = cipher_of(given.cipher, given), _library_of(given)
    cores = [architecture(cipher, given, radix)
             for radix in radices(cipher, given.radix or str(cipher.default_radix))]  # fmt: skip
    if given.netlist and len(cores) > 1:
        raise InputError(f"--netlist FILE must come with one radix, not {len(cores)}")
    text = read_netlist(Path(given.netlist)) if given.netlist else None
    records = []
    for one in cores:
        record = check_netlist(cipher, one, where, netlist=text, file=given.netlist or None,
                               clock_gating=given.clock_gating)  # fmt: skip
        say(_line(record))
        records.append(record)
    print_rows(given, [_table(records)], [record.as_json(cipher.name) for record in records])
    return 1 if any(record.failed for record in records) else 0


def _library_of(given: argparse.Namespace) -> AsicTarget:
    """The cell library of a netlist."""
    if bool(given.target) == bool(given.liberty):
        raise InputError("--netlist must come with the netlist's library: either --target NAME or "
                         "--liberty FILE")  # fmt: skip
    where = target.find(given.target) if given.target else target.from_liberty(Path(given.liberty))
    if not isinstance(where, AsicTarget):
        raise InputError(f"target must be a standard-cell library, not {where.name}")
    return where


def _engines(given: argparse.Namespace) -> tuple[str, ...]:
    """The engines that run the vectors: all that can, unless one is given."""
    if given.engine is None:
        return ModelEngine.name, RtlEngine.name, *_c_engine()
    legal = (ModelEngine.name, *_GENERATED)
    if given.engine not in legal:
        raise unknown("engine", given.engine, legal)
    if given.prove and given.engine != RtlEngine.name:
        raise InputError(f"--prove must come with the engine rtl, not {given.engine}")
    return (given.engine,)


def _c_engine() -> tuple[str, ...]:
    """The engine that runs the generated C, where there is a compiler; says where there is none."""
    try:
        c_compiler()
    except ToolError as error:
        say(f"vectors ({CEngine.name}): not run, as {error}")
        return ()
    return (CEngine.name,)


def _radices(cipher: Cipher, engine: str, given: argparse.Namespace) -> list[int]:
    """The radices that an engine runs at. The C is made at its own, unless some are given."""
    if engine == CEngine.name and given.radix is None:
        return [c_radix(cipher)]
    return radices(cipher, given.radix)


def _records(
    cores: Mapping[str, list[tuple[Cipher, Architecture]]],
    files: list[list[VectorFile]],
    given: argparse.Namespace,
) -> Iterator[tuple[Cipher, Record]]:
    """Every check, with its cipher. ``cores`` are those of each engine."""
    if ModelEngine.name in cores:
        for parts in files:
            records = [check_vectors(part, ModelEngine(part.cipher)) for part in parts]
            yield parts[0].cipher, combined(records)
    every = [part for parts in files for part in parts]
    for engine in [name for name in cores if name in _GENERATED]:
        for variant, one in cores[engine]:
            if engine == RtlEngine.name:
                yield variant, check_lint(variant, one)
            made: dict[str, RtlEngine | CEngine] = {}
            for file in every:
                if file.cipher == variant or file.cipher.name != variant.name:
                    yield file.cipher, _check_generated(engine, file, variant, one, given, made)
            if given.prove and engine == RtlEngine.name:
                for record in prove(variant, one):
                    yield variant, record


def _variants(cipher: Cipher, files: list[list[VectorFile]]) -> list[Cipher]:
    """The variants of the cipher that have vectors; each has its own core."""
    named = [part.cipher for parts in files for part in parts if part.cipher.name == cipher.name]
    return list(dict.fromkeys(named)) or [cipher]


def _check_generated(
    engine: str,
    file: VectorFile,
    asked_for: Cipher,
    one: Architecture,
    given: argparse.Namespace,
    made: dict[str, RtlEngine | CEngine],
) -> Record:
    """Run the vectors of one file in what is generated of their cipher.

    A variant with authentication runs at the requested radix; where that is not legal for it, its
    vectors are skipped.
    """
    if file.cipher.name != asked_for.name:
        own = engine == CEngine.name and given.radix is None
        try:
            one = architecture(file.cipher, given, c_radix(file.cipher) if own else one.radix)
        except InputError as error:
            return skip_vectors(file, engine, one, str(error))
    if file.cipher.name not in made:
        made[file.cipher.name] = _GENERATED[engine](file.cipher, one)
    return check_vectors(file, made[file.cipher.name], one)


def _idle(records: list[Record]) -> list[str]:
    """Where no vector was checked: one line for all places if it was so everywhere."""
    passed: Counter[str] = Counter()
    for record in records:
        if record.check == "vectors":
            radix = f" at radix {record.architecture.radix}" if record.architecture else ""
            passed[f" by the {record.engine}{radix}"] += record.passed
    return [where for where, count in passed.items() if not count] if any(passed.values()) else [""]


def _line(record: Record) -> str:
    where = f" at {record.architecture}" if record.architecture else ""
    line = f"{record.check} ({record.engine}){where}: {record.passed} passed"
    if record.failed:
        line += f", {record.failed} FAILED: {record.failures[0]}"
    for reason, count in record.skip_reasons.items():
        line += f", {count} skipped ({reason})"
    return line


_COLUMNS = ("check", "engine", "file", "radix", "load", "passed", "failed", "skipped")


def _table(records: list[Record]) -> Table:
    rows = [
        (record.check, record.engine, record.file or "",
         record.architecture and record.architecture.radix,
         record.architecture and record.architecture.load_width,
         record.passed, record.failed, record.skipped)
        for record in records
    ]  # fmt: skip
    return Table(_COLUMNS, rows)
