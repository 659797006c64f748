# SPDX-License-Identifier: Apache-2.0
"""The verb `doctor`. It needs only the standard library, so it runs without the other packages."""

from __future__ import annotations

import argparse

from headwater.cli.output import print_json
from headwater.flow.tools import examine


def run_doctor(given: argparse.Namespace) -> int:
    """`headwater doctor`: fails if something that every verb needs is missing."""
    tools = examine()
    if given.json:
        print_json([tool.as_json() for tool in tools])
    else:
        width = max(len(tool.name) for tool in tools)
        for tool in tools:
            found = tool.version or f"MISSING; get it with: {tool.install}"
            print(f"{tool.name:{width}} {found:18} for {tool.purpose}")
    return 1 if any(tool.required and not tool.version for tool in tools) else 0
