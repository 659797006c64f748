# SPDX-License-Identifier: Apache-2.0
"""The FPGA parts that cores are measured on.

Each part is listed in one speed grade, which its title names.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from headwater.flow.fpga.family import Part
from headwater.flow.fpga.gatemate import GATEMATE
from headwater.flow.fpga.gowin import GW1N, GW2A
from headwater.flow.fpga.ice40 import ICE40
from headwater.flow.fpga.lattice import ECP5, MACHXO2, NEXUS
from headwater.flow.fpga.nextpnr import nextpnr_version
from headwater.flow.fpga.xilinx import SERIES7, SPARTAN3
from headwater.flow.yosys import yosys_version

_NO_PLACER = "no open place and route for this family"
_NO_POWER = "no open model of power for this family"


@dataclass(frozen=True)
class FpgaTarget:
    """An FPGA part."""

    name: str
    title: str
    part: Part

    kind = "FPGA"

    @property
    def area_unit(self) -> str:
        """What throughput per area divides by."""
        return self.part.family.packing.unit

    @property
    def is_placed(self) -> bool:
        """Whether cores are placed and routed on this part; otherwise there is no frequency."""
        return bool(self.part.family.nextpnr)

    @property
    def gives(self) -> str:
        """The figures that are measured on this part, in words."""
        cells = "LUT, FF, carry and memory cells"
        return f"{cells}, fmax over seeds" if self.is_placed else f"{cells}, SRL, least slices"

    @property
    def absent(self) -> dict[str, str]:
        """Figures that are absent on this part, and why; figures derived from them are absent as
        well."""
        power = {"power_mw": _NO_POWER}
        return power if self.is_placed else {"fmax_mhz": _NO_PLACER, **power}

    def identity(self) -> dict[str, Any]:
        """What figures depend on besides tools: the part, and how its family is mapped."""
        return {"name": self.name, **asdict(self.part)}

    def tools(self) -> dict[str, str]:
        """Versions of the tools that measure here."""
        versions = {"yosys": yosys_version()}
        if self.is_placed:
            family = self.part.family
            versions[f"nextpnr-{family.nextpnr}"] = nextpnr_version(family)
        return versions


def _ecp5(size: int) -> Part:
    return Part(
        ECP5,
        f"LFE5U-{size}F",
        "CABGA381",
        "6",
        (f"--{size}k", "--package", "CABGA381", "--speed", "6"),
    )


def _gowin_pins(clock: str, serial_in: str, serial_out: str) -> str:
    """Pin constraints, because nextpnr for Gowin places no pin by itself."""
    pins = {"clk": clock, "serial_in": serial_in, "serial_out": serial_out}
    return "".join(f'IO_LOC "{port}" {pin};\n' for port, pin in pins.items())


_GW1N9 = Part(
    GW1N,
    "GW1NR-LV9QN88PC6/I5",
    "QN88P",
    "C6/I5",
    ("--device", "GW1NR-LV9QN88PC6/I5", "--vopt", "family=GW1N-9C", "--vopt", "cst=pins"),
    pins=_gowin_pins("52", "10", "11"),
)

_GW2A18 = Part(
    GW2A,
    "GW2A-LV18PG256C8/I7",
    "PBGA256",
    "C8/I7",
    ("--device", "GW2A-LV18PG256C8/I7", "--vopt", "family=GW2A-18", "--vopt", "cst=pins"),
    pins=_gowin_pins("H11", "A2", "A3"),
)

# nextpnr for Nexus places no pin by itself either; the pin of the clock must reach the clock
# network.
_LIFCL40 = Part(
    NEXUS,
    "LIFCL-40-9BG400C",
    "BG400",
    "9",
    ("--device", "LIFCL-40-9BG400C", "--pdc", "pins"),
    pins="ldc_set_location -site {E11} [get_ports clk]\n"
    "ldc_set_location -site {F13} [get_ports serial_in]\n"
    "ldc_set_location -site {F14} [get_ports serial_out]\n",
)

PARTS = (
    FpgaTarget("ecp5-25k", "Lattice ECP5 LFE5U-25F, speed grade 6", _ecp5(25)),
    FpgaTarget("ecp5-85k", "Lattice ECP5 LFE5U-85F, speed grade 6", _ecp5(85)),
    FpgaTarget(
        "ice40-hx8k",
        "Lattice iCE40 HX8K",
        Part(ICE40, "iCE40HX8K", "CT256", None, ("--hx8k", "--package", "ct256")),
    ),
    FpgaTarget(
        "ice40-up5k",
        "Lattice iCE40 UltraPlus UP5K",
        Part(ICE40, "iCE40UP5K", "SG48", None, ("--up5k", "--package", "sg48")),
    ),
    FpgaTarget("gowin-gw1n9", "Gowin GW1NR-9, speed grade C6/I5", _GW1N9),
    FpgaTarget("gowin-gw2a18", "Gowin GW2A-18, speed grade C8/I7", _GW2A18),
    FpgaTarget("nexus-lifcl40", "Lattice CrossLink-NX LIFCL-40, speed grade 9", _LIFCL40),
    FpgaTarget(
        "machxo2-1200",
        "Lattice MachXO2 LCMXO2-1200HC, speed grade 6",
        Part(MACHXO2, "LCMXO2-1200HC-6TG144C", "TG144", "6", ("--device", "LCMXO2-1200HC-6TG144C")),
    ),
    FpgaTarget(
        "gatemate-a1",
        "Cologne Chip GateMate CCGM1A1 (a LUT is half an element)",
        Part(GATEMATE, "CCGM1A1", None, None, ("--device", "CCGM1A1")),
    ),
    FpgaTarget("spartan3", "Xilinx Spartan-3, area only", Part(SPARTAN3, "xc3s")),
    FpgaTarget("xc7", "Xilinx series 7, area only", Part(SERIES7, "xc7")),
)
"""The parts that have a name."""
