# SPDX-License-Identifier: Apache-2.0
"""The tools of a layout, and their versions."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from headwater.flow.process import find_program, package_version, program_version

GRAYWOLF = "apt-get install graywolf"
QROUTER = "apt-get install qrouter"
QFLOW = "apt-get install qflow"
MAGIC = "apt-get install magic"
COLOQUINTE = "pip install 'headwater[placement]'"

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


def placement_tools(lef_sha256: str) -> dict[str, str]:
    """Version of the placer whose wires are estimated, and the hash of the outlines that it got."""
    return {
        "coloquinte": package_version("coloquinte", COLOQUINTE),
        "lef": lef_sha256[:_DIGITS],
    }
