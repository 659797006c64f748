# SPDX-License-Identifier: Apache-2.0
"""Measure public cores as ours are measured.

    python benchmarks/peers.py FOLDER [--only WORD] [--cells]

FOLDER has a work tree of each repository that ``headwater/report/study/peers.toml`` names, as
OWNER/NAME, at the commit that stands there; none is part of this project. What is measured is kept
in ``peers.json`` beside it as soon as a core is done: on ECP5 LUTs, flip-flops and frequency of
each way of mapping, three seeds, in the shell of ours; in osu018 the area without a timing goal,
with clock gates and without. A core that was measured and whose circuit is the same is placed and
routed no second time; the smallest are first. ``--cells`` measures areas alone, ``--only`` the
cores whose name has a word.
Needs GHDL for VHDL: ``apt-get install ghdl``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foreign import NAME, plain

from headwater.bench.fpga import in_every_way
from headwater.bench.target import AsicTarget, FpgaTarget, find
from headwater.emit.verilog import Verilog
from headwater.errors import HeadwaterError, InputError
from headwater.files import write_whole
from headwater.flow.asic import MappedNetlist, map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.liberty import Library
from headwater.report.study.peers import CELLS, FIGURES, FPGA, GATING, SEEDS, name_of, sources

Found = dict[str, Any]


def main() -> None:
    """Measure, and write after each core."""
    parser = argparse.ArgumentParser(description="measure public cores")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--cells", action="store_true", help="areas alone")
    given = parser.parse_args()
    known: dict[str, Found] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    wanted = [one for one in sources() if "files" in one and given.only in name_of(one)]
    wanted.sort(key=lambda one: known.get(name_of(one), {}).get("ge", {}).get("none", 0))
    for source in wanted:
        try:
            known[name_of(source)] = measured(source, given, known.get(name_of(source), {}))
        except HeadwaterError as error:
            print(f"{name_of(source)}: {error}", file=sys.stderr, flush=True)
            continue
        print(name_of(source), json.dumps(known[name_of(source)]), flush=True)
        write_whole(FIGURES, as_lines(known).encode())


def measured(source: Mapping[str, Any], given: argparse.Namespace, before: Found) -> Found:
    """The figures of a public core; those on the FPGA are the ones before if its circuit is."""
    verilog = plain(source, checked_out(given.folder / source["peer"], source["commit"]))
    found: Found = {"circuit": verilog.sha256, "ge": in_cells(verilog)}
    if "mappings" in before and before["circuit"] == verilog.sha256:
        found["mappings"] = before["mappings"]
    elif not given.cells:
        found["mappings"] = on_fpga(verilog)
    return found


def checked_out(tree: Path, commit: str) -> Path:
    """A work tree; an error if it is at another commit."""
    asked = ["git", "-C", str(tree), "rev-parse", "HEAD"]
    at = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if at != commit:
        raise InputError(f"{tree} must be a work tree at {commit}, not {at or 'absent'!r}")
    return tree


def in_cells(verilog: Verilog) -> dict[str, float]:
    """Area in GE for each way of gating clocks."""
    target = find(CELLS)
    assert isinstance(target, AsicTarget)
    library, areas = target.library(), {}
    for gating in GATING:
        with private_folder() as folder:
            mapped = map_to_cells(verilog.text, NAME, library, folder, None, gating)
        areas[gating] = round(plain_ge(mapped, library), 1)
    return areas


def plain_ge(mapped: MappedNetlist, library: Library) -> float:
    """Area in GE with each flip-flop as small as a plain one: a library may have no other with a
    reset at any time than a large one that has a set, too."""
    plain_um2 = mapped.flip_flops * library.flip_flop_area_um2
    return (mapped.area_um2 - mapped.sequential_area_um2 + plain_um2) / library.nand_area_um2


def on_fpga(verilog: Verilog) -> Found:
    """LUTs, flip-flops and frequencies of each way of mapping."""
    target = find(FPGA)
    assert isinstance(target, FpgaTarget)
    return {found.mapping: found.as_json()
            for found in in_every_way(verilog, target, range(1, SEEDS + 1))}  # fmt: skip


def as_lines(known: Mapping[str, Found]) -> str:
    """JSON with a line for each core, in the order of `sources`."""
    names = [name for name in map(name_of, sources()) if name in known]
    rows = [f"{json.dumps(name)}: {json.dumps(known[name])}" for name in names]
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    try:
        main()
    except HeadwaterError as error:
        sys.exit(f"peers: {error}")
