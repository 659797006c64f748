# SPDX-License-Identifier: Apache-2.0
"""Files of a layout that are read and written: LEF, netlists, placements, DEF, SPEF."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_technology import LEF, SCRIPT, in_rows, routed_text, shift_register

from headwater.errors import InputError, ToolError
from headwater.flow.layout import placement as placement_module
from headwater.flow.layout.circuit import circuit_of
from headwater.flow.layout.def_writer import placed_def
from headwater.flow.layout.floorplan import Floorplan
from headwater.flow.layout.parasitics import extract, read_wires
from headwater.flow.layout.placement import Pad, Placed, Placement, read_placement
from headwater.flow.layout.routed import Segment, read_routed
from headwater.flow.layout.routing import UnroutedError
from headwater.flow.layout.spef import spef
from headwater.flow.layout.technology import Technology, technology_beside

# Reading


def test_technology_and_its_lef(technology: Technology) -> None:
    assert (technology.clock_buffer, technology.via_stacks) == ("CB", "2")
    assert technology.stripes == "-stripe 2.0 50.0 PG"
    assert (technology.site_width, technology.row_height) == (0.8, 10.0)
    assert (technology.supply("POWER"), technology.supply("GROUND")) == ("vdd", "gnd")
    lef = technology.lef
    assert [(layer.name, layer.horizontal) for layer in lef.layers] == [
        ("metal1", True),
        ("metal2", False),
        ("metal3", True),
    ]
    assert lef.layers[1].pitch == 0.8
    assert lef.macros["DFF"].pins["Q"].direction == "OUTPUT"
    assert lef.macros["INV"].pins["A"].shapes == [("metal1", (0.2, 1.0, 0.6, 1.4))]


def test_library_without_a_technology(tmp_path: Path) -> None:
    expected = (
        f"layout needs a library with a LEF file and qflow's technology, and beside some.lib there "
        f"is no {tmp_path.name}.sh; osu018 and osu035 have one"
    )
    with pytest.raises(InputError, match=f"^{re.escape(expected)}$"):
        technology_beside(tmp_path / "some.lib")


def test_script_that_names_no_clock_buffer(tmp_path: Path) -> None:
    script = tmp_path / f"{tmp_path.name}.sh"
    script.write_text(SCRIPT.replace("clkbufcell", "other"))
    (tmp_path / "tech.lef").write_text(LEF)
    with pytest.raises(InputError, match=r"must set 'clkbufcell' for a layout$"):
        technology_beside(tmp_path / "some.lib")


def test_broken_lef(tmp_path: Path) -> None:
    (tmp_path / f"{tmp_path.name}.sh").write_text(SCRIPT)
    (tmp_path / "tech.lef").write_text(LEF.replace("WIDTH 0.5", "WIDTH wide"))
    with pytest.raises(InputError, match=r"^the cells' LEF must be a readable file, not .*wide"):
        technology_beside(tmp_path / "some.lib")


def module() -> dict[str, object]:
    """A module as Yosys writes it: a bus, a net named twice, and names that clash when plain."""
    return {
        "ports": {
            "clk": {"direction": "input", "bits": [2]},
            "d": {"direction": "input", "bits": [3, 4]},
            "q": {"direction": "output", "bits": [5, "0", 5]},
        },
        "cells": {
            "$1": {"type": "INV", "connections": {"A": [3], "Y": [6]}},
            "a.b": {"type": "INV", "connections": {"A": [6], "Y": [7]}},
            "r": {"type": "DFF", "connections": {"D": [7], "C": [2], "Q": [5]}},
        },
        "netnames": {
            "s": {"bits": [6, 7]},
            "a_b": {"bits": [7]},
            "q": {"bits": [5, "0", 5]},
        },
    }


def test_names_of_nets_and_cells() -> None:
    circuit = circuit_of(module(), "top")
    assert circuit.ports["q"].nets == ("q[0]", "0", "q[0]")
    assert circuit.cells["a_b"].nets == {"A": "s_0_", "Y": "s_1_"}
    assert circuit.pads == {
        "clk": "clk",
        "d[0]": "d[0]",
        "d[1]": "d[1]",
        "q[0]": "q[0]",
        "q[2]": "q[0]",
    }
    assert circuit.verilog() == (
        "module top (clk, d, q);\n"
        "  input clk;\n"
        "  input [1:0] d;\n"
        "  output [2:0] q;\n"
        "  wire s_0_;\n"
        "  wire s_1_;\n"
        "  INV _1 (.A(d[0]), .Y(s_0_));\n"
        "  INV a_b (.A(s_0_), .Y(s_1_));\n"
        "  DFF r (.D(s_1_), .C(clk), .Q(q[0]));\n"
        "  assign q[1] = 1'b0;\n"
        "  assign q[2] = q[0];\n"
        "endmodule\n"
    )


def test_ports_that_share_a_net_are_taken_apart() -> None:
    given = module()
    # An output that is an input, and comes before it.
    given["ports"] = {"e": {"direction": "output", "bits": [3]}, **given["ports"]}
    circuit = circuit_of(given, "top").with_ports_apart("BUF", "I", "O")
    assert list(circuit.pads) == list(circuit.pads.values())
    assert circuit.ports["q"].nets == ("q[0]", "0", "q[2]")
    buffers = {tuple(cell.nets.items()) for cell in circuit.cells.values() if cell.kind == "BUF"}
    assert buffers == {(("I", "d[0]"), ("O", "e")), (("I", "q[0]"), ("O", "q[2]"))}
    assert len(circuit.cells) == 5
    assert circuit.with_ports_apart("BUF", "I", "O") == circuit


def test_net_and_cell_do_not_share_a_name() -> None:
    given = module()
    given["netnames"] = {"a_b": {"bits": [6]}, "s": {"bits": [7]}}
    circuit = circuit_of(given, "top")
    assert circuit.cells["a_b"].nets == {"A": "a_b_", "Y": "s"}


def test_constant_input_is_refused() -> None:
    given = module()
    given["cells"] = {"g": {"type": "INV", "connections": {"A": ["1"], "Y": [5]}}}
    with pytest.raises(ToolError, match=r"^a cell of top is tied to a constant"):
        circuit_of(given, "top")


PLACED = """r0 -400 0 400 1000 0 1
r1 400 0 1200 1000 2 1
twfeed1 1200 0 1280 1000 0 1
twpin_clk -600 450 -500 550 0 -1
twpin_in 0 1300 100 1400 0 -3
twpin_out 200 1300 300 1400 0 -3
"""


def test_placement_as_graywolf_writes_it() -> None:
    placement = read_placement(PLACED, shift_register(2))
    assert placement.cells == {
        "r0": Placed("DFF", -400, 0, 800, "N"),
        "r1": Placed("DFF", 400, 0, 800, "FN"),
    }
    assert placement.pads["clk"] == Pad(-550, 500, True)
    assert placement.pads["out"] == Pad(250, 1350, False)


def test_seed_of_the_placer() -> None:
    given = "*rowSep : 0.0\n*random.seed\t      : 12345\n*gridX : 80\n"
    assert placement_module._parameters(given, None) == given
    assert placement_module._parameters(given, 7) == given.replace("12345", "7")
    assert placement_module._parameters("*gridX : 80", 7) == "*gridX : 80\n*random.seed : 7\n"


def test_cell_without_a_place() -> None:
    with pytest.raises(ToolError, match=r"^graywolf did not place 1 cells, among them r2$"):
        read_placement(PLACED, shift_register(3))


# DEF


def test_what_is_written_is_read_again(technology: Technology) -> None:
    circuit, text = routed_text(technology)
    routed = read_routed(text)
    assert routed.circuit(circuit) == circuit
    assert routed.die == (-240, -300, 1920, 1400)
    assert (routed.components["r1"].x, routed.components["r1"].y) == (840, 50)
    assert routed.pins == {"clk": (-160, 600), "in": (-160, 700), "out": (-160, 800)}
    assert routed.nets["clk"].pins == [("PIN", "clk"), ("r0", "C"), ("r1", "C")]
    assert routed.nets["clk"].segments == [
        Segment("metal1", (0, 0), (1000, 0)),
        Segment("metal2", (1000, 0), (1000, 500)),
    ]
    assert (routed.nets["clk"].length_um, routed.nets["clk"].vias) == (15.0, 1)
    assert routed.nets["s0"].length_um == 3.0


def test_two_pins_at_one_place_are_moved_apart(technology: Technology) -> None:
    circuit = shift_register(2)
    placement = in_rows(circuit, 2)
    pads = dict.fromkeys(placement.pads, Pad(-200, 500, True))
    plan = Floorplan.of(Placement(placement.cells, pads), technology)
    places = read_routed(placed_def(circuit, plan)).pins.values()
    assert list(places) == [(-160, 600), (-160, 700), (-160, 800)]


# Resistance and capacitance

RC = """clk 1 PIN/clk 2 ( 2.0 0.001 ( 1.0 0.0005 r0/C ) , ( 1.0 0.0005 r1/C ) )
in 1 PIN/in 1 ( 1.0 0.001 r0/D )
s0 1 r0/Q 1 ( 1.0 0.001 r1/D )
out 1 r1/Q 1 ( 1.0 0.001 ERROR )
"""


def test_totals_follow_from_the_segments(technology: Technology) -> None:
    _, text = routed_text(technology)
    layers = {layer.name: layer for layer in technology.lef.layers}
    wires = extract(read_routed(text), read_wires(RC), layers)
    # 15 um of wire 0.5 um wide: 30 squares of 0.1 ohm; 7.5 um2 of 2e-5 pF, 30 um of edge of 6e-5.
    assert wires["clk"].ohm == pytest.approx(3.0)
    assert wires["clk"].pf == pytest.approx(15 * (0.5 * 2e-5 + 2 * 6e-5))
    # Shared among the branches as the router says.
    assert wires["clk"].tree.branches[0].pf == pytest.approx(wires["clk"].pf / 4)
    assert wires["out"].tree.pins == ("PIN/out",)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (RC.replace("r1/D", "r1/C"), "qrouter's wire of net s0 does not lead to its pins"),
        (RC.replace("s0 1", "s9 1"), "qrouter gave no resistance and capacitance of net s0"),
        (RC.replace("in 1", "in 2"), "net in has 2 drivers, and must have one"),
    ],
)
def test_wires_that_do_not_fit(technology: Technology, given: str, message: str) -> None:
    _, text = routed_text(technology)
    with pytest.raises(ToolError, match=f"^{re.escape(message)}$"):
        extract(
            read_routed(text), read_wires(given), {one.name: one for one in technology.lef.layers}
        )


def test_a_wire_that_does_not_lead_to_its_pins_is_an_attempt_that_failed(
    technology: Technology,
) -> None:
    _, text = routed_text(technology)
    layers = {one.name: one for one in technology.lef.layers}
    with pytest.raises(UnroutedError):
        extract(read_routed(text), read_wires(RC.replace("r1/D", "r1/C")), layers)


def test_spef() -> None:
    text = spef("shift", read_wires(RC))
    head, *nets = text.split("*D_NET ")
    assert "*C_UNIT 1 PF\n*R_UNIT 1 OHM\n" in head
    assert nets[0] == (
        "clk 0.002\n"
        "*CONN\n*P clk I\n*I r0:C I\n*I r1:C I\n"
        "*CAP\n1 clk 0.0005\n2 clk:1 0.001\n3 r0:C 0.00025\n4 r1:C 0.00025\n"
        "*RES\n1 clk clk:1 2\n2 clk:1 r0:C 1\n3 clk:1 r1:C 1\n"
        "*END\n\n"
    )
    assert nets[2].startswith("s0 0.001\n*CONN\n*I r0:Q O\n*I r1:D I\n")
