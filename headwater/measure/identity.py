# SPDX-License-Identifier: Apache-2.0
"""What a result depends on, as a hash: equal hashes mean that measuring again gives the same.

The RTL depends on the cipher, the architecture and the sources that make Verilog of them. Figures
depend on the text of the RTL (not on the sources that made it), on the target, the tools' versions,
the flow's settings and the sources that measure.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from headwater import sources
from headwater.cipher.description import Cipher
from headwater.cipher.outside import is_from_outside
from headwater.core.architecture import Architecture
from headwater.kinds.registry import files_of
from headwater.kinds.stepped.prng.shape import source_of
from headwater.measure.facts import facts_at
from headwater.measure.point import DesignPoint

_NO_PART = frozenset({"errors.py", "sources.py", "cipher"})
"""Imports of these sources that no figure depends on. Descriptions have their own hash."""

_ABOVE = frozenset({"codesign", "report", "package", "api", "cli"})
"""The layers above this one."""
_OF_SOURCES = frozenset({".py", ".v", ".sv", ".cpp", ".c", ".h", ".tcl", ".json"})

_GENERATORS = ("amaranth", "pyosys")
_MESSAGE_BITS = (64, 64000)


def rtl_identity(cipher: Cipher, architecture: Architecture) -> str:
    """Hash of all that the Verilog of an architecture depends on."""
    return _hash(
        {
            "cipher": cipher.name,
            "description": cipher.digest,
            "architecture": _plain(architecture),
            "sources": _sources(*_made_by(cipher, architecture)),
            "tools": {name: version(name) for name in _GENERATORS},
        }
    )


def point_identity(point: DesignPoint, circuit_sha256: str) -> str:
    """Hash of all that the figures of a design point depend on."""
    facts = facts_at(point.cipher, point.architecture)
    return _hash(
        {
            "cipher": point.cipher.name,
            # Results of a cipher from outside are shown with their description alone.
            **({"description": point.cipher.digest} if is_from_outside(point.cipher.name) else {}),
            "architecture": _plain(point.architecture),
            # Figures also depend on counts of cycles and bits, which the Verilog does not contain.
            "facts": [
                facts.setup_cycles,
                facts.bits_per_cycle,
                *map(facts.message_cycles, _MESSAGE_BITS),
            ],
            "circuit": circuit_sha256,
            "target": point.target.identity(),
            "tools": point.tools,
            "settings": point.settings.as_json(),
            "sources": _sources("measure/work.py", *_measured_with(point.cipher)),
        }
    )


@lru_cache
def measuring_sources() -> str:
    """Hash of all sources that may take part in measuring any cipher: a worker must have the same.

    Wider than what the figures of one point depend on: it is read by each worker once."""
    paths = (path for path in sources.PACKAGE.rglob("*") if path.suffix in _OF_SOURCES)
    measuring = (path for path in paths if path.relative_to(sources.PACKAGE).parts[0] not in _ABOVE)
    return sources.sha256(measuring, sources.text)


def _made_by(cipher: Cipher, architecture: Architecture) -> list[str]:
    """The files that make the Verilog."""
    # The registry imports a kind's record by name, so no import statement leads to it.
    files = ["emit/verilog.py", str(files_of(cipher) / "record.py")]
    if architecture.streams > 1:
        files.append("core/interleaving/core.py")
    if source_of(cipher, architecture):
        files += ["emit/prng.py", "emit/templates/prng.v", "emit/templates/prng_flat.v"]
    return files


def _plain(architecture: Architecture) -> dict[str, Any]:
    return {
        "radix": architecture.radix,
        "load_width": architecture.load_width,
        "options": architecture.options,
    }


def _measured_with(cipher: Cipher) -> list[str]:
    """The files of a kind that figures depend on besides the Verilog: cycle counts, and the model
    whose output that of the simulated netlist must be."""
    folder = files_of(cipher)
    return sorted(str(path) for name in ("*facts.py", "*model*.py") for path in folder.glob(name))


@lru_cache
def _sources(*starts: str) -> str:
    """Hash of source files, by their place in this package or in full, and of all that they
    import."""
    paths = (sources.PACKAGE / start for start in starts)
    return sources.closure_sha256(paths, without=_NO_PART)


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
