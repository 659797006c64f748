# SPDX-License-Identifier: Apache-2.0
"""Where a core is measured: FPGA parts, and standard-cell libraries at one corner."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.errors import unknown
from headwater.flow.gatesim import iverilog_version
from headwater.flow.layout.open_pdk import outlines_of
from headwater.flow.layout.outlines import Outlines
from headwater.flow.layout.technology import Technology, technology_beside
from headwater.flow.liberty import Library, library_sha256, load_library
from headwater.flow.opensta import opensta_version
from headwater.flow.yosys import yosys_version
from headwater.measure.libraries import ALIASES, LIBRARIES, KnownLibrary
from headwater.measure.parts import PARTS, FpgaTarget


@dataclass(frozen=True)
class AsicTarget:
    """A standard-cell library of the user; no library is part of this package.

    ``source`` is the liberty file, or a known library whose file is looked for when it is used.
    """

    name: str
    title: str
    source: Path | KnownLibrary
    area_unit: str = "GE"

    kind = "standard cells"
    gives = "GE, FF, fmax, power and energy"

    def identity(self) -> dict[str, Any]:
        """What figures depend on besides tools: name and content of the library."""
        return {"name": self.name, "library_sha256": library_sha256(self._path())}

    def tools(self) -> dict[str, str]:
        """Versions of the tools that measure on this target."""
        return {
            "yosys": yosys_version(),
            "opensta": opensta_version(),
            "iverilog": iverilog_version(),
        }

    @property
    def liberty(self) -> Path:
        """The liberty file; if it is not found, a path that does not exist."""
        if isinstance(self.source, KnownLibrary):
            return self.source.find() or self.source.nominal
        return self.source

    def technology(self) -> Technology:
        """What a layout needs besides the library; an error if there is no such thing."""
        return technology_beside(self._place())

    def outlines(self) -> Outlines:
        """What a placement needs besides the library; an error if there is no such thing."""
        return outlines_of(self._place())

    def _place(self) -> Path:
        """The path of the liberty file, which need not exist where its place is known."""
        known = LIBRARIES.get(self.name)
        return known.nominal if known and known.folder else self._path()

    def library(self) -> Library:
        """The library, read from its file."""
        return load_library(self._path(), self.name)

    def _path(self) -> Path:
        return self.source.require() if isinstance(self.source, KnownLibrary) else self.source


Target = FpgaTarget | AsicTarget

__all__ = [
    "TARGETS",
    "AsicTarget",
    "FpgaTarget",
    "Target",
    "find",
    "found_here",
    "from_liberty",
]

_LIBRARIES = tuple(AsicTarget(name, library.title, library) for name, library in LIBRARIES.items())

_NAMED: tuple[Target, ...] = (*PARTS, *_LIBRARIES)

TARGETS: dict[str, Target] = {target.name: target for target in _NAMED}
"""Targets by name. Libraries without a name are given as files."""


def find(name: str) -> Target:
    """The target of that name; an error that lists all names if there is none."""
    name = ALIASES.get(name, name)
    if name not in TARGETS:
        raise unknown("target", name, TARGETS)
    return TARGETS[name]


def from_liberty(path: Path) -> AsicTarget:
    """The target of a liberty file, named after the file."""
    library = load_library(path)
    return AsicTarget(library.name, f"standard cells of {path.name}", path)


def found_here() -> list[str]:
    """The targets that can be measured: FPGA parts, and libraries whose file is found."""
    return [
        target.name
        for target in TARGETS.values()
        if not isinstance(target, AsicTarget) or target.liberty.exists()
    ]
