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


def run_bench(args: argparse.Namespace) -> int:
    """`headwater bench`: exit status 1 if a core is not shown to be the cipher."""
    limit = {} if args.time_limit is None else {"limit_s": args.time_limit}
    others: dict[str, Any] = {
        "targets": args.target.split(",") if args.target is not None else [],
        "compare": args.compare,
        "jobs": args.jobs,
        "store": args.store,
        "tell": say,
        **limit,
    }
    if args.list:
        return _of_list(args, others)
    if args.sources or args.only:
        raise InputError("--sources and --only must come with --list")
    if not args.cipher:
        raise InputError("bench must be given --cipher, or a --list")
    verdict = bench(
        [Path(name) for name in args.files],
        args.cipher,
        ports=args.ports,
        name=args.name,
        **others,
    )
    if args.json:
        print_json(verdict.as_json())
    else:
        print(*verdict.lines(), sep="\n")
        _print_beside(verdict)
    return 0 if verdict.passes else 1


def _of_list(args: argparse.Namespace, others: dict[str, Any]) -> int:
    """A line for each core of a list as soon as it is known; or all as JSON."""
    if args.files or args.cipher or args.ports or args.name:
        raise InputError("--list must come without files, --cipher, --ports and --name: it has all")
    if not args.sources:
        raise InputError("--list must come with --sources, the folder of the work trees")
    verdicts = {}
    for name, one in bench_list(args.list, args.sources, only=args.only, **others):
        verdicts[name] = one
        if not args.json:
            said = one.badge if isinstance(one, Verdict) else f"cannot be read: {one}"
            print(f"{name}: {said}", flush=True)
            if isinstance(one, Verdict):
                _print_beside(one)
    if args.json:
        print_json(
            {
                name: one.as_json() if isinstance(one, Verdict) else {"error": str(one)}
                for name, one in verdicts.items()
            }
        )
    return 0 if all(isinstance(one, Verdict) and one.passes for one in verdicts.values()) else 1


def _print_beside(verdict: Verdict) -> None:
    if not verdict.beside:
        return
    tables = beside_tables(verdict.figures, verdict.beside)
    for record, table in zip(verdict.figures, tables, strict=True):
        print(f"\non {record['target']}\n{as_text(table, terminal_width())}")
    print(f"\n{NOTE}")
