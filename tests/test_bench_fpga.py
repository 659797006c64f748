# SPDX-License-Identifier: Apache-2.0
"""Evaluation on FPGAs: which figures are the headline, and one real run for each family."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from emitted import registers_of
from parts import (
    AREA_ONLY,
    CORE,
    ECP5,
    FAMILIES,
    TARGETS,
    Capture,
    installed,
    keep_only,
    point,
)

from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError
from headwater.flow.fpga.cells import Cells
from headwater.flow.fpga.family import Family, Part, synthesise
from headwater.flow.fpga.nextpnr import Route, TooLargeError, place_and_route
from headwater.flow.fpga.xilinx import SPARTAN3
from headwater.flow.process import TookTooLongError
from headwater.measure import fpga as bench_fpga
from headwater.measure.figures import Figures, Frequency
from headwater.measure.fpga import evaluate_on_fpga
from headwater.measure.record import unfit
from headwater.measure.shell import SHELL, in_shell, shell_registers
from headwater.report.figures_table import figures_notes, figures_tables

# Which figures are the headline, with tools that only pretend


def pretend(
    monkeypatch: pytest.MonkeyPatch, family: Family, found: dict[str, tuple[Cells, float]]
) -> None:
    """Each way of mapping gives these cells and this frequency; 0 for what does not fit, infinity
    for what takes too long."""
    current: list[str] = []

    def pretend_synthesis(_family: Family, _text: str, *names: str | Path, checked: bool) -> Cells:
        assert checked
        current.append(str(names[2]))
        return found[current[-1]][0]

    def pretend_routes(_part: Part, seeds: range, _folder: Path) -> list[Route]:
        cells, fmax = found[current[-1]]
        if seeds and not fmax:
            raise TooLargeError("the part has too few LUTs")
        if math.isinf(fmax):
            raise TookTooLongError("nextpnr took longer than 5 s and was stopped")
        ff = cells.ff + shell_registers(CORE)
        return [Route(fmax, ff, current[-1], "end") for _ in seeds]

    monkeypatch.setattr(bench_fpga, "synthesise", pretend_synthesis)
    monkeypatch.setattr(bench_fpga, "place_and_route", pretend_routes)
    keep_only(monkeypatch, family, *found)


THREE = {
    "area": (Cells(lut=100, ff=305), 100.0),
    "balanced": (Cells(lut=120, ff=305), 150.0),
    "speed": (Cells(lut=200, ff=305), 160.0),
}


@pytest.mark.parametrize("objective", THREE)
def test_objective_decides_the_headline(monkeypatch: pytest.MonkeyPatch, objective: str) -> None:
    pretend(monkeypatch, ECP5, THREE)
    target = TARGETS["ecp5-25k"]
    found = evaluate_on_fpga(point("ecp5-25k", objective=objective), target, CORE)
    cells, fmax = THREE[objective]
    assert (found.mapping, found.lut, found.ff) == (objective, cells.lut, 305)
    assert found.fmax_mhz == Frequency(fmax, fmax, fmax, 1)
    assert found.critical_path == (objective, "end")
    assert found.settings["objective"] == objective
    # What is not the headline is told all the same.
    assert found.mappings is not None
    assert {
        way: (facts["lut"], facts["fmax_by_seed"]) for way, facts in found.mappings.items()
    } == {way: (cells.lut, [fmax]) for way, (cells, fmax) in THREE.items()}


@pytest.mark.parametrize("objective", THREE)
def test_what_fits_comes_before_what_does_not(
    monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    pretend(monkeypatch, ECP5, THREE | {"area": (Cells(lut=100, ff=305), 0.0)})
    found = evaluate_on_fpga(point("ecp5-25k", objective=objective), TARGETS["ecp5-25k"], CORE)
    assert found.mapping == {"area": "balanced"}.get(objective, objective)
    assert found.fmax_mhz
    assert "fmax_mhz" not in found.absent
    assert found.mappings
    assert found.mappings["area"]["too_large"] == "the part has too few LUTs"
    assert unfit(found.as_json()) is None


def test_a_core_that_does_not_fit_has_an_area_and_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, ECP5, {way: (cells, 0.0) for way, (cells, _) in THREE.items()})
    record = evaluate_on_fpga(point("ecp5-25k"), TARGETS["ecp5-25k"], CORE).as_json()
    assert (record["lut"], record["mapping"], record["area"]) == (100, "area", 153)
    assert record["fmax_mhz"] is record["throughput_mbps"] is record["mbps_per_area"] is None
    assert unfit(record) == "does not fit: the part has too few LUTs"
    assert record["absent"]["fmax_mhz"] == "does not fit: the part has too few LUTs"
    (note,) = figures_notes([record])
    assert note.startswith("trivium at radix 1 does not fit: the part has too few LUTs; its LUTs")


@pytest.mark.parametrize("objective", THREE)
def test_a_mapping_that_takes_too_long_costs_itself_alone(
    monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    pretend(monkeypatch, ECP5, THREE | {"balanced": (Cells(lut=120, ff=305), math.inf)})
    found = evaluate_on_fpga(point("ecp5-25k", objective=objective), TARGETS["ecp5-25k"], CORE)
    # The mapping for speed has more LUTs and is not tried.
    assert (found.mapping, found.fmax_mhz) == ("area", Frequency(100.0, 100.0, 100.0, 1))
    assert found.mappings
    assert {way: facts.get("not_routed") for way, facts in found.mappings.items()} == {
        "area": None,
        "balanced": "nextpnr took longer than 5 s and was stopped",
        "speed": "not tried, as 120 LUTs took too long",
    }
    assert unfit(found.as_json()) is None
    (note,) = figures_notes([found.as_json()])
    slow = "balanced took too long in place and route (not tried: speed)"
    assert note == f"trivium at radix 1 is mapped for area: {slow}."


def test_what_has_fewer_luts_than_what_takes_too_long_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(monkeypatch, ECP5, THREE | {"area": (Cells(lut=121, ff=305), math.inf)})
    found = evaluate_on_fpga(point("ecp5-25k"), TARGETS["ecp5-25k"], CORE)
    assert (found.mapping, found.fmax_mhz) == ("balanced", Frequency(150.0, 150.0, 150.0, 1))


def test_a_core_that_is_not_routed_has_an_area_and_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(monkeypatch, ECP5, {way: (cells, math.inf) for way, (cells, _) in THREE.items()})
    record = evaluate_on_fpga(point("ecp5-25k"), TARGETS["ecp5-25k"], CORE).as_json()
    reason = "not routed: nextpnr took longer than 5 s and was stopped"
    assert (record["lut"], record["mapping"], record["area"]) == (100, "area", 153)
    assert record["fmax_mhz"] is record["throughput_mbps"] is record["mbps_per_area"] is None
    assert unfit(record) == record["absent"]["fmax_mhz"] == reason
    (note,) = figures_notes([record])
    assert note.startswith(f"trivium at radix 1 {reason}; its LUTs")


@pytest.mark.parametrize("target", TARGETS)
def test_no_power_on_an_fpga(target: str) -> None:
    message = "^objective on an FPGA must be one of balanced, area, speed, not 'power'"
    with pytest.raises(InputError, match=message):
        point(target, objective="power")


@pytest.mark.parametrize("target", AREA_ONLY)
def test_no_speed_without_place_and_route(target: str) -> None:
    message = (
        f"^objective on {target} must not be 'speed': no open place and route for this family$"
    )
    with pytest.raises(InputError, match=message):
        point(target, objective="speed")


AREAS = {
    "area": (Cells(lut=47, ff=30, srl=23), 0.0),
    "area without SRL": (Cells(lut=24, ff=305), 0.0),
}


@pytest.fixture(params=["balanced", "area"])
def area_only(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Figures:
    pretend(monkeypatch, SPARTAN3, AREAS)
    at = point("spartan3", objective=request.param)
    return evaluate_on_fpga(at, TARGETS["spartan3"], CORE)


def test_record_without_a_frequency(area_only: Figures) -> None:
    record = area_only.as_json()
    assert (record["lut"], record["ff"], record["slices"], record["mapping"]) == (
        47,
        30,
        24,
        "area",
    )
    assert record["mappings"]["area without SRL"]["slices"] == 153
    assert record["mappings"]["area"]["srl"] == 23
    absent = ("fmax_mhz", "critical_path", "throughput_mbps", "mbps_per_area", "setup_ns")
    assert {name: record[name] for name in absent} == dict.fromkeys(absent)
    assert record["absent"]["fmax_mhz"] == "no open place and route for this family"
    assert record["absent"].keys() <= record.keys()
    assert record["setup_cycles"] == 160 + 1152
    assert record["settings"]["seeds"] == []
    assert record["tools"].keys() == {"yosys"}
    json.dumps(record)


def test_table_without_a_frequency(area_only: Figures) -> None:
    columns = ("LUT", "FF", "area", "fmax MHz", "min..max", "seeds", "Mbit/s")
    (table,) = figures_tables([area_only.as_json()])
    assert table.only(columns).rows == [[47, 30, 24, None, None, None, None]]
    placed = replace(area_only, fmax_mhz=Frequency(10.0, 9.0, 11.0, 3), slices=None)
    (both,) = figures_tables([placed.as_json(), area_only.as_json()])
    assert both.only(columns).rows == [
        [47, 30, 24, 10.0, "9..11", 3, 10.0],
        *table.only(columns).rows,
    ]


# Real runs


def needs(target: str) -> pytest.MarkDecorator:
    family = TARGETS[target].part.family
    return pytest.mark.skipif(
        bool(family.nextpnr) and not installed(family.package),
        reason=f"needs {family.package}: pip install {family.package}",
    )


ONE_OF_EACH_FAMILY = (
    "ice40-hx8k",
    "gowin-gw1n9",
    "gowin-gw2a18",
    "nexus-lifcl40",
    "machxo2-1200",
    "gatemate-a1",
    "spartan3",
    "xc7",
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs(name)) for name in ONE_OF_EACH_FAMILY]
)
def test_trivium(monkeypatch: pytest.MonkeyPatch, capsys: Capture, name: str) -> None:
    keep_only(monkeypatch, TARGETS[name].part.family, "area")
    seeds = ("--seeds", "1") if TARGETS[name].is_placed else ()
    assert main(["evaluate", "trivium", "--radix", "1", *seeds, "--target", name, "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert record["target"] == name
    # Its few gates, and what control takes; a GateMate LUT is a small one.
    assert 15 < record["lut"] < 70
    family = TARGETS[name].part.family
    if not TARGETS[name].is_placed:
        assert record["fmax_mhz"] is None
        assert (record["ff"] < 40) == (record["mappings"]["area"]["srl"] > 0)
        return
    core = generate(TRIVIUM, Architecture.choose(TRIVIUM, radix=1))
    assert record["ff"] == sum(registers_of(core.text).values())
    assert 30 < record["fmax_mhz"]["median"] < 1000
    assert record["tools"].keys() == {"yosys", f"nextpnr-{family.nextpnr}"}
    assert all(end.startswith(("core.", "feed", "captured")) for end in record["critical_path"])


@needs("ice40-hx8k")
def test_a_seed_gives_the_same_again(tmp_path: Path) -> None:
    part = TARGETS["ice40-hx8k"].part
    synthesise(part.family, in_shell(CORE), CORE.name, SHELL, "area", tmp_path)
    first, other = place_and_route(part, range(1, 3), tmp_path)
    (again,) = place_and_route(part, range(1, 2), tmp_path)
    assert again == first
    assert other.fmax_mhz != first.fmax_mhz


@needs("ice40-hx8k")
def test_missing_registers_are_seen(tmp_path: Path) -> None:
    """A netlist that lost one flip-flop on its way has one less after placement."""
    part = TARGETS["ice40-hx8k"].part
    found = synthesise(part.family, in_shell(CORE), CORE.name, SHELL, "area", tmp_path)
    netlist = json.loads((tmp_path / "netlist.json").read_text())
    cells = netlist["modules"][SHELL]["cells"]
    feed = next(cell for cell in cells if cell.startswith("serial_out"))
    del cells[feed]
    (tmp_path / "netlist.json").write_text(json.dumps(netlist))
    (route,) = place_and_route(part, range(1, 2), tmp_path)
    assert route.ff == found.ff + shell_registers(CORE) - 1


# Adders of eight bits: enough for a chain of carries.
ADDER = """\
module core(input clk, input [7:0] a, b, output reg [7:0] q);
  always @(posedge clk) q <= a + b;
endmodule
"""


@pytest.mark.parametrize("name", FAMILIES)
def test_carries_are_counted(name: str, folder: Path) -> None:
    family = FAMILIES[name]
    found = synthesise(family, ADDER, "core", "core", "area", folder)
    assert found.ff == 8
    assert 2 <= found.carry <= 9
    assert 8 <= found.lut <= 26


@needs("nexus-lifcl40")
def test_chain_of_carries_is_placed_on_nexus(tmp_path: Path) -> None:
    """Its first carry input must be open in the netlist, or nextpnr refuses it."""
    chain = """\
module shell(input clk, input serial_in, output serial_out);
  reg [15:0] feed; wire [7:0] q; reg [7:0] chain;
  core core(.clk(clk), .a(feed[7:0]), .b(feed[15:8]), .q(q));
  assign serial_out = chain[7];
  always @(posedge clk) begin feed <= {feed, serial_in}; chain <= {chain, 1'b0} ^ q; end
endmodule
"""
    part = TARGETS["nexus-lifcl40"].part
    found = synthesise(part.family, ADDER + chain, "core", "shell", "area", tmp_path)
    assert found.carry > 0
    (route,) = place_and_route(part, range(1, 2), tmp_path)
    assert route.ff == 8 + 16 + 8


# Four bits that depend on seven inputs: enough for the multiplexers of wide LUTs.
WIDE = """\
module core(input clk, input [6:0] a, output reg [3:0] q);
  always @(posedge clk) q <= {^a[5:0], &a, a[0] ? ^a[6:1] : |a[6:1], a[6]};
endmodule
"""


def test_ways_of_mapping_differ_as_they_say(folder: Path) -> None:
    ways = ("area", "balanced", "speed")
    found = {way: synthesise(ECP5, WIDE, "core", "core", way, folder) for way in ways}
    assert {cells.ff for cells in found.values()} == {4}
    assert 0 < found["area"].lut <= found["balanced"].lut <= found["speed"].lut
    netlist = json.loads((folder / "mapped.json").read_text())["modules"]["core"]["cells"]
    kinds = Counter(cell["type"] for cell in netlist.values())
    assert kinds["PFUMX"] > 0


def test_core_is_mapped_in_the_shell_as_it_is_alone(tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    (tmp_path / "joined").mkdir()
    core = generate(TRIVIUM, Architecture.choose(TRIVIUM, radix=8))
    alone = synthesise(ECP5, core.text, core.name, core.name, "area", tmp_path / "alone")
    joined = synthesise(ECP5, in_shell(core), core.name, SHELL, "area", tmp_path / "joined")
    assert joined == alone
