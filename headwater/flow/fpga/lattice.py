# SPDX-License-Identifier: Apache-2.0
"""Lattice's families of LUT4 slices with carry cells of two bits: ECP5, MachXO2 and Nexus."""

from __future__ import annotations

from headwater.flow.fpga.cells import FF, LUT, WIRING, Cells
from headwater.flow.fpga.family import SMALL_LUTS, Family, Way

_CARRY, _LUT_RAM, _BLOCK_RAM = Cells(lut=2, carry=1), Cells(lut=4, memory=1), Cells(memory=1)

# The multiplexers that make one wide LUT of several save levels and cost LUTs.
_NARROW = "-nowidelut"

ECP5 = Family(
    name="ECP5",
    synth="synth_ecp5 -noflatten",
    ways={"area": Way(_NARROW, SMALL_LUTS), "balanced": Way(_NARROW), "speed": Way()},
    costs={
        "LUT4": LUT,
        "PFUMX": WIRING,
        "L6MUX21": WIRING,
        "CCU2C": _CARRY,
        "TRELLIS_FF": FF,
        "TRELLIS_DPR16X4": _LUT_RAM,
        "DP16KD": _BLOCK_RAM,
        "PDPW16KD": _BLOCK_RAM,
    },
    nextpnr="ecp5",
    placed_ff="TRELLIS_FF",
)

MACHXO2 = Family(
    name="MachXO2",
    synth="synth_lattice -family xo2 -noflatten",
    ways={"area": Way(_NARROW, SMALL_LUTS), "balanced": Way(_NARROW), "speed": Way("-widelut")},
    costs={
        "LUT4": LUT,
        "PFUMX": WIRING,
        "L6MUX21": WIRING,
        "CCU2D": _CARRY,
        "TRELLIS_FF": FF,
        "TRELLIS_DPR16X4": _LUT_RAM,
        "DP8KC": _BLOCK_RAM,
        "PDPW8KC": _BLOCK_RAM,
    },
    nextpnr="machxo2",
    # nextpnr chooses among eight clock buffers, two of which do not reach the leftmost columns.
    join=(
        "setattr -set clkbuf_sink 1 =TRELLIS_FF/w:CLK",
        "clkbufmap -buf DCCA CLKO:CLKI",
        'setattr -set BEL "X12/Y6/DCC0" t:DCCA',
    ),
    placed_ff="TRELLIS_FF",
)

# Yosys ties the carry input of the first cell of a chain to zero; nextpnr expects it to be open.
_OPEN_CARRY = """\
module CCU2(input CIN, A0, B0, C0, D0, A1, B1, C1, D1, output S0, S1, COUT);
  parameter INIT0 = "0x0000", INIT1 = "0x0000", INJECT = "YES";
  parameter _TECHMAP_CONSTMSK_CIN_ = 0;
  wire _TECHMAP_FAIL_ = !_TECHMAP_CONSTMSK_CIN_;
  CCU2 #(.INIT0(INIT0), .INIT1(INIT1), .INJECT(INJECT)) _TECHMAP_REPLACE_ (
    .A0(A0), .B0(B0), .C0(C0), .D0(D0), .S0(S0),
    .A1(A1), .B1(B1), .C1(C1), .D1(D1), .S1(S1), .COUT(COUT)
  );
endmodule
"""
_CONSTANTS = """\
module VLO(output Z); assign Z = 1'b0; endmodule
module VHI(output Z); assign Z = 1'b1; endmodule
"""

NEXUS = Family(
    name="Nexus",
    synth="synth_nexus -noflatten -noiopad",
    ways={"area": Way(_NARROW, SMALL_LUTS), "balanced": Way(_NARROW), "speed": Way()},
    costs={
        "LUT4": LUT,
        "INV": LUT,
        "WIDEFN9": Cells(lut=2),
        "CCU2": _CARRY,
        "FD1P3?X": FF,
        "VLO": WIRING,
        "VHI": WIRING,
        "DPR16X4": _LUT_RAM,
        "*SC16K*": _BLOCK_RAM,
        "DP16K*": _BLOCK_RAM,
    },
    nextpnr="nexus",
    join=(
        "techmap -map constants.v",
        "clean",
        "techmap -map open_carry.v",
        "clean",
        "hilomap -singleton -hicell VHI Z -locell VLO Z",
        "iopadmap -bits -inpad IB O:I -outpad OB I:O",
    ),
    files={"constants.v": _CONSTANTS, "open_carry.v": _OPEN_CARRY},
    placed_ff="OXIDE_FF",
)
