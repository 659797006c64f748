# SPDX-License-Identifier: Apache-2.0
"""Yosys, as the Python package pyosys, in a fresh process per script.

The process is fresh because results depend on what it did before, and because an error in a pass
ends it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from headwater.flow.process import package_version, run_tool

_INSTALL = "pip install pyosys"
_RUN_SCRIPT = (
    "from pyosys import libyosys; libyosys.run_pass('script script.ys', libyosys.Design())"
)
_RUN_LINES = (
    "from pyosys import libyosys; design = libyosys.Design(); "
    "[libyosys.run_pass(line, design) for line in open('script.ys').read().splitlines()]"
)


def run_yosys(
    passes: Sequence[str],
    folder: Path,
    time_limit_s: float | None = None,
    *,
    forgetting: bool = False,
) -> str:
    """Run the passes, one per line, in ``folder``; gives back the log.

    With ``forgetting`` Yosys gives up names that are gone after each pass, not at the end alone.
    Many designs one after the other then take half the time. What it writes may be in another
    order.
    """
    (folder / "script.ys").write_text("\n".join(passes) + "\n")
    return run_tool(
        [sys.executable, "-c", _RUN_LINES if forgetting else _RUN_SCRIPT],
        cwd=folder,
        install=_INSTALL,
        time_limit_s=time_limit_s,
    )


def yosys_version() -> str:
    """Version of the installed package."""
    return package_version("pyosys", _INSTALL)
