# SPDX-License-Identifier: Apache-2.0
"""Strict readers of Verilog: names are declared before they are used, Verilog-2001 is that."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from headwater.flow.process import run_tool
from headwater.flow.verilator import verilator

_READ = """\
import sys
from pyslang import DiagnosticEngine
from pyslang.ast import Compilation
from pyslang.syntax import SyntaxTree
design = Compilation()
for file in sys.argv[1:]:
    design.addSyntaxTree(SyntaxTree.fromFile(file))
errors = [one for one in design.getAllDiagnostics() if one.isError()]
print(DiagnosticEngine.reportAll(SyntaxTree.getDefaultSourceManager(), errors), end="")
"""
"""In a process of its own: at its end it says much of its memory on stderr."""


def refused_by_slang(files: Sequence[Path]) -> str:
    """What slang refuses in a design of these files, with the places; empty if there is nothing.
    All modules that none of them has inside are tops."""
    done = subprocess.run([sys.executable, "-c", _READ, *files], capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def warned_as_2001(top: str, files: Sequence[Path]) -> str:
    """What Verilator says of the files of a design that it reads as Verilog-2001; it raises
    ToolError with that."""
    return run_tool([*verilator(), "--lint-only", "--language", "1364-2001", "-Wall",
                     "--top-module", top, *files], cwd=files[0].parent, merged=True)  # fmt: skip
