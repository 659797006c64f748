# SPDX-License-Identifier: Apache-2.0
"""Layout: readers and writers on small files made by hand, the clock tree, and one real core."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from command_line import as_process
from needs import needs_iverilog, needs_layout_tools, needs_osu018, needs_sta
from small_technology import LEF, SCRIPT, in_rows, shift_register, small_technology

from headwater.bench.target import AsicTarget
from headwater.bench.target import find as find_target
from headwater.errors import InputError, ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.layout import layout as layout_module
from headwater.flow.layout import placement as placement_module
from headwater.flow.layout import routing
from headwater.flow.layout.circuit import Cell, Circuit, circuit_of
from headwater.flow.layout.clocktree import ClockTree, grow
from headwater.flow.layout.def_writer import placed_def
from headwater.flow.layout.floorplan import Floorplan
from headwater.flow.layout.layout import Layout, lay_out
from headwater.flow.layout.parasitics import extract, read_wires
from headwater.flow.layout.picture import packed, picture
from headwater.flow.layout.placement import Pad, Placed, Placement, read_placement
from headwater.flow.layout.routed import Segment, read_routed
from headwater.flow.layout.routing import UnroutedError
from headwater.flow.layout.spef import spef
from headwater.flow.layout.technology import Technology, technology_beside
from headwater.flow.layout.timing import ClockTiming
from headwater.flow.opensta import Wires
from headwater.flow.process import ToolStoppedError
from headwater.report.layouts import layouts
from headwater.report.points import Point


@pytest.fixture
def technology(tmp_path: Path) -> Technology:
    return small_technology(tmp_path)


# Reading


def test_technology_and_its_lef(technology: Technology) -> None:
    assert (technology.clock_buffer, technology.via_stacks) == ("CB", "2")
    assert technology.stripes == "-stripe 2.0 50.0 PG"
    assert (technology.site_width, technology.row_height) == (0.8, 10.0)
    assert (technology.supply("POWER"), technology.supply("GROUND")) == ("vdd", "gnd")
    lef = technology.lef
    assert [(layer.name, layer.horizontal) for layer in lef.layers] == [
        ("metal1", True), ("metal2", False), ("metal3", True),
    ]  # fmt: skip
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
        "clk": "clk", "d[0]": "d[0]", "d[1]": "d[1]", "q[0]": "q[0]", "q[2]": "q[0]",
    }  # fmt: skip
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
        "r0": Placed("DFF", -400, 0, 800, "N"), "r1": Placed("DFF", 400, 0, 800, "FN"),
    }  # fmt: skip
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


# Clock tree


def depth(circuit: Circuit, technology: Technology, instance: str, pin: str) -> int:
    """The number of buffers between the clock port and a pin."""
    drivers = {
        cell.nets["Y"]: name
        for name, cell in circuit.cells.items()
        if cell.kind == technology.clock_buffer
    }
    net = circuit.cells[instance].nets[pin]
    return 0 if net == "clk" else 1 + depth(circuit, technology, drivers[net], "A")


@pytest.mark.parametrize(
    ("stages", "buffers", "levels"), [(1, 1, 1), (20, 1, 1), (21, 3, 2), (450, 26, 3)]
)
def test_every_register_is_behind_as_many_buffers(
    technology: Technology, stages: int, buffers: int, levels: int
) -> None:
    circuit = shift_register(stages)
    tree = grow(circuit, in_rows(circuit, 25), technology)
    assert (len(tree.buffers), tree.levels) == (buffers, levels)
    depths = {depth(tree.circuit, technology, name, "C") for name in circuit.cells}
    assert depths == {levels}
    loads: dict[str, int] = {}
    for name in circuit.cells:
        net = tree.circuit.cells[name].nets["C"]
        loads[net] = loads.get(net, 0) + 1
    assert max(loads.values()) <= 20
    assert max(loads.values()) - min(loads.values()) <= 1


def test_buffers_stand_in_rows_and_nothing_overlaps(technology: Technology) -> None:
    circuit = shift_register(450)
    before = in_rows(circuit, 25)
    placement = grow(circuit, before, technology).placement
    assert placement.rows().keys() == before.rows().keys()
    for row in placement.rows().values():
        cells = [placement.cells[name] for name in row]
        for left, right in pairwise(cells):
            assert left.x + left.width <= right.x
    assert all(placement.cells[name].y == before.cells[name].y for name in circuit.cells)


def test_core_without_a_register(technology: Technology) -> None:
    circuit = Circuit("top", {}, {"g": Cell("INV", {"A": "a", "Y": "b"})})
    placement = Placement({"g": Placed("INV", 0, 0, 160, "N")}, {})
    with pytest.raises(ToolError, match=r"^top has no register that the port clk clocks$"):
        grow(circuit, placement, technology)


# DEF


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


def test_what_is_written_is_read_again(technology: Technology) -> None:
    circuit, text = routed_text(technology)
    routed = read_routed(text)
    assert routed.circuit(circuit) == circuit
    assert routed.die == (-240, -300, 1920, 1400)
    assert (routed.components["r1"].x, routed.components["r1"].y) == (840, 50)
    assert routed.pins == {"clk": (-160, 600), "in": (-160, 700), "out": (-160, 800)}
    assert routed.nets["clk"].pins == [("PIN", "clk"), ("r0", "C"), ("r1", "C")]
    assert routed.nets["clk"].segments == [
        Segment("metal1", (0, 0), (1000, 0)), Segment("metal2", (1000, 0), (1000, 500)),
    ]  # fmt: skip
    assert (routed.nets["clk"].length_um, routed.nets["clk"].vias) == (15.0, 1)
    assert routed.nets["s0"].length_um == 3.0


def test_two_pins_at_one_place_are_moved_apart(technology: Technology) -> None:
    circuit = shift_register(2)
    placement = in_rows(circuit, 2)
    pads = dict.fromkeys(placement.pads, Pad(-200, 500, True))
    plan = Floorplan.of(Placement(placement.cells, pads), technology)
    places = read_routed(placed_def(circuit, plan)).pins.values()
    assert list(places) == [(-160, 600), (-160, 700), (-160, 800)]


# Router


class Router:
    """Stands for the tools that `route` runs; they change nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, log: str | None) -> None:
        self._log = log
        for script in ("addspacers.tcl", "arrangepins.tcl"):
            (folder / script).touch()
        monkeypatch.setattr(routing, "_QFLOW", folder)
        monkeypatch.setattr(routing, "find_program", lambda name, _install: Path(name))
        monkeypatch.setattr(routing, "run_tool", self.run)

    def run(self, command: Sequence[str | Path], *, cwd: Path) -> str:
        if Path(command[0]).name == "addspacers.tcl":
            (cwd / "core_filled.def").write_text((cwd / "core.def").read_text())
        elif Path(command[0]).name == "arrangepins.tcl":
            (cwd / "core_mod.def").write_text((cwd / "core.def").read_text())
        elif command[0] == "sh":
            if self._log is None:
                raise ToolStoppedError("sh took longer than 1 s and was stopped")
            (cwd / "routed.rc").touch()
            return self._log
        return ""


@pytest.mark.parametrize(
    ("log", "message"),
    [
        ("some\nFinal: Failed net routes: 2\n",
         "qrouter did not route every net:\nsome\nFinal: Failed net routes: 2"),
        (None,
         "qrouter did not finish: 2 cells may be too many for it, or the time limit too short"),
    ],
)  # fmt: skip
def test_router_that_fails(
    technology: Technology, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    log: str | None, message: str,
) -> None:  # fmt: skip
    Router(monkeypatch, tmp_path, log)
    circuit = shift_register(2)
    with pytest.raises(ToolError, match=f"^{re.escape(message)}$") as caught:
        routing.route(circuit, in_rows(circuit, 2), technology, tmp_path)
    # So the point is given up at once.
    assert not isinstance(caught.value, ToolStoppedError)


def test_rows_are_made_longer_until_every_net_is_routed(
    technology: Technology, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    circuit = shift_register(40)
    tree = grow(circuit, in_rows(circuit, 10), technology)
    tried: list[Placement] = []

    def route(_circuit: Circuit, placement: Placement, *_others: object) -> int:
        tried.append(placement)
        if len(tried) < 3:
            raise UnroutedError("some")
        return 7

    monkeypatch.setattr(layout_module, "route", route)
    assert layout_module._routed(tree, technology, tmp_path) == 7
    assert tried[0] == tree.placement
    lengths = [max(cell.x + cell.width for cell in one.cells.values()) for one in tried]
    assert lengths[1] / lengths[0] == pytest.approx(1.15, abs=0.05)
    assert lengths[2] / lengths[0] == pytest.approx(1.4, abs=0.05)
    for one in tried:
        assert {y: set(row) for y, row in one.rows().items()} == {
            y: set(row) for y, row in tree.placement.rows().items()
        }
        assert one.pads.keys() == tree.placement.pads.keys()
        for row in one.rows().values():
            for left, right in pairwise(one.cells[name] for name in row):
                assert left.x + left.width <= right.x
                assert (right.x - left.x - left.width) % 80 == 0

    tried.clear()
    monkeypatch.setattr(layout_module, "_LONGER", (0.0, 0.15))
    with pytest.raises(UnroutedError):
        layout_module._routed(tree, technology, tmp_path)


def test_what_the_router_reports(
    technology: Technology, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stacked = "Failed to remove stacked via at grid point"
    Router(monkeypatch, tmp_path, f"{stacked} 1 2.\n{stacked} 1 2.\n{stacked} 3 4.\n"
                                  "Final: No failed routes!\n")  # fmt: skip
    circuit = shift_register(2)
    assert routing.route(circuit, in_rows(circuit, 2), technology, tmp_path) == 2
    script = (tmp_path / "route.cfg").read_text().splitlines()
    assert script[2:5] == ["via stack 2", "vdd vdd", "gnd gnd"]
    assert "obstruction -3.2 11 20 15 metal3" in script
    assert script[-3:] == ["read_def core.def", "qrouter::standard_route routed.def false", "quit"]


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
        extract(read_routed(text), read_wires(given), {one.name: one for one in
                                                       technology.lef.layers})  # fmt: skip


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


# Picture


@needs_osu018
def test_picture(technology: Technology) -> None:
    circuit, text = routed_text(technology)
    routed = read_routed(text)
    renamed = Circuit(circuit.name, circuit.ports, {
        name: Cell("CB", {"Y": "s0"}) if name == "r0" else cell
        for name, cell in circuit.cells.items()
    })  # fmt: skip
    layout = Layout(
        outlines=technology, circuit=renamed,
        tree=ClockTree(renamed, in_rows(circuit, 2), frozenset({"r0"}), 1),
        places={name: (cell.x, cell.y) for name, cell in routed.components.items()},
        die=routed.die, lengths_um={name: net.length_um for name, net in routed.nets.items()},
        wires=Wires(""), clock=ClockTiming(0, 0, 0, ""), wire_pf=0.0,
    )  # fmt: skip
    drawn = ElementTree.fromstring(picture(layout, find_target("osu018").library()))  # type: ignore[union-attr]
    paths = {path.get("class"): path.get("d") for path in drawn if path.get("class")}
    assert paths["clock"] == "M2.8 3.5h4v10h-4z"
    assert paths["register"] == ""
    assert paths["logic"] == "M10.8 3.5h8v10h-8z"
    assert paths["tree"] == "M4.8 8.5L14.8 8.5"
    assert layout.longest == ("clk", 15.0)


def test_report_shows_the_die() -> None:
    record = {
        "cipher": "trivium", "radix": 1, "target": "osu018", "ge": 220.0, "lut": None,
        "fmax_mhz": {"median": 530.0}, "energy_pj_per_bit": 230.0, "flow": {"stage": "layout"},
        "layout": {
            "die_um2": 5000.0, "density": 0.9, "ge_before": 214.0, "fmax_mhz_before": 713.0,
            "energy_pj_per_bit_before": 127.0, "wire_mm": 36.6, "wire_pf": 4.2,
            "longest_wire_um": 889.4, "longest_net": "<net>", "clock_buffers": 17,
            "clock_insertion_ps": 822.0, "clock_skew_ps": 25.0, "picture": packed("<svg/>"),
        },
    }  # fmt: skip
    shown = layouts([Point("1", record, "2026")])
    assert "<dt>Frequency</dt><dd>530 MHz (713)</dd>" in shown
    assert 'alt="Die of trivium, radix 1, osu018" src="data:image/svg+xml;base64,PHN2Zy8+"' in shown
    assert "&lt;net&gt;" in shown
    record["layout"] |= {"picture": "no picture"}  # type: ignore[operator]
    assert "<img" not in layouts([Point("1", record, "2026")])
    assert layouts([]) == ""


# Whole


@needs_osu018
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target", "ecp5-25k", "--layout"],
         "layout needs a target of standard cells, not ecp5-25k"),
        (["--target", "osu018", "--layout", "--clock-gating", "latch"],
         "a layout has a clock tree without gates, so clock gating must be none, not latch"),
        (["--target", "osu018", "--keep", "somewhere"],
         "evaluate --keep is for the files of a layout or placement; add --layout or --placement"),
    ],
)  # fmt: skip
def test_refusals(arguments: list[str], message: str) -> None:
    done = as_process("evaluate", "a51", *arguments)
    assert (done.returncode, done.stderr.strip()) == (2, f"headwater: {message}")


@pytest.mark.real
@pytest.mark.slow
@needs_osu018
@needs_sta
@needs_iverilog
@needs_layout_tools
def test_core_is_laid_out(tmp_path: Path) -> None:
    done = as_process(
        "evaluate", "a51", "--target", "osu018", "--layout", "--keep", str(tmp_path / "kept"),
        "--store", str(tmp_path / "store.sqlite"), "--format", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [record] = json.loads(done.stdout)
    layout = record["layout"]
    assert (record["stage"], record["flow"]["stage"]) == ("layout", "layout")
    assert record["ge"] == pytest.approx(layout["ge_before"] + layout["ge_clock"], abs=0.1)
    assert record["fmax_mhz"]["median"] < layout["fmax_mhz_before"]
    assert record["energy_pj_per_bit"] > layout["energy_pj_per_bit_before"]
    assert 0.7 < layout["density"] < 1
    assert 0 < layout["clock_skew_ps"] < layout["clock_insertion_ps"]
    assert layout["hold_slack_ps"] > 0
    [folder] = (tmp_path / "kept").iterdir()
    names = {path.suffix for path in folder.iterdir()}
    assert names >= {".v", ".def", ".spef", ".sdf", ".svg"}


@pytest.mark.real
@needs_osu018
@needs_sta
@needs_layout_tools
def test_an_output_that_is_an_input(folder: Path) -> None:
    """The router tells the wire of one port of a net; both are routed."""
    target = find_target("osu018")
    assert isinstance(target, AsicTarget)
    text = """\
module m(input clk, input [3:0] d, input mark, output reg [3:0] q, output passed);
  assign passed = mark;
  always @(posedge clk) q <= {d[3] & mark, d[2:0] ^ q[3:1]};
endmodule
"""
    library = target.library()
    netlist = map_to_cells(text, "m", library, folder).verilog
    layout = lay_out(netlist, target.technology(), library, "m", folder)
    assert layout.lengths_um["passed"] > 0
    assert layout.added_um2 == pytest.approx(layout.clock_um2 * 2)
