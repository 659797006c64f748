# SPDX-License-Identifier: Apache-2.0
"""Routing by qrouter, after scripts of qflow have added power stripes and moved pins."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.layout.circuit import Circuit
from headwater.flow.layout.def_writer import placed_def
from headwater.flow.layout.floorplan import Floorplan
from headwater.flow.layout.placement import Placement
from headwater.flow.layout.technology import Technology
from headwater.flow.layout.tools import QFLOW, QROUTER
from headwater.flow.process import ToolStoppedError, find_program, run_tool

_QFLOW = Path("/usr/lib/qflow/scripts")
_LOG_LINES = 12
_STACKED = "Failed to remove stacked via"


class UnroutedError(ToolError):
    """Some nets found no way between the cells, or their wires do not lead to all pins."""


def route(circuit: Circuit, placement: Placement, technology: Technology, folder: Path) -> int:
    """Route a placed circuit: writes ``routed.def`` and the wires' resistance and capacitance as
    ``routed.rc``; an `UnroutedError` if a net cannot be routed.

    Gives the number of places where the router kept more vias above one another than it should.
    """
    for written in ("routed.def", "routed.rc"):
        (folder / written).unlink(missing_ok=True)
    plan = Floorplan.of(placement, technology)
    (folder / "core.def").write_text(placed_def(circuit, plan))
    stripes = [*shlex.split(technology.stripes), "-nostretch"]
    _info(technology, folder)
    _qflow(
        "addspacers.tcl",
        [*stripes, "core", technology.lef_file, technology.fill_cell],
        "core_filled.def",
        folder,
    )
    _qflow("arrangepins.tcl", ["core"], "core_mod.def", folder)
    (folder / "route.cfg").write_text("\n".join(_script(plan)) + "\n")
    router = find_program("qrouter", QROUTER)
    try:
        # What it could not do is told on stderr.
        log = run_tool([router, "-nog", "-s", "route.cfg"], cwd=folder, merged=True)
    except ToolStoppedError as error:
        # Another attempt would take as long.
        raise ToolError(
            f"qrouter did not finish: {len(circuit.cells)} cells may be too many for it, or the "
            "time limit too short"
        ) from error
    if not (folder / "routed.rc").exists() or "No failed routes" not in log:
        tail = "\n".join(log.strip().splitlines()[-_LOG_LINES:])
        raise UnroutedError(f"qrouter did not route every net:\n{tail}")
    return len({line for line in log.splitlines() if line.startswith(_STACKED)})


def _info(technology: Technology, folder: Path) -> None:
    (folder / "info.cfg").write_text(f"read_lef {technology.lef_file}\n")
    run_tool([find_program("qrouter", QROUTER), "-i", "core.info", "-c", "info.cfg"], cwd=folder)


def _qflow(script: str, arguments: list[str | Path], result: str, folder: Path) -> None:
    """Run a script of qflow that writes a changed DEF file, which takes the place of the first."""
    path = _QFLOW / script
    if not path.is_file():
        raise ToolError(f"qflow is not installed; install it with: {QFLOW}")
    run_tool([path, *arguments], cwd=folder)
    if not (folder / result).is_file():
        raise ToolError(f"{script} of qflow wrote no {result}")
    (folder / result).replace(folder / "core.def")


def _script(plan: Floorplan) -> Iterator[str]:
    technology = plan.technology
    yield "verbose 1"
    yield f"read_lef {technology.lef_file}"
    yield f"via stack {technology.via_stacks}"
    yield f"vdd {technology.supply('POWER')}"
    yield f"gnd {technology.supply('GROUND')}"
    for layer, box in plan.obstructions():
        yield f"obstruction {' '.join(f'{edge:g}' for edge in box)} {layer.name}"
    yield "read_def core.def"
    yield "qrouter::standard_route routed.def false"
    yield "quit"
