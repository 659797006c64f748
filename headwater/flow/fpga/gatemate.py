# SPDX-License-Identifier: Apache-2.0
"""Cologne Chip GateMate: elements of two halves, each a tree of two-input LUTs and a flip-flop.

One half counts as a LUT: a tree of four inputs takes one half, a tree of five inputs both.
"""

from __future__ import annotations

from headwater.flow.fpga.cells import FF, LUT, Cells
from headwater.flow.fpga.family import Family, Way
from headwater.flow.fpga.packing import Packing

GATEMATE = Family(
    name="GateMate",
    # nextpnr takes neither plain LUTs nor the multiplexer of eight.
    synth="synth_gatemate -noflatten -noiopad -noclkbuf -luttree -nomx8",
    ways={"area": Way(before=("scratchpad -set abc.script +strash;dch;map,-a",)), "speed": Way()},
    costs={
        "CC_LUT[12]": LUT,
        "CC_L2T4": LUT,
        "CC_L2T5": Cells(lut=2),
        "CC_MX2": LUT,
        "CC_MX4": Cells(lut=2),
        "CC_ADDF": Cells(lut=1, carry=1),
        "CC_DFF": FF,
        "CC_BRAM_*": Cells(memory=1),
    },
    nextpnr="himbaechel-gatemate",
    join=(
        "autoname",
        "iopadmap -bits -inpad CC_IBUF Y:I -outpad CC_OBUF A:O",
        "clkbufmap -buf CC_BUFG O:I",
    ),
    # nextpnr chooses the pins.
    arguments=("--vopt", "allow-unconstrained"),
    placed_ff="CPE_FF",
    packing=Packing("element", 2, 2),
)
