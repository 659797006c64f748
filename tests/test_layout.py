# SPDX-License-Identifier: Apache-2.0
"""Layouts: clock tree, router, picture, and whole cores."""

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
from small_technology import in_rows, routed_text, shift_register

from headwater.errors import ToolError
from headwater.flow.asic import map_to_cells
from headwater.flow.layout import layout as layout_module
from headwater.flow.layout import routing
from headwater.flow.layout.circuit import Cell, Circuit
from headwater.flow.layout.clocktree import ClockTree, grow
from headwater.flow.layout.layout import Layout, lay_out
from headwater.flow.layout.parasitics import Wire
from headwater.flow.layout.picture import packed, picture
from headwater.flow.layout.placement import Placed, Placement
from headwater.flow.layout.routed import read_routed
from headwater.flow.layout.routing import UnroutedError
from headwater.flow.layout.technology import Technology
from headwater.flow.layout.timing import ClockTiming
from headwater.flow.opensta import Wires
from headwater.flow.process import ToolStoppedError
from headwater.measure.target import AsicTarget
from headwater.measure.target import find as find_target
from headwater.report.layouts import layouts
from headwater.report.points import Point

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

    def run(self, command: Sequence[str | Path], *, cwd: Path, merged: bool = False) -> str:
        if Path(command[0]).name == "addspacers.tcl":
            (cwd / "core_filled.def").write_text((cwd / "core.def").read_text())
        elif Path(command[0]).name == "arrangepins.tcl":
            (cwd / "core_mod.def").write_text((cwd / "core.def").read_text())
        elif merged:  # What the router could not do is told on stderr.
            if self._log is None:
                raise ToolStoppedError("qrouter took longer than 1 s and was stopped")
            (cwd / "routed.rc").touch()
            return self._log
        return ""


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (
            "some\nFinal: Failed net routes: 2\n",
            "qrouter did not route every net:\nsome\nFinal: Failed net routes: 2",
        ),
        (
            None,
            "qrouter did not finish: 2 cells may be too many for it, or the time limit too short",
        ),
    ],
)
def test_router_that_fails(
    technology: Technology,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    log: str | None,
    message: str,
) -> None:
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
    (tmp_path / "routed.def").write_text("")
    (tmp_path / "routed.rc").write_text("")

    def route(_circuit: Circuit, placement: Placement, *_others: object) -> int:
        tried.append(placement)
        if len(tried) == 1:
            raise UnroutedError("some")
        return 7

    def extract(*_given: object) -> dict[str, Wire]:
        if len(tried) == 2:
            raise UnroutedError("one wire")
        return {}

    monkeypatch.setattr(layout_module, "route", route)
    monkeypatch.setattr(layout_module, "extract", extract)
    monkeypatch.setattr(layout_module, "read_routed", str)
    assert layout_module._routed(tree, technology, tmp_path) == (7, "", {})
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
    Router(
        monkeypatch,
        tmp_path,
        f"{stacked} 1 2.\n{stacked} 1 2.\n{stacked} 3 4.\nFinal: No failed routes!\n",
    )
    circuit = shift_register(2)
    assert routing.route(circuit, in_rows(circuit, 2), technology, tmp_path) == 2
    script = (tmp_path / "route.cfg").read_text().splitlines()
    assert script[2:5] == ["via stack 2", "vdd vdd", "gnd gnd"]
    assert "obstruction -3.2 11 20 15 metal3" in script
    assert script[-3:] == ["read_def core.def", "qrouter::standard_route routed.def false", "quit"]


# Picture


@needs_osu018
def test_picture(technology: Technology) -> None:
    circuit, text = routed_text(technology)
    routed = read_routed(text)
    renamed = Circuit(
        circuit.name,
        circuit.ports,
        {
            name: Cell("CB", {"Y": "s0"}) if name == "r0" else cell
            for name, cell in circuit.cells.items()
        },
    )
    layout = Layout(
        outlines=technology,
        circuit=renamed,
        tree=ClockTree(renamed, in_rows(circuit, 2), frozenset({"r0"}), 1),
        places={name: (cell.x, cell.y) for name, cell in routed.components.items()},
        die=routed.die,
        lengths_um={name: net.length_um for name, net in routed.nets.items()},
        wires=Wires(""),
        clock=ClockTiming(0, 0, 0, ""),
        wire_pf=0.0,
    )
    drawn = ElementTree.fromstring(picture(layout, find_target("osu018").library()))  # type: ignore[union-attr]
    paths = {path.get("class"): path.get("d") for path in drawn if path.get("class")}
    assert paths["clock"] == "M2.8 3.5h4v10h-4z"
    assert paths["register"] == ""
    assert paths["logic"] == "M10.8 3.5h8v10h-8z"
    assert paths["tree"] == "M4.8 8.5L14.8 8.5"
    assert layout.longest == ("clk", 15.0)


def test_report_shows_the_die() -> None:
    record = {
        "cipher": "trivium",
        "radix": 1,
        "target": "osu018",
        "ge": 220.0,
        "lut": None,
        "fmax_mhz": {"median": 530.0},
        "energy_pj_per_bit": 230.0,
        "flow": {"stage": "layout"},
        "layout": {
            "die_um2": 5000.0,
            "density": 0.9,
            "ge_before": 214.0,
            "fmax_mhz_before": 713.0,
            "energy_pj_per_bit_before": 127.0,
            "wire_mm": 36.6,
            "wire_pf": 4.2,
            "longest_wire_um": 889.4,
            "longest_net": "<net>",
            "clock_buffers": 17,
            "clock_insertion_ps": 822.0,
            "clock_skew_ps": 25.0,
            "picture": packed("<svg/>"),
        },
    }
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
        (
            ["--target", "ecp5-25k", "--layout"],
            "layout needs a target of standard cells, not ecp5-25k",
        ),
        (
            ["--target", "osu018", "--layout", "--clock-gating", "latch"],
            "a layout has a clock tree without gates, so clock gating must be none, not latch",
        ),
        (
            ["--target", "osu018", "--keep", "somewhere"],
            (
                "evaluate --keep is for the files of a layout or placement; add --layout or "
                "--placement"
            ),
        ),
    ],
)
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
        "evaluate",
        "a51",
        "--target",
        "osu018",
        "--layout",
        "--keep",
        str(tmp_path / "kept"),
        "--store",
        str(tmp_path / "store.sqlite"),
        "--format",
        "json",
    )
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
