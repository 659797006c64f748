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


def run_evaluate(args: argparse.Namespace) -> int:
    """`headwater evaluate`: prints finished points even if others failed."""
    check_crew(args)
    points = _planned(args) if args.plan else _points(args)
    check_columns(args, figure_columns(points, compared=args.pareto))
    if args.keep is not None:
        if all(point.settings.stage == SYNTHESIS for point in points):
            raise InputError(
                "evaluate --keep is for the files of a layout or placement; add --layout or "
                "--placement"
            )
        if args.stored:
            raise InputError("evaluate takes --keep, which measures anew, or --stored, not both")
        check_folder(args.keep)
    with store_for(args) as store:
        if args.dry_run:
            print_named(args, points)
            say_estimate(points, store, args.jobs)
            return 0
        if args.stored:
            return _show_stored(points, store, args)
        return _evaluate(points, store, args)


def _show_stored(points: list[DesignPoint], store: Store, args: argparse.Namespace) -> int:
    """What is known of the points; exit status 2 if nothing is known of some."""
    results = [store.known(point) for point in points]
    _print([result.record for result in results if result], args)
    for point, result in zip(points, results, strict=True):
        if result is None:
            warn(f"{point} is not stored")
    return 0 if all(results) else 2


def _evaluate(points: list[DesignPoint], store: Store, args: argparse.Namespace) -> int:
    say(f"Evaluating {len(points)} design point(s)")
    done: dict[DesignPoint, Record] = {}
    failures: list[str] = []
    stored = 0
    keep = args.keep is not None
    outcomes = measured(points, store, args, again=args.again or keep, keep=keep)
    try:
        with closing(outcomes):
            for outcome in outcomes:
                stored += outcome.stored
                if outcome.record:
                    done[outcome.point] = outcome.record
                    _write_files(outcome, args.keep)
                else:
                    failures.append(outcome.reason)
    finally:
        if stored:
            say(f"{stored} design point(s) were measured before")
        if shipped := sum(MARK in record for record in done.values()):
            say(f"{shipped} of them are of the reference; --again measures them")
        _print([done[point] for point in points if point in done], args)
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


def _planned(args: argparse.Namespace) -> list[DesignPoint]:
    for name in _OF_POINTS:
        if is_given(args, name):
            what = "a cipher" if name == "ciphers" else option_of(name)
            raise InputError(f"evaluate takes --plan or {what}, not both")
    return read_plan(args.plan, warn)


def _points(args: argparse.Namespace) -> list[DesignPoint]:
    if not args.ciphers:
        raise InputError("evaluate must be given ciphers or --plan FILE")
    refuse_core_choices(args)
    if args.masking is not None:
        only_without(
            args,
            "--masking: the load width is the radix, and a source of random bits has no shares",
            ["load_width", "random_bits"],
        )
    targets = _targets(args)
    sweep = Sweep(
        ciphers=names("ciphers", args.ciphers, CATALOGUE),
        radices=swept_radices(args.radix),
        targets=targets,
        load_width=args.load_width,
        options=options(args.option),
        random_bits=_several("random bits", args.random_bits),
        instances=_several("instances", args.instances),
        seed_width=args.seed_width,
        reset=args.reset,
        state_port=args.state_port,
        lockup=args.lockup,
        seed_by=args.seed_by,
        masking=args.masking,
        settings=settings_of(args, targets),
    )
    return sweep.points(warn)


def _several(what: str, text: str | None) -> list[int]:
    return [] if text is None else numbers(what, text)


def _targets(args: argparse.Namespace) -> list[Target]:
    libraries: list[Target] = [target.from_liberty(Path(name)) for name in args.liberty]
    if args.target is None:
        return libraries or [target.find(defaults.TARGET)]
    chosen = names("target", args.target, found_here())
    return [*(target.find(name) for name in chosen), *libraries]


def _print(records: Iterable[Record], args: argparse.Namespace) -> None:
    records = list(records)
    if args.pareto:
        records = mark_pareto(records)
    if records or args.format == "json":
        print_rows(args, figures_tables(records), records, [*map(filled, figures_notes(records))])
