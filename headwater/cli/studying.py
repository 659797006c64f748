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


def run_study(given: argparse.Namespace) -> int:
    """`headwater study`: measures what is not stored, unless told not to; without a name, the
    studies."""
    if given.name is None:
        return _list(given)
    check_crew(given)
    if given.figures is not None:
        check_figures(given.figures)
    targets = None if given.target is None else given.target.split(",")
    wanted = Wanted.of(given.name, targets)
    with store_for(given) as store:
        if given.dry_run:
            return _dry_run(wanted, store, given)
        failures = [] if given.stored else _measure(wanted, store, given)
        made = wanted.studied(store)
    _print(made, given)
    for path in made.figures(given.figures) if given.figures is not None else ():
        say(str(path))
    for failure in dict.fromkeys(failures):
        warn(failure)
    return 2 if failures else 0


def _list(given: argparse.Namespace) -> int:
    only_with(given, "the name of a study", ("figures", "target", "stored", "dry_run"))
    if given.format == "json":
        print_json(studies())
        return 0
    table = Table(("study", "title"), list(studies().items()))
    print(as_csv([table]) if given.format == "csv" else table_format(given)(table))
    return 0


def _dry_run(wanted: Wanted, store: LayeredStore, given: argparse.Namespace) -> int:
    missing = wanted.missing(store)
    print_named(given, missing)
    _say_unfound(wanted)
    say_estimate(missing, store, given.jobs)
    return 0


def _measure(wanted: Wanted, store: LayeredStore, given: argparse.Namespace) -> list[str]:
    """Measure what is not stored; why it could not be done."""
    _say_unfound(wanted)
    missing = wanted.missing(store)
    say(f"Measuring {len(missing)} of {len(wanted.points)} design points; what is measured is kept")
    with closing(measured(missing, store, given)) as outcomes:
        return [outcome.reason for outcome in outcomes if outcome.record is None]


def _say_unfound(wanted: Wanted) -> None:
    for name in wanted.unfound:
        say(f"{name} is not found here: nothing is measured on it")


def _print(made: Studied, given: argparse.Namespace) -> None:
    if given.format == "json":
        print_json(_as_json(made))
    elif given.format == "csv":
        print(as_csv([made.table]))
    else:
        print("\n\n".join(_text(made, given)))


def _text(made: Studied, given: argparse.Namespace) -> list[str]:
    """The study as people read it: paragraphs and tables."""
    printer = table_format(given)
    parts = [filled(f"{made.study.title}. {made.study.asks}")]
    for title, table in made.tables.items():
        parts += [f"{title}:", printer(table)]
    return [*parts, *map(filled, made.notes)]


def _as_json(made: Studied) -> dict[str, Any]:
    points = [
        {**made.study.words(cell), "target": cell.target.name, "record": cell.record}
        for cell in made.cells
    ]
    return {
        "study": made.study.name,
        "title": made.study.title,
        "points": points,
        **made.study.beside(),
    }
