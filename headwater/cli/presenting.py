# SPDX-License-Identifier: Apache-2.0
"""Arguments of the verbs that show what was measured: tables, studies, reports, stores."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.cli.arguments import (
    folder,
    new_file,
)
from headwater.cli.examples import EXAMPLE, EXAMPLES
from headwater.cli.measuring import add_crew, add_store, add_unmeasured
from headwater.cli.rows import add_rows
from headwater.measure import defaults

Parser = argparse.ArgumentParser


SUBSETS = ("quick", "all")


RESULT_ACTIONS = {
    "list": "stored results, one line each",
    "show": "everything that is stored of one result",
    "export": "results as CSV, JSON or Parquet",
    "diff": "figures that differ between two stores by more than allowed; exit status 1 if any do",
    "replicate": "an archive to repeat one figure with the public tools alone",
    "check": "what is damaged in a store; exit status 1 if anything is",
    "repair": "replace a damaged store by one of all that is whole in it",
    "merge": "add what is in other stores; exit status 1 if they have other figures for the same",
}


def add_reproduce(verb: Parser) -> None:
    """Arguments of `reproduce`."""
    verb.add_argument("paper", help="its name, how that begins, or all")
    verb.add_argument("--table", metavar="T", help="only this one")
    add_unmeasured(verb)
    verb.add_argument(
        "--check",
        action="store_true",
        help="measure here, and compare with the figures of the reference; exit "
        "status 1 if one differs by more than is allowed",
    )
    verb.add_argument(
        "--subset",
        choices=SUBSETS,
        help="what --check measures: the quickest points of each paper, or all (default)",
    )
    verb.add_argument(
        "--slices",
        default="spartan3",
        metavar="T",
        help="target that area in slices is of (default spartan3)",
    )
    verb.add_argument(
        "--fpga",
        default=defaults.TARGET,
        metavar="T",
        help=f"target that FPGA frequencies are of (default {defaults.TARGET})",
    )
    verb.add_argument(
        "--cells",
        default="osu018",
        metavar="T",
        help="target that figures in cells are of (default osu018)",
    )
    verb.add_argument(
        "--layout", action="store_true", help="lay out the cores of a paper's chips, too (hours)"
    )
    for name, usual in (("fast", "asap7-lvt"), ("low-leakage", "asap7-rvt")):
        meaning = f"target with {name} transistors (default {usual} if found)"
        verb.add_argument(f"--{name}", metavar="T", help=meaning)
    add_crew(verb)
    add_store(verb)


def add_study(verb: Parser) -> None:
    """Arguments of `study`."""
    verb.add_argument("name", nargs="?", metavar="STUDY", help="without it: lists the studies")
    verb.add_argument("--target", metavar="T[,T..]", help="only these targets of the study")
    add_unmeasured(verb)
    verb.add_argument(
        "--figures", type=folder, metavar="DIR", help="write every chart there as SVG"
    )
    add_crew(verb)
    add_store(verb)


def add_report(verb: Parser) -> None:
    """Arguments of `report`."""
    verb.add_argument(
        "-o",
        "--output",
        type=new_file,
        metavar="FILE.html",
        help="the page (default report.html, or with --figures none)",
    )
    verb.add_argument(
        "--figures", type=folder, metavar="DIR", help="write every chart there as SVG and PNG"
    )
    verb.add_argument("--target", metavar="T[,T..]", help="only what was measured there")
    add_store(verb)


def add_results(verb: Parser) -> None:
    """Arguments of `results`."""
    actions = verb.add_subparsers(dest="action", required=True, metavar="ACTION")
    parsers = {
        name: actions.add_parser(
            name, help=text, description=text, epilog=f"{EXAMPLE} {EXAMPLES[f'results {name}']}"
        )
        for name, text in RESULT_ACTIONS.items()
    }
    for name, action in parsers.items():
        if name in ("list", "diff"):
            add_rows(action)
        else:
            action.add_argument("--json", action="store_true", help="print JSON on stdout")
        if name != "diff":
            add_store(action)
    for name in ("list", "export"):
        parsers[name].add_argument("--cipher", metavar="NAME", help="only those of this cipher")
        parsers[name].add_argument("--target", metavar="NAME", help="only those of this target")
    parsers["list"].add_argument("--failed", action="store_true", help="what could not be measured")
    parsers["export"].add_argument(
        "-o",
        "--output",
        required=True,
        type=new_file,
        metavar="FILE",
        help="FILE.csv, FILE.json or FILE.parquet",
    )
    for name in ("show", "replicate"):
        parsers[name].add_argument("id", help="as `list` prints it, or as much as is unmistakable")
    parsers["replicate"].add_argument(
        "-o", "--output", required=True, type=new_file, metavar="FILE.tar.gz", help="the archive"
    )
    parsers["replicate"].add_argument(
        "--liberty", type=Path, metavar="FILE", help="the library, if its target has no name"
    )
    parsers["merge"].add_argument(
        "stores",
        nargs="+",
        type=Path,
        metavar="STORE",
        help="files whose results are added to the store",
    )
    for name in ("before", "after"):
        parsers["diff"].add_argument(name, type=Path, help="a store, or a JSON file of records")
    parsers["diff"].add_argument(
        "--tolerance",
        action="append",
        default=[],
        metavar="NAME=PERCENT",
        help="how much a figure may differ (default: not at all); `all` is a name, too",
    )
