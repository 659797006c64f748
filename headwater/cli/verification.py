# SPDX-License-Identifier: Apache-2.0
"""The verb `verify`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from headwater.cipher.catalogue import find
from headwater.cipher.description import ShiftRegisterCipher
from headwater.cli.arguments import architecture, radices
from headwater.cli.output import print_json, say
from headwater.core.architecture import Architecture
from headwater.report.table import text_table
from headwater.verify.check import check_lint, check_vectors
from headwater.verify.engine import ModelEngine, RtlEngine
from headwater.verify.proof import prove
from headwater.verify.record import Record
from headwater.verify.vectors import VectorFile, own_files, read_file


def run_verify(given: argparse.Namespace) -> int:
    """`headwater verify`: fails if a check failed or if nothing could be checked."""
    cipher = find(given.cipher)
    chosen = [architecture(cipher, given, radix) for radix in radices(cipher, given.radix)]
    paths = [Path(name) for name in given.vectors] if given.vectors else own_files(cipher)
    files = [read_file(path, cipher) for path in paths]
    records = []
    for record in _records(cipher, chosen, files, given.prove):
        say(_line(record))
        records.append(record)
    if given.json:
        print_json([record.as_json(cipher.name) for record in records])
    else:
        print(_table(records))
    nothing = not any(record.passed for record in records if record.check == "vectors")
    if nothing:
        say("no vector was checked: every one was skipped or failed")
    return 1 if nothing or any(record.failed for record in records) else 0


def _records(
    cipher: ShiftRegisterCipher,
    chosen: list[Architecture],
    files: list[VectorFile],
    with_proofs: bool,
) -> Iterator[Record]:
    for file in files:
        yield check_vectors(file, ModelEngine(cipher))
    for one in chosen:
        yield check_lint(cipher, one)
        engine = RtlEngine(cipher, one)
        for file in files:
            yield check_vectors(file, engine, one)
        if with_proofs:
            yield from prove(cipher, one)


def _line(record: Record) -> str:
    where = f" at {record.architecture}" if record.architecture else ""
    line = f"{record.check} ({record.engine}){where}: {record.passed} passed"
    if record.failed:
        line += f", {record.failed} FAILED: {record.failures[0]}"
    for reason, count in record.skip_reasons.items():
        line += f", {count} skipped ({reason})"
    return line


def _table(records: list[Record]) -> str:
    columns = ("check", "engine", "file", "radix", "load", "passed", "failed", "skipped")
    return text_table(
        columns,
        (
            (record.check, record.engine, record.file or "",
             record.architecture and record.architecture.radix,
             record.architecture and record.architecture.load_width,
             record.passed, record.failed, record.skipped)
            for record in records
        ),
    )  # fmt: skip
