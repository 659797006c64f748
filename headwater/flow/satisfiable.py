# SPDX-License-Identifier: Apache-2.0
"""Whether an output of gates can be one, by ABC's SAT solver."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.flow.abc import _INSTALL, _program
from headwater.flow.process import ToolStoppedError, run_tool


def is_satisfiable(folder: Path, file: str, time_limit_s: float) -> bool:
    """Whether the one output of a design of gates alone, in BLIF, can be one; `ToolStoppedError` if
    there is no answer in time."""
    script = f"read_blif {file}; strash; dfraig; sat -C 0"
    log = run_tool([_program(), "-c", script], cwd=folder, install=_INSTALL,
                   time_limit_s=time_limit_s)  # fmt: skip
    if re.search(r"^UNSATISFIABLE", log, re.MULTILINE):
        return False
    if re.search(r"^SATISFIABLE", log, re.MULTILINE):
        return True
    raise ToolStoppedError(f"ABC must say within {time_limit_s:g} s whether an output can be one, "
                           "but did not")  # fmt: skip
