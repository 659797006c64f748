# SPDX-License-Identifier: Apache-2.0
"""The verb `study`."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import Any

from headwater.api.studying import Studied, Wanted, check_figures, studies
from headwater.cli.arguments import only_with
from headwater.cli.output import print_json, say, warn
from headwater.cli.progress import check_crew, measured, say_estimate, store_for
from headwater.cli.rows import filled, print_named, table_format
from headwater.measure.layers import LayeredStore
from headwater.report.formats import as_csv
from headwater.report.table import Table


def run_study(args: argparse.Namespace) -> int:
    """`headwater study`: measures what is not stored, unless told not to; without a name, the
    studies."""
    if args.name is None:
        return _list(args)
    check_crew(args)
    if args.figures is not None:
        check_figures(args.figures)
    targets = None if args.target is None else args.target.split(",")
    wanted = Wanted.of(args.name, targets)
    with store_for(args) as store:
        if args.dry_run:
            return _dry_run(wanted, store, args)
        failures = [] if args.stored else _measure(wanted, store, args)
        studied = wanted.studied(store)
    _print(studied, args)
    for path in studied.figures(args.figures) if args.figures is not None else ():
        say(str(path))
    for failure in dict.fromkeys(failures):
        warn(failure)
    return 2 if failures else 0


def _list(args: argparse.Namespace) -> int:
    only_with(args, "the name of a study", ("figures", "target", "stored", "dry_run"))
    if args.format == "json":
        print_json(studies())
        return 0
    table = Table(("study", "title"), list(studies().items()))
    print(as_csv([table]) if args.format == "csv" else table_format(args)(table))
    return 0


def _dry_run(wanted: Wanted, store: LayeredStore, args: argparse.Namespace) -> int:
    missing = wanted.missing(store)
    print_named(args, missing)
    _say_unfound(wanted)
    say_estimate(missing, store, args.jobs)
    return 0


def _measure(wanted: Wanted, store: LayeredStore, args: argparse.Namespace) -> list[str]:
    """Measure what is not stored; why it could not be done."""
    _say_unfound(wanted)
    missing = wanted.missing(store)
    say(f"Measuring {len(missing)} of {len(wanted.points)} design points; what is measured is kept")
    with closing(measured(missing, store, args)) as outcomes:
        return [outcome.reason for outcome in outcomes if outcome.record is None]


def _say_unfound(wanted: Wanted) -> None:
    for name in wanted.unfound:
        say(f"{name} is not found here: nothing is measured on it")


def _print(studied: Studied, args: argparse.Namespace) -> None:
    if args.format == "json":
        print_json(_as_json(studied))
    elif args.format == "csv":
        print(as_csv([studied.table]))
    else:
        print("\n\n".join(_text(studied, args)))


def _text(studied: Studied, args: argparse.Namespace) -> list[str]:
    """The study as people read it: paragraphs and tables."""
    printer = table_format(args)
    parts = [filled(f"{studied.study.title}. {studied.study.asks}")]
    for title, table in studied.tables.items():
        parts += [f"{title}:", printer(table)]
    return [*parts, *map(filled, studied.notes)]


def _as_json(studied: Studied) -> dict[str, Any]:
    points = [
        {**studied.study.words(cell), "target": cell.target.name, "record": cell.record}
        for cell in studied.cells
    ]
    return {
        "study": studied.study.name,
        "title": studied.study.title,
        "points": points,
        **studied.study.beside(),
    }
