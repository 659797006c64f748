# SPDX-License-Identifier: Apache-2.0
"""What other ways of mapping would give on an FPGA: each beside the ways that a family has.

    python benchmarks/fpga_mapping.py [--target T[,T]] [--core NAME:RADIX[,..]] [--seeds N]

The ways that are tried: other scripts of ABC, flip-flops in ABC's sight (it may merge and remove
them), and enables made of LUTs.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from asked import Core, cores, first_seeds, placed_fpgas

from headwater.errors import HeadwaterError
from headwater.flow.folders import private_folder
from headwater.flow.fpga.family import Family, Way, synthesise
from headwater.flow.fpga.nextpnr import place_and_route
from headwater.measure.shell import SHELL, in_shell
from headwater.measure.target import FpgaTarget
from headwater.report.table import Table, as_text

CORES = "trivium:1,trivium:64,grain_v1:16,mickey2:1,zuc:32"
COLUMNS = ("core", "target", "way", "LUT", "FF", "fmax MHz", "least", "most", "Mbit/s/LUT")


def main() -> None:
    """Measure, and print a row for each way, as soon as a core is measured."""
    parser = argparse.ArgumentParser(description="try other ways of mapping to an FPGA")
    parser.add_argument("--target", type=placed_fpgas, default="ecp5-25k,ice40-hx8k")
    parser.add_argument("--core", type=cores, default=CORES)
    parser.add_argument("--seeds", type=first_seeds, default="3")
    given = parser.parse_args()
    for core in given.core:
        for target in given.target:
            rows = list(measured(core, target, given.seeds))
            print(as_text(Table(COLUMNS, rows)), flush=True)


def measured(core: Core, target: FpgaTarget, seeds: Sequence[int]) -> Iterator[tuple[object, ...]]:
    """A row for each way of mapping one core to one target."""
    for label, way in tried(target.part.family).items():
        try:
            yield (core, target.name, label, *figures(core, target, way, seeds))
        except HeadwaterError as error:
            yield (core, target.name, f"{label}: {str(error)[-60:]}")


def figures(core: Core, target: FpgaTarget, way: Way, seeds: Sequence[int]) -> tuple[object, ...]:
    """LUTs and flip-flops of the core; median, least and highest frequency over the seeds;
    throughput per LUT."""
    family, verilog = replace(target.part.family, ways={"tried": way}), core.verilog
    with private_folder() as folder:
        used = synthesise(family, in_shell(verilog), verilog.name, SHELL, "tried", folder)
        routes = place_and_route(replace(target.part, family=family), seeds, folder)
    runs = [route.fmax_mhz for route in routes]
    median = statistics.median(runs)
    shown = (round(one, 1) for one in (median, min(runs), max(runs)))
    return (used.lut, used.ff, *shown, round(median * core.radix / used.lut, 2))


def tried(family: Family) -> Mapping[str, Way]:
    """The ways of the family, and others made from its smallest one."""
    area = family.ways["area"]
    plain = replace(area, before=())

    def script(name: str) -> Way:
        return replace(plain, before=(f"scratchpad -copy abc9.script.{name} abc9.script",))

    return {
        **family.ways,
        "flow": script("flow"),
        "flow3": script("flow3"),
        "area, flip-flops seen": replace(area, flags=f"{area.flags} -dff"),
        "area, enables of LUTs": replace(area, flags=f"{area.flags} -nodffe"),
    }


if __name__ == "__main__":
    main()
