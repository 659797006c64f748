# SPDX-License-Identifier: Apache-2.0
"""How far a layout moves with the seed of its placer: the same netlist, laid out several times.

    python benchmarks/layout_seeds.py [--target T] [--core NAME:RADIX[,..]] [--seeds N]

The netlist is of Yosys' own recipe with a period as goal that is out of reach, of the default form,
without clock gates.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence

from asked import Core, cells, cores, first_seeds

from headwater.flow.asic import map_to_cells
from headwater.flow.folders import private_folder
from headwater.flow.layout.layout import lay_out
from headwater.flow.opensta import minimum_period
from headwater.measure.settings import NO_GATING
from headwater.measure.target import AsicTarget
from headwater.report.table import Table, as_text

CORES = "trivium:1,trivium:8,grain_v1:1,mickey2:1,a51:1"
GOAL_PS = 500
COLUMNS = ("core", "period ns", "+-%", "wire mm", "+-%", "wire pF", "+-%")


def main() -> None:
    """Lay out, and print a row for each core."""
    parser = argparse.ArgumentParser(description="lay out with several seeds")
    parser.add_argument("--target", type=cells, default="osu018")
    parser.add_argument("--core", type=cores, default=CORES)
    parser.add_argument("--seeds", type=first_seeds, default="5")
    given = parser.parse_args()
    for core in given.core:
        runs = laid_out(core, given.target, given.seeds)
        row = (core, *(cell for one in zip(*runs, strict=True) for cell in spread(one)))
        print(as_text(Table(COLUMNS, [row])), flush=True)


def laid_out(
    core: Core, target: AsicTarget, seeds: Sequence[int]
) -> list[tuple[float, float, float]]:
    """Shortest period in ns, and length in mm and capacitance in pF of all wires, for each seed."""
    library, name, found = target.library(), core.verilog.name, []
    with private_folder() as folder:
        netlist = map_to_cells(
            core.verilog.text, name, library, folder, GOAL_PS, clock_gating=NO_GATING
        )
        for seed in seeds:
            made = lay_out(netlist.verilog, target.technology(), library, name, folder, seed)
            timing = minimum_period(made.circuit.verilog(), library, name, folder, wires=made.wires)
            found.append((timing.period_ns, made.wire_mm, made.wire_pf))
    return found


def spread(values: Sequence[float]) -> tuple[float, float]:
    """The median, and half of the range in percent of it."""
    median = statistics.median(values)
    return round(median, 3), round(50 * (max(values) - min(values)) / median, 1)


if __name__ == "__main__":
    main()
