# SPDX-License-Identifier: Apache-2.0
"""The tools of a layout, and their versions."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from headwater.flow.process import find_program, program_version

GRAYWOLF = "apt-get install graywolf"
QROUTER = "apt-get install qrouter"
QFLOW = "apt-get install qflow"
MAGIC = "apt-get install magic"

_DIGITS = 12


@lru_cache
def layout_tools() -> dict[str, str]:
    """Versions of placer, router and the scripts around them. The placer tells no version, so the
    hash of its program stands for it."""
    program = find_program("graywolf", GRAYWOLF).read_bytes()
    return {
        "graywolf": hashlib.sha256(program).hexdigest()[:_DIGITS],
        "qrouter": program_version("qrouter", "-h", QROUTER),
        "qflow": program_version("qflow", "--version", QFLOW),
    }
