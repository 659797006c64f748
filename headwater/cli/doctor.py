# SPDX-License-Identifier: Apache-2.0
"""The verb `doctor`. It needs only the standard library, so it runs without the other packages."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence

from headwater.cli.output import print_json
from headwater.cli.rows import terminal_width
from headwater.flow.tools import Tool, examine
from headwater.report.formats import as_csv, as_markdown
from headwater.report.table import Table


def run_doctor(args: argparse.Namespace) -> int:
    """`headwater doctor`: fails if something that every verb needs is missing."""
    tools = examine()
    if args.format == "json":
        print_json([tool.as_json() for tool in tools])
    elif args.format == "csv":
        print(as_csv([_table(tools)]))
    elif args.format == "md":
        print(as_markdown(_table(tools)))
    else:
        print(*_lines(tools, sys.maxsize if args.wide else terminal_width()), sep="\n")
    return 1 if any(tool.required and not tool.version for tool in tools) else 0


def _table(tools: Sequence[Tool]) -> Table:
    rows = [(one.name, one.version, one.purpose, one.install) for one in tools]
    return Table(("tool", "version", "for", "get it with"), rows)


def _lines(tools: Sequence[Tool], width: int) -> list[str]:
    """A line for each tool, or several where the terminal is not wide enough."""
    names = max(len(tool.name) for tool in tools)
    lines = []
    for tool in tools:
        version = tool.version or f"MISSING; get it with: {tool.install}"
        line = f"{tool.name:{names}} {version:18} for {tool.purpose}"
        lines += textwrap.wrap(
            line,
            width,
            subsequent_indent=" " * (names + 1),
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines
