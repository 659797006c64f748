# SPDX-License-Identifier: Apache-2.0
"""Gowin's families GW1N and GW2A: LUT4 and carry cells of a bit.

The multiplexers that make one wide LUT of up to sixteen are left out: with these multiplexers a
core takes two to four times the LUTs, and is slower.
"""

from __future__ import annotations

from headwater.flow.fpga.cells import FF, LUT, WIRING, Cells
from headwater.flow.fpga.family import SMALL_LUTS, Family, Way
from headwater.flow.fpga.packing import Packing

_BLOCK_RAM = Cells(memory=1)


def _gowin(name: str, family: str) -> Family:
    return Family(
        name=name,
        synth=f"synth_gowin -family {family} -noflatten -noiopads -nowidelut",
        ways={"area": Way(before=SMALL_LUTS), "speed": Way()},
        costs={
            "LUT[1-4]": LUT,
            "ALU": Cells(lut=1, carry=1),
            "DFF*": FF,
            "GND": WIRING,
            "VCC": WIRING,
            "RAM16*": Cells(lut=4, memory=1),
            "DPB": _BLOCK_RAM,
            "DPX9B": _BLOCK_RAM,
            "SDPB": _BLOCK_RAM,
            "SDPX9B": _BLOCK_RAM,
            "SP": _BLOCK_RAM,
            "SPX9": _BLOCK_RAM,
            "pROM*": _BLOCK_RAM,
        },
        nextpnr="himbaechel-gowin",
        join=("iopadmap -bits -inpad IBUF O:I -outpad OBUF I:O",),
        placed_ff="DFF",
        # Three of the four slices of a logic block have flip-flops.
        packing=Packing("slice", 2, 1.5),
    )


GW1N = _gowin("GW1N", "gw1n")
GW2A = _gowin("GW2A", "gw2a")
