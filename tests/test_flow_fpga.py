# SPDX-License-Identifier: Apache-2.0
"""FPGA families: which parts there are, what Yosys is told, and how cells are counted."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from parts import (
    AREA_ONLY,
    ECP5,
    FAMILIES,
    PLACED,
    TARGETS,
    Capture,
)

from headwater.cli.main import main
from headwater.errors import ToolError
from headwater.flow.fpga import family as family_module
from headwater.flow.fpga.cells import Cells
from headwater.flow.fpga.family import Way, synthesise
from headwater.flow.fpga.xilinx import SPARTAN3
from headwater.measure.parts import PARTS, FpgaTarget

# The list of parts


def test_names_of_the_parts() -> None:
    assert PLACED == [
        "ecp5-25k",
        "ecp5-85k",
        "ice40-hx8k",
        "ice40-up5k",
        "gowin-gw1n9",
        "gowin-gw2a18",
        "nexus-lifcl40",
        "machxo2-1200",
        "gatemate-a1",
    ]
    assert AREA_ONLY == ["spartan3", "xc7"]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_every_part_tells_what_it_gives(target: FpgaTarget) -> None:
    assert {"area", "speed"} <= target.part.family.ways.keys()
    assert ("fmax" in target.gives) == target.is_placed
    assert ("fmax_mhz" in target.absent) == (not target.is_placed)
    assert "power_mw" in target.absent
    assert target.area_unit in ("slice", "logic cell", "element")


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
        "balanced": "synth_ice40 -noflatten -top shell",
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
    flow = "scratchpad -copy abc9.script.flow abc9.script"
    expected = {"area": [area], "balanced": [flow] * (name == "iCE40"), "speed": []}
    assert before == expected[way.split()[0]]
    finds_srl = name == "Spartan-3" and "without" not in way
    assert after == ["xilinx_srl -fixed -minlen 3", "clean"] * finds_srl


def test_mapping_without_its_proof(yosys: FakeYosys, folder: Path) -> None:
    synthesise(FAMILIES["ECP5"], "", "core", "core", "speed", folder, checked=False)
    (script,) = yosys.scripts
    assert script[1] == "scratchpad -set abc9.verify false"


def test_all_families_and_ways_have_a_golden_command() -> None:
    assert {name: set(family.ways) for name, family in FAMILIES.items()} == {
        name: set(ways) for name, ways in COMMANDS.items()
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
    "ECP5": (
        {
            "LUT4": 5,
            "CCU2C": 3,
            "TRELLIS_DPR16X4": 1,
            "TRELLIS_FF": 7,
            "L6MUX21": 2,
            "PFUMX": 4,
            "DP16KD": 1,
        },
        Cells(lut=5 + 2 * 3 + 4, ff=7, carry=3, memory=2),
    ),
    "MachXO2": (
        {"LUT4": 5, "CCU2D": 3, "TRELLIS_FF": 7, "DP8KC": 1},
        Cells(lut=11, ff=7, carry=3, memory=1),
    ),
    "iCE40": (
        {"SB_LUT4": 5, "SB_CARRY": 3, "SB_DFF": 1, "SB_DFFESR": 2, "SB_RAM40_4K": 1},
        Cells(lut=5, ff=3, carry=3, memory=1),
    ),
    "GW1N": (
        {
            "LUT1": 1,
            "LUT2": 2,
            "LUT4": 3,
            "ALU": 5,
            "DFFRE": 2,
            "DFF": 1,
            "GND": 1,
            "VCC": 1,
            "RAM16SDP4": 1,
        },
        Cells(lut=6 + 5 + 4, ff=3, carry=5, memory=1),
    ),
    "Nexus": (
        {
            "LUT4": 4,
            "INV": 1,
            "WIDEFN9": 2,
            "CCU2": 3,
            "FD1P3IX": 2,
            "FD1P3JX": 1,
            "VLO": 1,
            "VHI": 1,
        },
        Cells(lut=5 + 4 + 6, ff=3, carry=3),
    ),
    "GateMate": (
        {
            "CC_LUT1": 1,
            "CC_LUT2": 1,
            "CC_L2T4": 3,
            "CC_L2T5": 2,
            "CC_MX2": 1,
            "CC_MX4": 1,
            "CC_ADDF": 4,
            "CC_DFF": 5,
        },
        Cells(lut=2 + 3 + 4 + 1 + 2 + 4, ff=5, carry=4),
    ),
    "series 7": (
        {
            "LUT6": 2,
            "LUT2": 1,
            "INV": 1,
            "MUXF7": 1,
            "CARRY4": 2,
            "FDRE": 4,
            "FDSE": 1,
            "SRL16E": 2,
            "SRLC32E": 1,
        },
        Cells(lut=4 + 3, ff=5, carry=2, srl=3),
    ),
    "Spartan-3": (
        {"LUT4": 2, "MUXCY": 3, "XORCY": 4, "FDRE": 5, "MUXF5": 1},
        Cells(lut=2, ff=5, carry=3),
    ),
}


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
