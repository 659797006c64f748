# SPDX-License-Identifier: Apache-2.0
"""A technology of four cells and three layers made by hand, and a circuit in it."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.flow.layout.circuit import Cell, Circuit, Port
from headwater.flow.layout.def_writer import placed_def
from headwater.flow.layout.floorplan import Floorplan
from headwater.flow.layout.placement import Pad, Placed, Placement
from headwater.flow.layout.technology import Technology, technology_beside

LAYER = """LAYER {name}
  TYPE ROUTING ;
  DIRECTION {direction} ;
  PITCH {pitch} ;
  OFFSET {offset} ;
  WIDTH 0.5 ;
  RESISTANCE RPERSQ 0.1 ;
  CAPACITANCE CPERSQDIST 2e-05 ;
  EDGECAPACITANCE 6e-05 ;
END {name}
"""
PIN = """  PIN {name}
    DIRECTION {direction} ;
    USE {use} ;
    PORT
      LAYER metal1 ;
        RECT 0.2 1.0 0.6 1.4 ; # comment
    END
  END {name}
"""


def macro(name: str, width: float, *pins: tuple[str, str]) -> str:
    text = "".join(
        PIN.format(name=pin, direction=direction, use="SIGNAL") for pin, direction in pins
    )
    supplies = "".join(
        PIN.format(name=pin, direction="INOUT", use=use)
        for pin, use in (("vdd", "POWER"), ("gnd", "GROUND"))
    )
    return f"MACRO {name}\n  SIZE {width} BY 10.0 ;\n{text}{supplies}END {name}\n"


LEF = (
    "LAYER poly\n  TYPE MASTERSLICE ;\nEND poly\n"
    + LAYER.format(name="metal1", direction="HORIZONTAL", pitch=1, offset=0.5)
    + LAYER.format(name="metal2", direction="VERTICAL", pitch=0.8, offset=0.4)
    + LAYER.format(name="metal3", direction="HORIZONTAL", pitch=1, offset=0.5)
    + "VIA M2_M1 DEFAULT\n  LAYER metal1 ;\n    RECT -0.2 -0.2 0.2 0.2 ;\nEND M2_M1\n"
    + macro("FILL", 0.8)
    + macro("INV", 1.6, ("A", "INPUT"), ("Y", "OUTPUT"))
    + macro("DFF", 8.0, ("D", "INPUT"), ("C", "INPUT"), ("Q", "OUTPUT"))
    + macro("CB", 4.0, ("A", "INPUT"), ("Y", "OUTPUT"))
)
SCRIPT = """#!/usr/bin/tcsh
set leffile=tech.lef
set clkbufcell=CB\t;# the clock buffer
set clkbufpin_in=A\t;# its input
set clkbufpin_out=Y
set fillcell=FILL
set via_stacks="2"
set addspacers_options="-stripe 2.0 50.0 PG"
"""


def small_technology(place: Path) -> Technology:
    """The technology, in a folder below the given one."""
    folder = place / "tech"
    folder.mkdir()
    (folder / "tech.sh").write_text(SCRIPT)
    (folder / "tech.lef").write_text(LEF)
    return technology_beside(folder / "tech.lib")


def shift_register(stages: int) -> Circuit:
    """Registers one after another: in -> r0 -> r1 ... -> out."""
    nets = ["in", *(f"s{place}" for place in range(stages - 1)), "out"]
    cells = {
        f"r{place}": Cell("DFF", {"D": nets[place], "C": "clk", "Q": nets[place + 1]})
        for place in range(stages)
    }
    ports = {
        "clk": Port("input", ("clk",)),
        "in": Port("input", ("in",)),
        "out": Port("output", ("out",)),
    }
    return Circuit("shift", ports, cells)


def in_rows(circuit: Circuit, columns: int) -> Placement:
    """The cells of a circuit in rows without gaps."""
    cells = {
        name: Placed(
            "DFF",
            800 * (place % columns),
            1000 * (place // columns),
            800,
            "FS" if place // columns % 2 else "N",
        )
        for place, name in enumerate(circuit.cells)
    }
    pads = {name: Pad(-200, 500 + 100 * place, True) for place, name in enumerate(circuit.pads)}
    return Placement(cells, pads)


def routed_text(technology: Technology) -> tuple[Circuit, str]:
    """Two registers with their wires, as the router writes them."""
    circuit = shift_register(2)
    placement = in_rows(circuit, 2)
    text = placed_def(circuit, Floorplan.of(placement, technology))
    wires = {
        "clk": "metal1 ( 0 0 ) ( 1000 * ) M2_M1 \n  NEW metal2 ( 1000 0 ) ( * 500 ) ",
        "in": "metal1 ( 0 0 ) ( 300 * ) ",
        "s0": "metal1 ( 0 0 ) ( 200 * ) ( * 100 ) ",
        "out": "metal3 ( 0 0 ) ( 100 * ) ",
    }
    for net, wire in wires.items():
        entry = re.search(rf"^- {net}\n(  \(.*\n)*?  \(.*\) ;\n", text, re.MULTILINE)
        assert entry, net
        text = text.replace(entry[0], f"{entry[0][:-2]}\n+ ROUTED {wire};\n")
    return circuit, text
