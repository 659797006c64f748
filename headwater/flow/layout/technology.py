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
from headwater.flow.layout.lef import Lef, read_lef


@dataclass(frozen=True)
class Technology:
    """Files and cells for the layout of one library."""

    name: str
    folder: Path
    lef: Lef
    lef_file: Path
    clock_buffer: str
    clock_buffer_input: str
    clock_buffer_output: str
    fill_cell: str
    via_stacks: str
    stripes: str
    """Options of qflow's script that adds power stripes."""

    @property
    def placer_file(self) -> Path:
        """Parameters of the placer."""
        return self.folder / f"{self.name}.par"

    @property
    def row_height(self) -> float:
        """Height of a row of cells, in micrometres."""
        return self.lef.macros[self.fill_cell].height

    @property
    def site_width(self) -> float:
        """Cells are this wide, or a multiple."""
        return self.lef.macros[self.fill_cell].width

    def supply(self, use: str) -> str:
        """The net of ``POWER`` or ``GROUND``."""
        return self.lef.macros[self.fill_cell].supply(use) or use


def technology_beside(liberty: Path) -> Technology:
    """The technology in the folder of a liberty file; an error if there is none."""
    folder = liberty.absolute().parent
    script = folder / f"{folder.name}.sh"
    if not script.is_file():
        raise InputError(
            f"layout needs a library with a LEF file and qflow's technology, and beside "
            f"{liberty.name} there is no {script.name}; osu018 and osu035 have one"
        )
    return _read(script)


@lru_cache
def _read(script: Path) -> Technology:
    values = {
        name: value.strip('"')
        for name, value in re.findall(r'^set\s+(\w+)\s*=\s*("[^"]*"|[^\s;]*)', script.read_text(),
                                      re.MULTILINE)
    }  # fmt: skip
    try:
        lef_file = script.with_name(values["leffile"])
        return Technology(
            name=script.parent.name,
            folder=script.parent,
            lef=read_lef(lef_file),
            lef_file=lef_file,
            clock_buffer=values["clkbufcell"],
            clock_buffer_input=values["clkbufpin_in"],
            clock_buffer_output=values["clkbufpin_out"],
            fill_cell=values["fillcell"],
            via_stacks=values.get("via_stacks", "all"),
            stripes=values.get("addspacers_options", ""),
        )
    except KeyError as error:
        raise InputError(f"{script} must set {error} for a layout") from error
