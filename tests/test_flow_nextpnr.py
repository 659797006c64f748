# SPDX-License-Identifier: Apache-2.0
"""What nextpnr is told, what is read from its report, and what is missing or fails."""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from parts import (
    CORE,
    ECP5,
    FAMILIES,
    NEXTPNR,
    PLACED,
    TARGETS,
    point,
)

from headwater.errors import ToolError
from headwater.flow import process
from headwater.flow.fpga.family import synthesise
from headwater.flow.fpga.nextpnr import Route, TooLargeError, place_and_route
from headwater.flow.tools import examine
from headwater.measure import fpga as bench_fpga
from headwater.measure.fpga import evaluate_on_fpga


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
    assert routes == [Route(123.456, placed, "c", "d")] * 2


def test_failure_ends_with_the_log(programs: Path, folder: Path) -> None:
    lines = "".join(f"echo line {number}\n" for number in range(20))
    (programs / NEXTPNR).write_text(f"#!/bin/sh\n{lines}echo ERROR: no room >&2\nexit 255\n")
    with pytest.raises(ToolError) as caught:
        place_and_route(TARGETS["ecp5-25k"].part, range(1, 2), folder)
    tail = [*(f"line {number}" for number in range(9, 20)), "ERROR: no room"]
    first, *rest = str(caught.value).splitlines()
    assert first == f"{NEXTPNR} failed with exit status 255:"
    assert rest == tail


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            "Unable to place cell 'x', no BELs remaining to implement cell type 'TRELLIS_FF'",
            "LFE5U-25F has too few TRELLIS_FF",
        ),
        (
            (
                "Unable to find legal placement for all cells, design is probably at "
                "utilisation limit."
            ),
            "LFE5U-25F has no legal place for all cells",
        ),
        (
            "Unable to find legal placement for cell 'x', check constraints and utilisation.",
            "LFE5U-25F has no legal place for all cells",
        ),
    ],
)
def test_a_part_without_room(programs: Path, folder: Path, error: str, told: str) -> None:
    (programs / NEXTPNR).write_text(f'#!/bin/sh\necho "ERROR: {error}" >&2\nexit 125\n')
    with pytest.raises(TooLargeError) as caught:
        place_and_route(TARGETS["ecp5-25k"].part, range(1, 2), folder)
    assert str(caught.value) == told


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
    package = TARGETS[target].part.family.package

    def missing(name: str) -> str:
        if name == package:
            raise PackageNotFoundError(package)
        return version(name)

    monkeypatch.setattr(process, "version", missing)
    monkeypatch.setattr(bench_fpga, "synthesise", None)
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
