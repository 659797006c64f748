# SPDX-License-Identifier: Apache-2.0
"""The verb `evaluate`."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from headwater.bench import target
from headwater.bench.point import DesignPoint, Figures
from headwater.bench.run import Outcome, evaluate_all
from headwater.bench.settings import Settings
from headwater.bench.target import Target
from headwater.cli.arguments import architecture, at_least, cipher_of, radices
from headwater.cli.output import print_json, say
from headwater.errors import HeadwaterError
from headwater.report.table import figures_tables

_DEFAULT_TARGET = "ecp5-25k"


def run_evaluate(given: argparse.Namespace) -> int:
    """`headwater evaluate`: what is finished is printed, even if other points failed."""
    points = _points(given)
    jobs = at_least(1, "jobs", given.jobs)
    say(f"Evaluating {len(points)} design point(s), {jobs} at a time")
    done: dict[DesignPoint, Figures] = {}
    failures: list[HeadwaterError] = []
    try:
        with closing(evaluate_all(points, jobs)) as outcomes:
            for number, outcome in enumerate(outcomes, start=1):
                say(f"[{number}/{len(points)}] {_line(outcome)}")
                if outcome.figures:
                    done[outcome.point] = outcome.figures
                if outcome.error:
                    failures.append(outcome.error)
    except KeyboardInterrupt:
        _print([done[point] for point in points if point in done], given.json)
        raise
    _print([done[point] for point in points if point in done], given.json)
    for failure in failures:
        say(f"headwater: {failure}")
    return 2 if failures else 0


def _points(given: argparse.Namespace) -> list[DesignPoint]:
    settings = Settings(seeds=given.seeds)
    targets = _targets(given)
    ciphers = [cipher_of(name, given) for name in given.ciphers.split(",")]
    points = [
        DesignPoint(cipher, architecture(cipher, given, radix), where, settings)
        for cipher in ciphers
        for radix in radices(cipher, given.radix or str(cipher.default_radix))
        for where in targets
    ]
    return list(dict.fromkeys(points))


def _targets(given: argparse.Namespace) -> list[Target]:
    names = given.target.split(",") if given.target else []
    if not names and not given.liberty:
        names = [_DEFAULT_TARGET]
    libraries = [target.from_liberty(Path(name)) for name in given.liberty]
    return [*(target.find(name) for name in names), *libraries]


def _line(outcome: Outcome) -> str:
    what = f"{outcome.point} ({outcome.seconds:.0f} s)"
    if outcome.figures is None:
        return f"{what}: FAILED"
    figures = outcome.figures
    area = f"{figures.lut} LUT" if figures.lut is not None else f"{figures.ge} GE"
    return f"{what}: {area}, {figures.fmax_mhz.median:.0f} MHz"


def _print(results: list[Figures], as_json: bool) -> None:
    if as_json:
        print_json([figures.as_json() for figures in results])
    elif results:
        print(figures_tables(results))
