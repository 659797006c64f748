# SPDX-License-Identifier: Apache-2.0
"""nextpnr, from the `yowasp-nextpnr-...` wheels: the same run for every family."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow import doing
from headwater.flow.fpga.family import Family, Part
from headwater.flow.kept import cache_folder
from headwater.flow.process import find_program, package_version, run_tool, written_json

_REQUESTED_MHZ = 300
"""Requested clock. It decides only whether nextpnr reports pass or fail; the result does not depend
on it."""

_NO_CELL = re.compile(r"no BELs remaining to implement cell type '(.+)'")
_FULL = ("design is probably at utilisation limit", "check constraints and utilisation")
"""What nextpnr says of a design that its part has no room for: at once, or while it places. The
last is of a group of cells that no free place is large enough for; there are no constraints."""


class TooLargeError(ToolError):
    """The part has no room for the design."""


@dataclass(frozen=True)
class Route:
    """One place-and-route run: frequency in MHz, flip-flops placed, ends of the slowest path."""

    fmax_mhz: float
    ff: int
    path_from: str
    path_to: str


def place_and_route(part: Part, seeds: range, folder: Path) -> list[Route]:
    """Place and route the ``netlist.json`` in ``folder`` once per seed.

    Raises
    ------
    TooLargeError
        If the part has no room for it.
    """
    _check_cache()
    if part.pins:
        (folder / "pins").write_text(part.pins)
    routes = []
    for seed in seeds:
        doing.step(f"place and route, seed {seed} of {len(seeds)}")
        routes.append(_route(part, seed, folder))
    return routes


def nextpnr_version(family: Family) -> str:
    """Version of the package for that family."""
    return package_version(family.package, f"pip install {family.package}")


def _check_cache() -> None:
    """Refuse an unwritable place for the compiled programs: the wheels show a traceback there."""
    if "YOWASP_CACHE_DIR" not in os.environ:
        cache_folder("YoWASP")


def _route(part: Part, seed: int, folder: Path) -> Route:
    family = part.family
    command: list[str | Path] = [
        find_program(family.package, f"pip install {family.package}"),
        *part.arguments,
        "--json",
        "netlist.json",
        "--seed",
        str(seed),
        "--freq",
        str(_REQUESTED_MHZ),
        "--timing-allow-fail",
        "--report",
        "report.json",
        "--quiet",
        *family.arguments,
    ]
    try:
        run_tool(command, cwd=folder)
    except ToolError as error:
        _refuse_too_large(part, str(error))
        raise
    report = written_json(folder / "report.json")
    (fmax,) = (clock["achieved"] for clock in report["fmax"].values())
    path = max(
        (path["path"] for path in report["critical_paths"] if path["from"] == path["to"]),
        key=lambda path: sum(piece["delay"] for piece in path),
    )
    placed = family.flip_flops_placed(report, folder)
    return Route(fmax, placed, path[0]["from"]["cell"], path[-1]["to"]["cell"])


def _refuse_too_large(part: Part, told: str) -> None:
    """An error if nextpnr told that the part has no room for the design."""
    if missing := _NO_CELL.search(told):
        raise TooLargeError(f"{part.device} has too few {missing[1]}")
    if any(full in told for full in _FULL):
        raise TooLargeError(f"{part.device} has no legal place for all cells")
