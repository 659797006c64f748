# SPDX-License-Identifier: Apache-2.0
"""The verb `verify`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from headwater.api.verification import Checks, Request
from headwater.cipher.catalogue import find
from headwater.cipher.description import Cipher
from headwater.cli.arguments import (
    architecture,
    asked_radices,
    cipher_of,
    only_with,
    only_without,
    options,
    radices,
    refuse_others,
)
from headwater.cli.mutation import COLUMNS as MUTANT_COLUMNS
from headwater.cli.mutation import EACH_COLUMNS, run_each, run_mutants
from headwater.cli.output import say
from headwater.cli.prng import random_bits_of, refuse_without_random_bits
from headwater.cli.properties import COLUMNS as PROPERTY_COLUMNS
from headwater.cli.properties import run_properties
from headwater.cli.rows import check_columns, print_rows
from headwater.core.architecture import Architecture
from headwater.errors import InputError, at_least
from headwater.files import check_folder
from headwater.measure import target
from headwater.measure.masked import check_masked_netlist, mapped_text
from headwater.measure.netlist import check_netlist, read_netlist
from headwater.measure.target import AsicTarget
from headwater.report.table import Table
from headwater.verify.record import Record
from headwater.verify.vector_files import looked_for

_OF_NETLIST = ("target", "liberty", "clock_gating")
"""What goes with a netlist alone."""


def run_verify(args: argparse.Namespace) -> int:
    """`headwater verify`: fails if a check failed or if an engine ran no check."""
    _check_words(args)
    if args.properties:
        return run_properties(args)
    if args.each:
        return run_each(args)
    if args.random_bits is not None:
        return run_verify_prng(args)
    if args.mutants is not None:
        return run_mutants(args)
    if args.netlist is not None:
        return run_verify_netlist(args)
    only_with(args, "--netlist, the netlist that is verified", _OF_NETLIST)
    request = _request_of(args)
    checks, printed = Checks(), []
    for of, record in request.records():
        say(_line(record))
        checks.append(record)
        printed.append(record.as_json(of.name))
    print_rows(args, [_table(checks)], printed)
    for where in checks.idle:
        say(f"no vector was checked{where}: {_why_none(request.cipher, checks)}")
    return 0 if checks.passed else 1


def _check_words(args: argparse.Namespace) -> None:
    """Refuse words that do not go together."""
    check_columns(args, _columns_of(args))
    if not args.prove and args.mutants is None:
        only_with(args, "--prove or --mutants: it is about proofs", ["traces"])
    if not args.prove and not args.each:
        only_with(args, "--prove or --each: it is about proofs", ["jobs"])
    if args.traces is not None:
        check_folder(args.traces)
    if args.jobs is not None:
        at_least(1, "jobs", args.jobs)
    if args.mutants is None:
        only_with(args, "--mutants: it is of their changes", ["seed", "each"])
    if args.random_bits is None:
        refuse_without_random_bits(args)
    if args.masking is not None:
        only_without(
            args,
            "--masking: what is shown of a masked core is not chosen",
            ["random_bits", "properties", "mutants", "prove"],
        )


def _request_of(args: argparse.Namespace) -> Request:
    """The checks of vectors and proofs that are asked for."""
    cipher = find(args.cipher)
    chosen = None if args.radix is None else radices(cipher_of(args.cipher, args), args.radix)
    return Request(
        cipher,
        chosen,
        args.load_width,
        options(args.option),
        args.vectors or (),
        args.engine,
        args.prove,
        say,
        args.traces,
        args.jobs or 1,
        args.masking,
    )


def _columns_of(args: argparse.Namespace) -> Sequence[str]:
    if args.properties:
        return PROPERTY_COLUMNS
    if args.mutants:
        return EACH_COLUMNS if args.each else MUTANT_COLUMNS
    return _COLUMNS


def run_verify_prng(args: argparse.Namespace) -> int:
    """`headwater verify --random-bits`: fails if the Verilog is not the model, cycle by cycle, or
    a proof fails."""
    only_without(args, "--random-bits: it is for cores alone", ("mutants", *_OF_NETLIST))
    made, records = random_bits_of(args), []
    for record in made.checks(prove=args.prove, traces=args.traces):
        say(_line(record))
        records.append(record)
    named = made.shape.cipher.name
    print_rows(args, [_table(records)], [record.as_json(named) for record in records])
    return 1 if any(record.failed for record in records) else 0


def run_verify_netlist(args: argparse.Namespace) -> int:
    """`headwater verify --netlist`: fails if the netlist differs from the core's Verilog."""
    refuse_others(args, "netlist", ("vectors", "prove", "engine"))
    cipher, where = cipher_of(args.cipher, args), _library_of(args)
    if args.masking is not None:
        only_without(
            args, "--masking: a netlist with clock gates cannot be judged yet", ["clock_gating"]
        )
    cores = [architecture(cipher, args, radix) for radix in asked_radices(cipher, args)]
    gating = "none" if args.clock_gating is None else args.clock_gating
    if args.netlist and len(cores) > 1:
        raise InputError(f"--netlist FILE must come with one radix, not {len(cores)}")
    records = []
    for core in cores:
        for record in _checks_of_netlist(cipher, core, where, args.netlist or None, gating):
            say(_line(record))
            records.append(record)
    print_rows(args, [_table(records)], [record.as_json(cipher.name) for record in records])
    return 1 if any(record.failed for record in records) else 0


def _checks_of_netlist(
    cipher: Cipher, core: Architecture, where: AsicTarget, file: str | None, gating: str
) -> Iterator[Record]:
    """Whether a netlist is its core, and of one in shares whether it keeps them apart. Without a
    file it is mapped here; one in shares once for both checks."""
    text = read_netlist(Path(file)) if file else None
    if core.is_masked and text is None:
        text = mapped_text(cipher, core, where)
    yield check_netlist(cipher, core, where, netlist=text, file=file, clock_gating=gating)
    if core.is_masked and text is not None:
        yield check_masked_netlist(cipher, core, where, text=text, file=file)


def _library_of(args: argparse.Namespace) -> AsicTarget:
    """The cell library of a netlist."""
    if bool(args.target) == bool(args.liberty):
        raise InputError(
            "--netlist must come with the netlist's library: either --target NAME or --liberty FILE"
        )
    where = target.find(args.target) if args.target else target.from_liberty(Path(args.liberty))
    if not isinstance(where, AsicTarget):
        raise InputError(f"target must be a standard-cell library, not {where.name}")
    return where


def _why_none(cipher: Cipher, checks: Checks) -> str:
    """Why no vector was checked."""
    if any(record.check == "vectors" for record in checks):
        return "every one was skipped or failed"
    return f"there is no file {' or '.join(map(str, looked_for(cipher)))}"


def _line(record: Record) -> str:
    where = f" at {record.architecture}" if record.architecture else ""
    line = f"{record.check} ({record.engine}){where}: {record.passed} passed"
    if record.failed:
        line += f", {record.failed} FAILED: {record.failures[0]}"
    for reason, count in record.skip_reasons.items():
        line += f", {count} skipped ({reason})"
    return line


_COLUMNS = ("check", "engine", "file", "radix", "load", "passed", "failed", "skipped")


def _table(records: Sequence[Record]) -> Table:
    rows = [
        (
            record.check,
            record.engine,
            record.file or "",
            record.architecture and record.architecture.radix,
            record.architecture and record.architecture.load_width,
            record.passed,
            record.failed,
            record.skipped,
        )
        for record in records
    ]
    return Table(_COLUMNS, rows)
