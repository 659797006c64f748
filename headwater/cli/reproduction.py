# SPDX-License-Identifier: Apache-2.0
"""The verb `reproduce`."""

from __future__ import annotations

import argparse

from headwater.api.reproduction import Reproduced, Request, lookup_in
from headwater.cli.checking import run_check
from headwater.cli.measurables import measure_all, say_origin
from headwater.cli.output import print_json, say, warn
from headwater.cli.progress import check_crew, say_estimate, store_for
from headwater.cli.rows import print_named, table_format
from headwater.errors import InputError
from headwater.measure.layers import LayeredStore
from headwater.measure.point import DesignPoint
from headwater.report.formats import as_csv
from headwater.report.reproduce.text import as_json, as_text, pairs_table


def run_reproduce(args: argparse.Namespace) -> int:
    """`headwater reproduce`: measures missing points first, unless told not to."""
    check_crew(args)
    if args.subset and not args.check:
        raise InputError("--subset must go with --check")
    wanted = request_of(args)
    if args.check:
        return run_check(wanted, args)
    with store_for(args) as store:
        if args.dry_run:
            return _dry_run(wanted, store, args)
        failures = [] if args.stored else measure_all(wanted.needed(), store, args)
        reproduced = wanted.made(store)
        say_origin(wanted.needed(), store)
    for failure in dict.fromkeys(failures):
        warn(failure)
    _print(reproduced, args)
    return 2 if failures else 0


def request_of(args: argparse.Namespace) -> Request:
    """What the arguments ask for."""
    return Request.of(
        args.paper,
        args.table,
        args.slices,
        args.fpga,
        args.cells,
        args.fast,
        args.low_leakage,
        layout=args.layout,
        measure=not args.stored,
    )


def _dry_run(wanted: Request, store: LayeredStore, args: argparse.Namespace) -> int:
    """Name what is not stored, and say how long it would take."""
    every, lookup = wanted.needed(), lookup_in(store)
    missing = [one for one in every if not lookup(one)]
    print_named(args, missing)
    say(f"{len(every) - len(missing)} of {len(every)} points and systems are stored")
    say_estimate([one for one in missing if isinstance(one, DesignPoint)], store, args.jobs)
    return 0


def _print(reproduced: Reproduced, args: argparse.Namespace) -> None:
    if args.format == "json":
        print_json([as_json(one) for one in reproduced.papers])
    elif args.format == "csv":
        print(as_csv([pairs_table(reproduced.papers)]))
    else:
        print("\n\n".join(as_text(one, table_format(args)) for one in reproduced.papers))
