# SPDX-License-Identifier: Apache-2.0
"""The verb `reproduce`."""

from __future__ import annotations

import argparse
from contextlib import closing
from functools import cache

from headwater.bench.identity import point_identity, rtl_identity
from headwater.bench.point import DesignPoint, Record
from headwater.bench.run import evaluate_all
from headwater.bench.store import Store, open_store
from headwater.bench.target import find
from headwater.bench.workers import cluster_workers, local_workers
from headwater.cli.arguments import at_least
from headwater.cli.output import print_json, say
from headwater.cli.progress import reporting
from headwater.errors import HeadwaterError
from headwater.report.printed import Paper, paper, papers
from headwater.report.reproduce.comparison import Targets
from headwater.report.reproduce.papers import Lookup, needed_points, reproduce_paper
from headwater.report.reproduce.text import as_json, as_text

_ALL = "all"


def run_reproduce(given: argparse.Namespace) -> int:
    """`headwater reproduce`: what is missing is measured first, unless only stored is wanted."""
    at_least(1, "jobs", given.jobs)
    chosen = list(papers().values()) if given.paper == _ALL else [paper(given.paper)]
    targets = Targets(find(given.slices), find(given.fpga), find(given.cells))
    with open_store(given.store) as store:
        failures = 0 if given.stored else _measure(chosen, targets, store, given)
        lookup = _lookup(store)
        made = [reproduce_paper(one, targets, lookup, given.table) for one in chosen]
    if given.json:
        print_json([as_json(one) for one in made])
    else:
        print("\n\n".join(as_text(one) for one in made))
    return 2 if failures else 0


def _measure(chosen: list[Paper], targets: Targets, store: Store, given: argparse.Namespace) -> int:
    """Measure what is not stored; gives the number of points that failed."""
    points = list(
        dict.fromkeys(point for one in chosen for point in needed_points(one, targets, given.table))
    )
    failures: dict[str, None] = {}
    workers = cluster_workers(given.scheduler) if given.scheduler else local_workers(given.jobs)
    with (
        workers as crew,
        reporting(points, store, crew.width) as told,
        closing(evaluate_all(points, store, crew)) as outcomes,
    ):
        for outcome in outcomes:
            told(outcome)
            if outcome.record is None:
                failures[outcome.reason] = None
    for failure in failures:
        say(f"headwater: {failure}")
    return len(failures)


def _lookup(store: Store) -> Lookup:
    """The record of a design point, if it is stored and still holds."""

    @cache
    def found(point: DesignPoint) -> Record | None:
        verilog = store.rtl(rtl_identity(point.cipher, point.architecture))
        if verilog is None:
            return None
        try:
            result = store.find(point_identity(point, verilog.sha256))
        except HeadwaterError:
            return None
        return result.record if result else None

    return found
