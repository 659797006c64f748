# SPDX-License-Identifier: Apache-2.0
"""Xilinx families, which no open tool here places: cells, and the least number of slices that hold
them.

A register that only shifts can be made of LUTs: one SRL holds 16 bits of it (32 in series 7), if
nothing reads in between, all share an enable and none has a reset. Counts of LUTs differ in whether
they allow this, so both counts are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from headwater.flow.fpga.cells import FF, LUT, WIRING, Cells
from headwater.flow.fpga.family import SMALL_LUTS, Family, Way
from headwater.flow.fpga.packing import Packing

_CARRY, _SRL, _BLOCK_RAM = Cells(carry=1), Cells(lut=1, srl=1), Cells(memory=1)


@dataclass(frozen=True)
class Xilinx(Family):
    """A Xilinx family, which is counted in slices."""

    __hash__ = Family.__hash__

    def slices(self, cells: Cells) -> int:
        """The least number of slices."""
        return self.packing.least(cells.lut, cells.ff)


class _Spartan3(Xilinx):
    """Yosys finds shift registers here if it is told to, but has no cells to put them in."""

    def cost(self, cell: Mapping[str, Any]) -> Cells:
        if cell["type"] == "$__XILINX_SHREG_":
            return _SRL * -(-int(cell["parameters"]["DEPTH"], 2) // 16)
        return super().cost(cell)


_COSTS = {
    "LUT[1-6]": LUT,
    "INV": LUT,
    "MUXF[5-8]": WIRING,
    "MUXCY": _CARRY,
    "XORCY": WIRING,
    "CARRY4": _CARRY,
    "FD[RSCP]E*": FF,
    "SRL16E": _SRL,
    "SRLC32E": _SRL,
    "RAM32M": Cells(lut=4, memory=1),
    "RAM64M": Cells(lut=4, memory=1),
    "RAM16X1D": Cells(lut=2, memory=1),
    "RAM32X1D": Cells(lut=2, memory=1),
    "RAMB*": _BLOCK_RAM,
}
_SYNTH = "synth_xilinx -family {} -flatten -noiopad -noclkbuf"
_NO_SRL = "-nosrl"
_NARROW = "-nowidelut"

_FIND_SRL = ("xilinx_srl -fixed -minlen 3", "clean")

# Without the multiplexers that join LUTs: Yosys 0.70 follows every path of a cone when it reads
# such a mapping back, which does not end for the S-boxes of SNOW 3G.
SPARTAN3 = _Spartan3(
    name="Spartan-3",
    synth=_SYNTH.format("xc3s"),
    ways={
        "area": Way(f"{_NARROW} {_NO_SRL}", SMALL_LUTS, _FIND_SRL),
        "area without SRL": Way(f"{_NARROW} {_NO_SRL}", SMALL_LUTS),
        "speed": Way(f"{_NARROW} {_NO_SRL}", after=_FIND_SRL),
        "speed without SRL": Way(f"{_NARROW} {_NO_SRL}"),
    },
    costs=_COSTS,
)

SERIES7 = Xilinx(
    name="series 7",
    synth=_SYNTH.format("xc7"),
    ways={
        "area": Way(_NARROW, SMALL_LUTS),
        "area without SRL": Way(f"{_NARROW} {_NO_SRL}", SMALL_LUTS),
        "speed": Way(),
        "speed without SRL": Way(_NO_SRL),
    },
    costs=_COSTS,
    packing=Packing("slice", 4, 8),
)
