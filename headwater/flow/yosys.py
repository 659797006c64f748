# SPDX-License-Identifier: Apache-2.0
"""Yosys, as the Python package pyosys, in a fresh process per script.

The process is fresh because results depend on what it did before, and because an error in a pass
ends it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from headwater.flow.process import run_tool

_RUN_SCRIPT = (
    "from pyosys import libyosys; libyosys.run_pass('script script.ys', libyosys.Design())"
)


def run_yosys(passes: Sequence[str], folder: Path, time_limit_s: float | None = None) -> str:
    """Run the passes, one per line, in ``folder``; gives back the log."""
    (folder / "script.ys").write_text("\n".join(passes) + "\n")
    return run_tool(
        [sys.executable, "-c", _RUN_SCRIPT],
        cwd=folder,
        install="pip install pyosys",
        time_limit_s=time_limit_s,
    )


def yosys_version() -> str:
    """Version of the installed package."""
    return version("pyosys")
