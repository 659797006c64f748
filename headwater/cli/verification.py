# SPDX-License-Identifier: Apache-2.0
"""The verb `verify`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
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


def run_verify(given: argparse.Namespace) -> int:
    """`headwater verify`: fails if a check failed or if an engine ran no check."""
    check_columns(given, _columns_of(given))
    if not given.prove and given.mutants is None:
        only_with(given, "--prove or --mutants: it is about proofs", ["traces"])
    if not given.prove and not given.each:
        only_with(given, "--prove or --each: it is about proofs", ["jobs"])
    if given.traces is not None:
        check_folder(given.traces)
    if given.jobs is not None:
        at_least(1, "jobs", given.jobs)
    if given.mutants is None:
        only_with(given, "--mutants: it is of their changes", ["seed", "each"])
    if given.random_bits is None:
        refuse_without_random_bits(given)
    if given.masking is not None:
        only_without(
            given,
            "--masking: what is shown of a masked core is not chosen",
            ["random_bits", "properties", "mutants", "prove"],
        )
    if given.properties:
        return run_properties(given)
    if given.each:
        return run_each(given)
    if given.random_bits is not None:
        return run_verify_prng(given)
    if given.mutants is not None:
        return run_mutants(given)
    if given.netlist is not None:
        return run_verify_netlist(given)
    only_with(given, "--netlist, the netlist that is verified", _OF_NETLIST)
    cipher = find(given.cipher)
    chosen = None if given.radix is None else radices(cipher_of(given.cipher, given), given.radix)
    request = Request(
        cipher,
        chosen,
        given.load_width,
        options(given.option),
        given.vectors or (),
        given.engine,
        given.prove,
        say,
        given.traces,
        given.jobs or 1,
        given.masking,
    )
    checks, printed = Checks(), []
    for of, record in request.records():
        say(_line(record))
        checks.append(record)
        printed.append(record.as_json(of.name))
    print_rows(given, [_table(checks)], printed)
    for where in checks.idle:
        say(f"no vector was checked{where}: {_why_none(cipher, checks)}")
    return 0 if checks.passed else 1


def _columns_of(given: argparse.Namespace) -> Sequence[str]:
    if given.properties:
        return PROPERTY_COLUMNS
    if given.mutants:
        return EACH_COLUMNS if given.each else MUTANT_COLUMNS
    return _COLUMNS


def run_verify_prng(given: argparse.Namespace) -> int:
    """`headwater verify --random-bits`: fails if the Verilog is not the model, cycle by cycle, or
    a proof fails."""
    only_without(given, "--random-bits: it is for cores alone", ("mutants", *_OF_NETLIST))
    made, records = random_bits_of(given), []
    for record in made.checks(prove=given.prove, traces=given.traces):
        say(_line(record))
        records.append(record)
    named = made.shape.cipher.name
    print_rows(given, [_table(records)], [record.as_json(named) for record in records])
    return 1 if any(record.failed for record in records) else 0


def run_verify_netlist(given: argparse.Namespace) -> int:
    """`headwater verify --netlist`: fails if the netlist differs from the core's Verilog."""
    refuse_others(given, "netlist", ("vectors", "prove", "engine"))
    cipher, where = cipher_of(given.cipher, given), _library_of(given)
    if given.masking is not None:
        only_without(
            given, "--masking: a netlist with clock gates cannot be judged yet", ["clock_gating"]
        )
    cores = [architecture(cipher, given, radix) for radix in asked_radices(cipher, given)]
    gating = "none" if given.clock_gating is None else given.clock_gating
    if given.netlist and len(cores) > 1:
        raise InputError(f"--netlist FILE must come with one radix, not {len(cores)}")
    text = read_netlist(Path(given.netlist)) if given.netlist else None
    records = []
    for one in cores:
        mapped = text
        if one.is_masked and text is None:
            mapped = mapped_text(cipher, one, where)
        record = check_netlist(
            cipher, one, where, netlist=mapped, file=given.netlist or None, clock_gating=gating
        )
        several = [record]
        if one.is_masked and mapped is not None:
            several.append(
                check_masked_netlist(cipher, one, where, text=mapped, file=given.netlist or None)
            )
        for each in several:
            say(_line(each))
        records += several
    print_rows(given, [_table(records)], [record.as_json(cipher.name) for record in records])
    return 1 if any(record.failed for record in records) else 0


def _library_of(given: argparse.Namespace) -> AsicTarget:
    """The cell library of a netlist."""
    if bool(given.target) == bool(given.liberty):
        raise InputError(
            "--netlist must come with the netlist's library: either --target NAME or --liberty FILE"
        )
    where = target.find(given.target) if given.target else target.from_liberty(Path(given.liberty))
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
