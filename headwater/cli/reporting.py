# SPDX-License-Identifier: Apache-2.0
"""The verb `report`."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.api.reporting import report
from headwater.cli.output import print_files, say


def run_report(args: argparse.Namespace) -> int:
    """`headwater report`: the page and, if requested, every chart as SVG and PNG."""
    page = args.output or (None if args.figures else Path("report.html"))
    targets = None if args.target is None else args.target.split(",")
    files = report(page, figures=args.figures, target=targets, store=args.store, told=say)
    print_files(files, as_json=args.json)
    return 0
