# SPDX-License-Identifier: Apache-2.0
"""Measure public cores as ours are measured: the figures that benchmarks/race.py puts beside ours.

    python benchmarks/peers.py FOLDER [--only WORD] [--cells | --judge]

is ``headwater bench --list headwater/report/study/peers.toml --sources FOLDER``, and writes what it
gives into ``peers.json`` beside that list as soon as a core is done: on ECP5 LUTs, flip-flops and
frequency of each way of mapping, three seeds, in the shell of ours; in osu018 the area without a
timing goal, with clock gates and without. FOLDER has a work tree of each repository, as OWNER/NAME,
at the commit that stands there; none is part of this project. A core whose circuit was placed and
routed is not placed again. Beside the figures stands the verdict. ``--cells`` measures areas alone,
``--judge`` says the verdict alone and keeps what was measured, ``--only`` takes the cores whose
name has a word. Needs GHDL for VHDL: ``apt-get install ghdl``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headwater.api.judging import bench_list
from headwater.errors import HeadwaterError
from headwater.files import write_whole
from headwater.foreign.verdict import LAYERS, YES, Verdict
from headwater.measure.settings import AUTO_GATING, NO_GATING
from headwater.report.study.peers import CELLS, FIGURES, FPGA, name_of, sources

Found = dict[str, Any]


def main() -> None:
    """Measure, and write after each core."""
    parser = argparse.ArgumentParser(description="measure public cores")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", metavar="WORD")
    less = parser.add_mutually_exclusive_group()
    less.add_argument("--cells", action="store_true", help="areas alone")
    less.add_argument("--judge", action="store_true", help="the verdict alone")
    given = parser.parse_args()
    known: dict[str, Found] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    targets = [] if given.judge else [CELLS] if given.cells else [CELLS, FPGA]
    listed = FIGURES.with_suffix(".toml")
    for name, one in bench_list(listed, given.folder, only=given.only, targets=targets):
        if not isinstance(one, Verdict):
            print(f"{name}: {one}", file=sys.stderr, flush=True)
            continue
        figures = figures_of(one, known.get(name, {})) if targets else known.get(name, {})
        known[name] = figures | {"verdict": verdict_of(one)}
        print(one.badge, json.dumps(known[name]), flush=True)
        write_whole(FIGURES, as_lines(known).encode())


def verdict_of(verdict: Verdict) -> Found:
    """What is said of a public core: each layer, steps per cycle where they are known, and what is
    wrong or else why a layer is not reached."""
    layers = {layer: verdict.result(layer) for layer in LAYERS}
    open_ones = [one.text for one in verdict.layers if one.result != YES]
    said = [*verdict.wrong[:1], *verdict.causes[:1]] if verdict.wrong else open_ones[:1]
    return layers | {"radix": verdict.radix, "said": "; ".join(said)}


def figures_of(verdict: Verdict, before: Found) -> Found:
    """The figures of a public core; those on the FPGA are the ones before if they were not measured
    and the circuit is the same."""
    records = {record["target"]: record for record in verdict.figures}
    cells = records[CELLS]
    found: Found = {
        "circuit": cells["verilog_sha256"],
        "ge": {NO_GATING: cells["ge_plain"], AUTO_GATING: cells["ge_plain_gated"]},
    }
    if FPGA in records:
        found["mappings"] = records[FPGA]["mappings"]
    elif before.get("circuit") == found["circuit"] and "mappings" in before:
        found["mappings"] = before["mappings"]
    return found


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
