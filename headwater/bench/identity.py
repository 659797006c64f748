# SPDX-License-Identifier: Apache-2.0
"""What a result depends on, as a hash: equal hashes mean that measuring again gives the same.

The RTL depends on the cipher, the architecture and the sources that make Verilog of them. Figures
depend on that RTL (not on how it came about), on the target, the tools' versions, the flow's
settings and the sources that measure.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from headwater.bench.point import DesignPoint
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of

_PACKAGE = Path(__file__).parents[1]
_GENERATE = ("algebra", "cipher", "core", "emit", "flow/yosys.py")
_MEASURE = ("flow", "bench")
_NOT_MEASURING = {
    *(f"bench/{name}.py" for name in ("diff", "estimate", "export", "identity", "pareto", "plan",
                                      "replicate", "run", "store", "work", "workers")),
    *(f"flow/{name}" for name in ("harness.cpp", "models.py", "sat.py", "tools.py",
                                  "verilator.py")),
}  # fmt: skip
"""Sources that no figure depends on. A new file counts as one that measures until it is here."""

_GENERATORS = ("amaranth", "pyosys")
_MESSAGE_BITS = (64, 64000)


def rtl_identity(cipher: Cipher, architecture: Architecture) -> str:
    """Hash of all that the Verilog of an architecture depends on."""
    return _hash(
        {
            "cipher": cipher.name,
            "description": cipher.digest,
            "architecture": _plain(architecture),
            "sources": _sources(*_GENERATE),
            "tools": {name: version(name) for name in _GENERATORS},
        }
    )


def point_identity(point: DesignPoint, rtl_sha256: str) -> str:
    """Hash of all that the figures of a design point depend on.

    Raises
    ------
    ToolError
        If a tool or the library of the target is missing.
    """
    facts = facts_of(point.cipher, point.architecture)
    return _hash(
        {
            "cipher": point.cipher.name,
            "architecture": _plain(point.architecture),
            # Figures count cycles and bits that no Verilog tells.
            "facts": [
                facts.setup_cycles,
                facts.bits_per_cycle,
                *map(facts.message_cycles, _MESSAGE_BITS),
            ],
            "rtl": rtl_sha256,
            "target": point.target.identity(),
            "tools": point.target.tools(),
            "settings": point.settings.as_json(),
            "sources": _sources(*_MEASURE),
        }
    )


def _plain(architecture: Architecture) -> dict[str, Any]:
    return {
        "radix": architecture.radix,
        "load_width": architecture.load_width,
        "options": architecture.options,
    }


@lru_cache
def _sources(*places: str) -> str:
    """Hash of source files of this package: folders with all below them, or single files."""
    paths = {
        path
        for place in places
        for path in ([_PACKAGE / place] if "." in place else (_PACKAGE / place).rglob("*.*"))
        if path.suffix in (".py", ".cpp")
    }
    texts = {str(path.relative_to(_PACKAGE)): path.read_text() for path in paths}
    return _hash({name: text for name, text in texts.items() if name not in _NOT_MEASURING})


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
