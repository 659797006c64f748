# SPDX-License-Identifier: Apache-2.0
"""`headwater reproduce --check`: figures are measured here, and compared with the reference."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from headwater.api.reproduction import Request, lookup_in
from headwater.cli.measurables import entry_of, measure_all
from headwater.cli.output import in_words, print_json, say, warn
from headwater.cli.rows import print_named, table_format
from headwater.measure.layers import STALE, LayeredStore
from headwater.measure.reference import Reference, the_reference
from headwater.measure.store import empty_store, open_store, read_store
from headwater.report.formats import as_csv
from headwater.report.reproduce.check import DIFFERS, TOLERANCES, TableVerdict, check_paper
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.papers import Lookup, needed, reproduce_paper
from headwater.report.table import Table

_PROSE = 80
"""Width of what is said below the tables."""

_QUICK_S = 200.0
"""Time for each paper in the quick subset, as long as its points took for the reference; five
papers take less than ten minutes on two processors."""


def run_check(request: Request, args: argparse.Namespace) -> int:
    """Exit status 1 if a figure differs by more than is allowed, 2 if one could not be measured."""
    opened = partial(read_store, planned=True) if args.dry_run else open_store
    with empty_store() as nothing, opened(args.store) as store:
        reference, here = LayeredStore(nothing, the_reference()), LayeredStore(store, Reference())
        wanted = _wanted(request, reference, args)
        missing = [one for one in wanted if not lookup_in(here)(one)]
        _say_time(len(wanted), missing, reference, args.jobs)
        if args.dry_run:
            print_named(args, missing)
            return 0
        for failure in [] if args.stored else measure_all(missing, here, args):
            warn(failure)
        before, after = (_among(wanted, lookup_in(one)) for one in (reference, here))
        verdicts = [
            verdict
            for one in request.papers
            for verdict in check_paper(
                *(
                    reproduce_paper(one, request.targets, each, args.table)
                    for each in (before, after)
                )
            )
        ]
        _say_changed(wanted, LayeredStore(store, the_reference()))
    _print(verdicts, args)
    if any(one.verdict == DIFFERS for one in verdicts):
        return 1
    compared = any(one.compared for one in verdicts)
    return 2 if any(one.missing for one in verdicts) or not compared else 0


def _wanted(
    request: Request, reference: LayeredStore, args: argparse.Namespace
) -> list[Measurable]:
    """What is measured, of all that the reference has: each once."""
    items: dict[Measurable, None] = {}
    for one in request.papers:
        names = one.tables if args.table is None else [args.table]
        tables = [
            [
                it
                for it in needed(one, request.targets, name, for_claims=False)
                if entry_of(it, reference)
            ]
            for name in names
        ]
        if args.subset == "quick":
            items |= dict.fromkeys(_quick(tables, reference))
        else:
            items |= dict.fromkeys(it for points in tables for it in points)
    return list(items)


def _quick(tables: Sequence[Sequence[Measurable]], reference: LayeredStore) -> list[Measurable]:
    """Of the points of each table of a paper the quickest, then the quickest of all others."""

    def seconds(one: Measurable) -> float:
        return _seconds(one, reference)

    firsts = [min(points, key=seconds) for points in tables if points]
    others = [one for points in tables for one in points]
    left, chosen = _QUICK_S, []
    for one in dict.fromkeys([*sorted(firsts, key=seconds), *sorted(others, key=seconds)]):
        if seconds(one) <= left:
            left -= seconds(one)
            chosen.append(one)
    return chosen


def _seconds(one: Measurable, reference: LayeredStore) -> float:
    entry = entry_of(one, reference)
    return entry.result.seconds if entry else 0.0


def _say_time(
    number: int, missing: Sequence[Measurable], reference: LayeredStore, jobs: int
) -> None:
    seconds = sum(_seconds(one, reference) for one in missing)
    say(
        f"{number} points and systems are compared; {len(missing)} of them must be measured first: "
        f"about {in_words(seconds / jobs)}, {jobs} at a time, on the machine of the reference"
    )


def _among(wanted: Sequence[Measurable], lookup: Lookup) -> Lookup:
    """The figures of these points alone."""
    among = set(wanted)
    return lambda one: lookup(one) if one in among else None


def _say_changed(wanted: Sequence[Measurable], store: LayeredStore) -> None:
    """Name the circuits that are not the ones that the reference was measured with."""
    for one in wanted:
        entry = entry_of(one, store)
        if entry and store.state(entry, one.cipher, one.architecture) == STALE:
            say(f"the circuit of {one} is not the one that the reference was measured with")


def _print(verdicts: Sequence[TableVerdict], args: argparse.Namespace) -> None:
    rows = [
        (one.paper, one.table, one.verdict, one.compared, one.missing, one.largest)
        for one in verdicts
    ]
    columns = ("paper", "table", "verdict", "figures", "missing", "largest, %")
    wrong = [
        (one.paper, one.table, each.row, each.heading, each.reference, each.here)
        for one in verdicts
        for each in one.differences
    ]
    differing = ("paper", "table", "row", "figure", "reference", "here")
    tables = [Table(columns, rows, keys=2), *([Table(differing, wrong)] if wrong else [])]
    if args.format == "json":
        print_json([asdict(one) for one in verdicts])
    elif args.format == "csv":
        print(as_csv(tables))
    else:
        print("\n\n".join([*map(table_format(args), tables), textwrap.fill(TOLERANCES, _PROSE)]))
