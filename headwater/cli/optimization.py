# SPDX-License-Identifier: Apache-2.0
"""The verb `optimize`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing

from headwater.api.optimizing import Optimum, deadline, searched, searches
from headwater.cli.arguments import numbers, options, swept_radices
from headwater.cli.output import say, warn
from headwater.cli.progress import check_crew, measured
from headwater.cli.rows import check_columns, filled, filled_command, print_rows
from headwater.cli.settings import settings_of
from headwater.measure.layers import open_layered
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, area_of, area_unit_of, mbps_per_area_of
from headwater.measure.run import Outcome
from headwater.measure.search import Search
from headwater.measure.target import find
from headwater.report.table import Table
from headwater.report.units import plural


def run_optimize(args: argparse.Namespace) -> int:
    """`headwater optimize`: a search for each radix; exit status 2 if a form could not be
    measured."""
    check_crew(args)
    asked = options(args.option)
    reached = searches(
        args.cipher,
        swept_radices(args.radix),
        args.target,
        () if args.load_width is None else numbers("load width", args.load_width),
        asked,
        settings_of(args, [find(args.target)]),
        say,
    )
    check_columns(args, list(_COLUMNS))
    is_over = deadline(args.minutes)
    optima: list[Optimum] = []
    try:
        with open_layered(args.store) as store:

            def measure(points: Sequence[DesignPoint]) -> Iterator[Outcome]:
                with closing(measured(points, store, args)) as outcomes:
                    yield from outcomes

            for search in reached:
                _announce(search)
                optima.append(searched(search, measure, is_over))
    finally:
        _print(optima, args)
    failures = dict.fromkeys(reason for one in optima for reason in one.records.failures)
    for reason in failures:
        warn(reason)
    return 2 if failures else 0


def _announce(search: Search) -> None:
    architecture = search.start
    say(
        f"Optimizing {search.cipher.name} at radix {architecture.radix} on {search.target.name}, "
        f"objective {search.settings.objective}"
    )


def _print(optima: Sequence[Optimum], args: argparse.Namespace) -> None:
    """All forms that were measured, the best first, and a sentence on each search; as JSON all
    records."""
    data = [
        {
            "best": one.best,
            "command": one.command,
            "gain": round(one.gain, 4),
            "is_whole": one.is_whole,
            "tried": [*one.records],
        }
        for one in optima
    ]
    rows = [
        [cell(record, one) for cell in _COLUMNS.values()]
        for one in optima
        for record in one.records
    ]
    if rows or args.format == "json":
        notes = [
            line for one in optima for line in (filled(told(one)), filled_command(one.command))
        ]
        print_rows(args, [Table(tuple(_COLUMNS), rows, keys=2)], data, notes)


def _form(record: Record, optimum: Optimum) -> str:
    """How a form differs from the one that was asked for."""
    changes = [f"{name}={value}" for name, value in optimum.changes(record).items()]
    if record["load_width"] != optimum.asked["load_width"]:
        changes.append(f"load width {record['load_width']}")
    return " ".join(changes) or "as asked for"


_COLUMNS: Mapping[str, Callable[[Record, Optimum], object]] = {
    "radix": lambda record, _: record["radix"],
    "form": _form,
    "area": lambda record, _: area_of(record),
    "in": lambda record, _: plural(area_unit_of(record)),
    "MHz": lambda record, _: record["fmax_mhz"] and record["fmax_mhz"]["median"],
    "Mbit/s": lambda record, _: record["throughput_mbps"],
    "Mbit/s/area": lambda record, _: mbps_per_area_of(record),
    "pJ/bit": lambda record, _: record.get("energy_pj_per_bit"),
    "front": lambda record, _: "yes" if record["non_dominated"] else "no",
}


def told(optimum: Optimum) -> str:
    """What a search found, in words."""
    best, count = optimum.best, len(optimum.records)
    gain = 100 * (optimum.gain - 1)
    what = (
        f"{_form(best, optimum)} is {gain:.3g} % better than the form that was asked for"
        if gain > 0
        else "the form that was asked for is the best"
    )
    end = (
        "none that differs in one choice is better"
        if optimum.is_whole
        else "the time is over, and the same command goes on"
    )
    count_in_words = f"{count} {'form was' if count == 1 else 'forms were'} measured"
    return f"At radix {best['radix']} {what}; {count_in_words}, and {end}."
