# SPDX-License-Identifier: Apache-2.0
"""The verb `reproduce`."""

from __future__ import annotations

import argparse

from headwater.api.reproduction import Reproduced, Request, lookup_in
from headwater.api.systems import simulated
from headwater.bench.point import DesignPoint
from headwater.bench.store import Store, open_store, read_store
from headwater.cli.output import print_json, say, warn
from headwater.cli.progress import measured, say_estimate
from headwater.cli.rows import table_format
from headwater.errors import at_least
from headwater.report.formats import as_csv
from headwater.report.reproduce.text import as_json, as_text, pairs_table


def run_reproduce(given: argparse.Namespace) -> int:
    """`headwater reproduce`: measures missing points first, unless told not to."""
    at_least(1, "jobs", given.jobs)
    wanted = Request.of(given.paper, given.table, given.slices, given.fpga, given.cells,
                        given.fast, given.low_leakage)  # fmt: skip
    with (read_store if given.stored or given.dry_run else open_store)(given.store) as store:
        if given.dry_run:
            return _dry_run(wanted, store, given.jobs)
        failures = [] if given.stored else _measure(wanted, store, given)
        made = wanted.made(store)
    for failure in dict.fromkeys(failures):
        warn(failure)
    _print(made, given)
    return 2 if failures else 0


def _dry_run(wanted: Request, store: Store, jobs: int) -> int:
    """Name what is not stored, and say how long it would take."""
    every, found = wanted.needed(), lookup_in(store)
    missing = [one for one in every if not found(one)]
    for one in missing:
        print(one)
    say(f"{len(every) - len(missing)} of {len(every)} points and systems are stored")
    say_estimate([one for one in missing if isinstance(one, DesignPoint)], store, jobs)
    return 0


def _measure(wanted: Request, store: Store, given: argparse.Namespace) -> list[str]:
    """Measure what is not stored; why it could not be done."""
    outcomes = list(measured(wanted.points, store, given))
    failures = [outcome.reason for outcome in outcomes if outcome.record is None]
    return [*failures, *simulated(wanted.systems, store, told=say).failures]


def _print(made: Reproduced, given: argparse.Namespace) -> None:
    if given.format == "json":
        print_json([as_json(one) for one in made.papers])
    elif given.format == "csv":
        print(as_csv([pairs_table(made.papers)]))
    else:
        print("\n\n".join(as_text(one, table_format(given)) for one in made.papers))
