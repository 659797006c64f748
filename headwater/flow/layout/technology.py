# SPDX-License-Identifier: Apache-2.0
"""What place and route must know of a library: a folder that qflow's packages install.

The folder ``NAME`` has the shell script ``NAME.sh`` with the names of files and special cells, the
LEF of cells and layers, the parameters of the placer, and the technology file of Magic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from headwater.errors import InputError
from headwater.flow.layout.lef import read_lef
from headwater.flow.layout.outlines import Outlines

_DENSITY = 0.9
"""What placer and router reach."""


@dataclass(frozen=True)
class Technology(Outlines):
    """Files and cells for the layout of one library."""

    folder: Path
    via_stacks: str
    stripes: str
    """Options of qflow's script that adds power stripes."""

    @property
    def lef_file(self) -> Path:
        """The LEF of cells and layers."""
        return self.lef_files[0]

    @property
    def placer_file(self) -> Path:
        """Parameters of the placer."""
        return self.folder / f"{self.name}.par"

    def supply(self, use: str) -> str:
        """The net of ``POWER`` or ``GROUND``."""
        return self.lef.macros[self.fill_cell].supply(use) or use


def technology_beside(liberty: Path) -> Technology:
    """The technology in the folder of a liberty file; an error if there is none."""
    script = _script_beside(liberty)
    if not script.is_file():
        raise InputError(
            f"layout needs a library with a LEF file and qflow's technology, and beside "
            f"{liberty.name} there is no {script.name}; osu018 and osu035 have one"
        )
    return _read(script)


def has_technology(liberty: Path) -> bool:
    """Whether there is a technology in the folder of a liberty file."""
    return _script_beside(liberty).is_file()


def _script_beside(liberty: Path) -> Path:
    folder = liberty.absolute().parent
    return folder / f"{folder.name}.sh"


@lru_cache
def _read(script: Path) -> Technology:
    values = {
        name: value.strip('"')
        for name, value in re.findall(
            r'^set\s+(\w+)\s*=\s*("[^"]*"|[^\s;]*)', script.read_text(), re.MULTILINE
        )
    }
    try:
        lef_file = script.with_name(values["leffile"])
        return Technology(
            name=script.parent.name,
            folder=script.parent,
            lef=read_lef(lef_file),
            lef_files=(lef_file,),
            clock_buffer=values["clkbufcell"],
            clock_buffer_input=values["clkbufpin_in"],
            clock_buffer_output=values["clkbufpin_out"],
            fill_cell=values["fillcell"],
            density=_DENSITY,
            via_stacks=values.get("via_stacks", "all"),
            stripes=values.get("addspacers_options", ""),
        )
    except KeyError as error:
        raise InputError(f"{script} must set {error} for a layout") from error
