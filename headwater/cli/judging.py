# SPDX-License-Identifier: Apache-2.0
"""The verb `bench`: cores that others wrote."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from headwater.api.judging import bench, bench_list
from headwater.cli.output import print_json, say
from headwater.cli.rows import terminal_width
from headwater.errors import InputError
from headwater.foreign.verdict import Verdict
from headwater.report.foreign import NOTE, beside_tables
from headwater.report.table import as_text


def run_bench(given: argparse.Namespace) -> int:
    """`headwater bench`: exit status 1 if a core is not shown to be the cipher."""
    limit = {} if given.time_limit is None else {"limit_s": given.time_limit}
    others: dict[str, Any] = {
        "targets": given.target.split(",") if given.target is not None else [],
        "compare": given.compare,
        "jobs": given.jobs,
        "store": given.store,
        "tell": say,
        **limit,
    }
    if given.list:
        return _of_list(given, others)
    if given.sources or given.only:
        raise InputError("--sources and --only must come with --list")
    if not given.cipher:
        raise InputError("bench must be given --cipher, or a --list")
    verdict = bench(
        [Path(name) for name in given.files],
        given.cipher,
        ports=given.ports,
        name=given.name,
        **others,
    )
    if given.json:
        print_json(verdict.as_json())
    else:
        print(*verdict.lines(), sep="\n")
        _print_beside(verdict)
    return 0 if verdict.passes else 1


def _of_list(given: argparse.Namespace, others: dict[str, Any]) -> int:
    """A line for each core of a list as soon as it is known; or all as JSON."""
    if given.files or given.cipher or given.ports or given.name:
        raise InputError("--list must come without files, --cipher, --ports and --name: it has all")
    if not given.sources:
        raise InputError("--list must come with --sources, the folder of the work trees")
    found = {}
    for name, one in bench_list(given.list, given.sources, only=given.only, **others):
        found[name] = one
        if not given.json:
            said = one.badge if isinstance(one, Verdict) else f"cannot be read: {one}"
            print(f"{name}: {said}", flush=True)
            if isinstance(one, Verdict):
                _print_beside(one)
    if given.json:
        print_json(
            {
                name: one.as_json() if isinstance(one, Verdict) else {"error": str(one)}
                for name, one in found.items()
            }
        )
    return 0 if all(isinstance(one, Verdict) and one.passes for one in found.values()) else 1


def _print_beside(verdict: Verdict) -> None:
    if not verdict.beside:
        return
    tables = beside_tables(verdict.figures, verdict.beside)
    for record, table in zip(verdict.figures, tables, strict=True):
        print(f"\non {record['target']}\n{as_text(table, terminal_width())}")
    print(f"\n{NOTE}")
