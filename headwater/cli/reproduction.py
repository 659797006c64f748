# SPDX-License-Identifier: Apache-2.0
"""The verb `reproduce`."""

from __future__ import annotations

import argparse
from contextlib import suppress
from functools import cache

from headwater.bench.identity import point_identity, rtl_identity
from headwater.bench.point import DesignPoint, Record
from headwater.bench.store import Store, open_store, read_store
from headwater.bench.target import AsicTarget, Target, find
from headwater.cli.output import print_json, say
from headwater.cli.progress import measured, say_estimate
from headwater.cli.rows import table_format
from headwater.codesign.run import measure, stored
from headwater.codesign.scenario import Scenario
from headwater.errors import HeadwaterError, at_least
from headwater.report.formats import as_csv
from headwater.report.printed import paper, papers
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.papers import Lookup, needed, reproduce_paper
from headwater.report.reproduce.targets import Targets
from headwater.report.reproduce.text import as_json, as_text, pairs_table

_ALL = "all"
_FAST, _LOW_LEAKAGE = "gt2n-lvt", "gt2n-hvt"


def run_reproduce(given: argparse.Namespace) -> int:
    """`headwater reproduce`: measures missing points first, unless told not to."""
    at_least(1, "jobs", given.jobs)
    chosen = list(papers().values()) if given.paper == _ALL else [paper(given.paper)]
    targets = Targets(
        find(given.slices), find(given.fpga), find(given.cells),
        _threshold(given.fast, _FAST), _threshold(given.low_leakage, _LOW_LEAKAGE),
    )  # fmt: skip
    wanted = list(dict.fromkeys(it for one in chosen for it in needed(one, targets, given.table)))
    with (read_store if given.stored or given.dry_run else open_store)(given.store) as store:
        if given.dry_run:
            return _dry_run(wanted, store, given.jobs)
        failures = 0 if given.stored else _measure(wanted, store, given)
        lookup = _lookup(store)
        made = [reproduce_paper(one, targets, lookup, given.table) for one in chosen]
    if given.format == "json":
        print_json([as_json(one) for one in made])
    elif given.format == "csv":
        print(as_csv([pairs_table(made)]))
    else:
        print("\n\n".join(as_text(one, table_format(given)) for one in made))
    return 2 if failures else 0


def _threshold(name: str | None, usual: str) -> Target | None:
    """The target of that name; without a name the default one, if its library is found."""
    if name is not None:
        return find(name)
    target = find(usual)
    return target if isinstance(target, AsicTarget) and target.liberty.exists() else None


def _dry_run(wanted: list[Measurable], store: Store, jobs: int) -> int:
    """Name what is not stored, and say how long it would take."""
    found = _lookup(store)
    missing = [one for one in wanted if not found(one)]
    for one in missing:
        print(one)
    say(f"{len(wanted) - len(missing)} of {len(wanted)} points and systems are stored")
    say_estimate([one for one in missing if isinstance(one, DesignPoint)], store, jobs)
    return 0


def _measure(wanted: list[Measurable], store: Store, given: argparse.Namespace) -> int:
    """Measure points that are not stored; return the number of errors."""
    points = [one for one in wanted if isinstance(one, DesignPoint)]
    systems = [one for one in wanted if isinstance(one, Scenario)]
    outcomes = list(measured(points, store, given))
    failures = [outcome.reason for outcome in outcomes if outcome.record is None]
    for system in systems:
        try:
            measure(system, store)
        except HeadwaterError as error:
            failures.append(f"{system}: {error}")
    for failure in dict.fromkeys(failures):
        say(f"headwater: {failure}")
    return len(failures)


def _lookup(store: Store) -> Lookup:
    """A function that finds the stored record of a point, if it is still valid."""

    @cache
    def found(point: Measurable) -> Record | None:
        with suppress(HeadwaterError):
            if isinstance(point, Scenario):
                return stored(point, store)
            verilog = store.rtl(rtl_identity(point.cipher, point.architecture))
            result = store.find(point_identity(point, verilog.sha256)) if verilog else None
            return result.record if result else None
        return None

    return found
