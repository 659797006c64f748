# SPDX-License-Identifier: Apache-2.0
"""The verb `report`."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.bench.store import Result, read_store
from headwater.cli.output import print_json, say, write_whole
from headwater.errors import InputError, unknown
from headwater.report.packages import require_packages


def run_report(given: argparse.Namespace) -> int:
    """`headwater report`: the page and, if requested, every chart as SVG and PNG."""
    require_packages()
    # Imported here, after the check that their packages are installed.
    from headwater.report.charts import sections
    from headwater.report.figures import figures
    from headwater.report.page import page
    from headwater.report.points import points_of
    from headwater.report.systems import systems_of

    with read_store(given.store) as store:
        results, simulated = _chosen(store.results(), given.target), store.systems()
    output = given.output or (None if given.figures else Path("report.html"))
    files = {output: page(results, simulated)} if output else {}
    if given.figures:
        every = sections(points_of(results), systems_of(simulated))
        charts = [chart for section in every for chart in section.charts]
        files |= {given.figures / name: data for name, data in figures(charts).items()}
        for chart in charts:
            if not chart.rows:
                say(f"no figure of {chart.name}: nothing was measured for it")
    if not results:
        say("nothing is stored: only printed figures are shown")
    _write(files, given)
    return 0


def _chosen(results: list[Result], targets: str | None) -> list[Result]:
    if targets is None:
        return results
    stored = sorted({result.record["target"] for result in results})
    names = targets.split(",")
    if not stored:
        raise InputError(f"nothing is stored of target {targets}; evaluate something there")
    for name in names:
        if name not in stored:
            raise unknown("target with stored results", name, stored)
    return [result for result in results if result.record["target"] in names]


def _write(files: dict[Path, bytes], given: argparse.Namespace) -> None:
    for path, data in files.items():
        write_whole(path, data)
    if given.json:
        print_json([str(path) for path in files])
    else:
        for path in files:
            print(path)
