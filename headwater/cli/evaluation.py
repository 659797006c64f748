# SPDX-License-Identifier: Apache-2.0
"""The verb `evaluate`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from headwater.cipher.catalogue import CATALOGUE
from headwater.cli.arguments import (
    is_given,
    names,
    numbers,
    only_without,
    option_of,
    options,
    swept_radices,
)
from headwater.cli.output import say, warn
from headwater.cli.prng import refuse_core_choices
from headwater.cli.progress import check_crew, measured, say_estimate, store_for
from headwater.cli.rows import check_columns, filled, print_named, print_rows
from headwater.cli.settings import settings_of
from headwater.errors import InputError
from headwater.files import check_folder, write_whole
from headwater.measure import defaults, target
from headwater.measure.pareto import mark_pareto
from headwater.measure.plan import read_plan
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.reference import MARK
from headwater.measure.run import Outcome
from headwater.measure.settings import SYNTHESIS
from headwater.measure.store import Store
from headwater.measure.sweep import Sweep
from headwater.measure.target import Target, found_here
from headwater.report.figures_table import figure_columns, figures_notes, figures_tables


def run_evaluate(given: argparse.Namespace) -> int:
    """`headwater evaluate`: prints finished points even if others failed."""
    check_crew(given)
    points = _planned(given) if given.plan else _points(given)
    check_columns(given, figure_columns(points, compared=given.pareto))
    if given.keep is not None:
        if all(point.settings.stage == SYNTHESIS for point in points):
            raise InputError(
                "evaluate --keep is for the files of a layout or placement; add --layout or "
                "--placement"
            )
        if given.stored:
            raise InputError("evaluate takes --keep, which measures anew, or --stored, not both")
        check_folder(given.keep)
    with store_for(given) as store:
        if given.dry_run:
            print_named(given, points)
            say_estimate(points, store, given.jobs)
            return 0
        if given.stored:
            return _show_stored(points, store, given)
        return _evaluate(points, store, given)


def _show_stored(points: list[DesignPoint], store: Store, given: argparse.Namespace) -> int:
    """What is known of the points; exit status 2 if nothing is known of some."""
    found = [store.known(point) for point in points]
    _print([result.record for result in found if result], given)
    for point, result in zip(points, found, strict=True):
        if result is None:
            warn(f"{point} is not stored")
    return 0 if all(found) else 2


def _evaluate(points: list[DesignPoint], store: Store, given: argparse.Namespace) -> int:
    say(f"Evaluating {len(points)} design point(s)")
    done: dict[DesignPoint, Record] = {}
    failures: list[str] = []
    stored = 0
    keep = given.keep is not None
    outcomes = measured(points, store, given, again=given.again or keep, keep=keep)
    try:
        with closing(outcomes):
            for outcome in outcomes:
                stored += outcome.stored
                if outcome.record:
                    done[outcome.point] = outcome.record
                    _write_files(outcome, given.keep)
                else:
                    failures.append(outcome.reason)
    finally:
        if stored:
            say(f"{stored} design point(s) were measured before")
        if shipped := sum(MARK in record for record in done.values()):
            say(f"{shipped} of them are of the reference; --again measures them")
        _print([done[point] for point in points if point in done], given)
    for failure in dict.fromkeys(failures):
        warn(failure)
    return 2 if failures else 0


def _write_files(outcome: Outcome, keep: Path | None) -> None:
    """Write the files of a layout into a folder of its own."""
    if keep is None or outcome.record is None:
        return
    folder = keep / f"{outcome.record['cipher']}-{outcome.record['target']}-{outcome.record['id']}"
    for name, content in outcome.files.items():
        write_whole(folder / name, content)
    if outcome.files:
        say(f"{folder} has {', '.join(outcome.files)}")


_OF_POINTS = (
    "ciphers",
    "radix",
    "target",
    "load_width",
    "option",
    "random_bits",
    "instances",
    "seed_width",
    "reset",
    "state_port",
    "lockup",
    "seed_by",
    "masking",
    "liberty",
    "seeds",
    "objective",
    "clock_mhz",
    "clock_gating",
    "recipe",
    "hierarchy",
    "placement",
    "layout",
    "glitches",
)
"""What the points of a plan have in the plan alone."""


def _planned(given: argparse.Namespace) -> list[DesignPoint]:
    for name in _OF_POINTS:
        if is_given(given, name):
            what = "a cipher" if name == "ciphers" else option_of(name)
            raise InputError(f"evaluate takes --plan or {what}, not both")
    return read_plan(given.plan, warn)


def _points(given: argparse.Namespace) -> list[DesignPoint]:
    if not given.ciphers:
        raise InputError("evaluate must be given ciphers or --plan FILE")
    refuse_core_choices(given)
    if given.masking is not None:
        only_without(
            given,
            "--masking: the load width is the radix, and a source of random bits has no shares",
            ["load_width", "random_bits"],
        )
    targets = _targets(given)
    sweep = Sweep(
        ciphers=names("ciphers", given.ciphers, CATALOGUE),
        radices=swept_radices(given.radix),
        targets=targets,
        load_width=given.load_width,
        options=options(given.option),
        random_bits=_several("random bits", given.random_bits),
        instances=_several("instances", given.instances),
        seed_width=given.seed_width,
        reset=given.reset,
        state_port=given.state_port,
        lockup=given.lockup,
        seed_by=given.seed_by,
        masking=given.masking,
        settings=settings_of(given, targets),
    )
    return sweep.points(warn)


def _several(what: str, text: str | None) -> list[int]:
    return [] if text is None else numbers(what, text)


def _targets(given: argparse.Namespace) -> list[Target]:
    libraries: list[Target] = [target.from_liberty(Path(name)) for name in given.liberty]
    if given.target is None:
        return libraries or [target.find(defaults.TARGET)]
    chosen = names("target", given.target, found_here())
    return [*(target.find(name) for name in chosen), *libraries]


def _print(records: Iterable[Record], given: argparse.Namespace) -> None:
    records = list(records)
    if given.pareto:
        records = mark_pareto(records)
    if records or given.format == "json":
        print_rows(given, figures_tables(records), records, [*map(filled, figures_notes(records))])
