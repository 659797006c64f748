# SPDX-License-Identifier: Apache-2.0
"""The verb `report`."""

from __future__ import annotations

import argparse
from pathlib import Path

from headwater.api.reporting import report
from headwater.cli.output import print_files, say


def run_report(given: argparse.Namespace) -> int:
    """`headwater report`: the page and, if requested, every chart as SVG and PNG."""
    page = given.output or (None if given.figures else Path("report.html"))
    targets = None if given.target is None else given.target.split(",")
    files = report(page, figures=given.figures, target=targets, store=given.store, told=say)
    print_files(files, as_json=given.json)
    return 0
