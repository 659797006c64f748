# SPDX-License-Identifier: Apache-2.0
"""Where a core is measured: FPGA parts, and standard-cell libraries at one corner."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headwater.bench.parts import PARTS, FpgaTarget
from headwater.errors import ToolError, unknown
from headwater.flow.liberty import Library, load_library
from headwater.flow.opensta import opensta_version
from headwater.flow.yosys import yosys_version


@dataclass(frozen=True)
class AsicTarget:
    """A standard-cell library, which the user has: none is part of this package."""

    name: str
    title: str
    liberty: Path
    install: str = ""
    area_unit: str = "GE"

    kind = "standard cells"
    gives = "GE, FF, fmax, power and energy"

    def identity(self) -> dict[str, Any]:
        """What figures depend on, beside the tools."""
        return {"name": self.name, "library_sha256": self.library().sha256}

    def tools(self) -> dict[str, str]:
        """Versions of the tools that measure here.

        Raises
        ------
        ToolError
            If one is missing.
        """
        return {"yosys": yosys_version(), "opensta": opensta_version()}

    def library(self) -> Library:
        """The library, read; an error with the command that installs it if it is not there."""
        if self.install and not self.liberty.exists():
            raise ToolError(
                f"the library of target {self.name} is not installed; "
                f"install it with: {self.install}"
            )
        return load_library(self.liberty, self.name)


Target = FpgaTarget | AsicTarget

__all__ = ["TARGETS", "AsicTarget", "FpgaTarget", "Target", "find", "from_liberty"]

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        *PARTS,
        AsicTarget("osu018", "OSU 0.18 um standard cells, typical, 1.8 V, 25 C",
                   Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"),
                   install="apt-get install qflow-tech-osu018"),
    )
}  # fmt: skip
"""The targets that have a name; any other library is given as a file."""


def find(name: str) -> Target:
    """The target of that name; an error that lists all names if there is none."""
    if name not in TARGETS:
        raise unknown("target", name, TARGETS)
    return TARGETS[name]


def from_liberty(path: Path) -> AsicTarget:
    """The target that a liberty file is: it is named after the file."""
    library = load_library(path)
    return AsicTarget(library.name, f"standard cells of {path.name}", path)
