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


def run_reproduce(given: argparse.Namespace) -> int:
    """`headwater reproduce`: measures missing points first, unless told not to."""
    check_crew(given)
    if given.subset and not given.check:
        raise InputError("--subset must go with --check")
    wanted = request_of(given)
    if given.check:
        return run_check(wanted, given)
    with store_for(given) as store:
        if given.dry_run:
            return _dry_run(wanted, store, given)
        failures = [] if given.stored else measure_all(wanted.needed(), store, given)
        made = wanted.made(store)
        say_origin(wanted.needed(), store)
    for failure in dict.fromkeys(failures):
        warn(failure)
    _print(made, given)
    return 2 if failures else 0


def request_of(given: argparse.Namespace) -> Request:
    """What the arguments ask for."""
    return Request.of(
        given.paper,
        given.table,
        given.slices,
        given.fpga,
        given.cells,
        given.fast,
        given.low_leakage,
        layout=given.layout,
        measure=not given.stored,
    )


def _dry_run(wanted: Request, store: LayeredStore, given: argparse.Namespace) -> int:
    """Name what is not stored, and say how long it would take."""
    every, found = wanted.needed(), lookup_in(store)
    missing = [one for one in every if not found(one)]
    print_named(given, missing)
    say(f"{len(every) - len(missing)} of {len(every)} points and systems are stored")
    say_estimate([one for one in missing if isinstance(one, DesignPoint)], store, given.jobs)
    return 0


def _print(made: Reproduced, given: argparse.Namespace) -> None:
    if given.format == "json":
        print_json([as_json(one) for one in made.papers])
    elif given.format == "csv":
        print(as_csv([pairs_table(made.papers)]))
    else:
        print("\n\n".join(as_text(one, table_format(given)) for one in made.papers))
