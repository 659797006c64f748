# SPDX-License-Identifier: Apache-2.0
"""FO4, the delay of an inverter that drives four inverters of its size, measured by the timer.

A clock period in units of FO4 measures the depth of a circuit independently of the technology.
"""

from __future__ import annotations

import re
import statistics
from functools import lru_cache
from itertools import pairwise

from headwater.errors import ToolError
from headwater.flow.folders import private_folder
from headwater.flow.liberty import Library
from headwater.flow.opensta import run_sta, sta_design

_STAGES = 24
_SETTLED = 6
"""Number of stages at each end of the chain that are not measured: the input edge and the missing
load influence them."""


@lru_cache
def fo4_ps(library: Library) -> float:
    """The delay of one stage in picoseconds: the median over a chain, of the mean of the two edges.

    The inverters are the library's smallest, and wires have no capacitance.
    """
    with private_folder() as folder:
        script = [
            *sta_design(_chain(library), library, "chain", folder),
            "constrain 1000",
            "report_checks -path_delay max -digits 9",
        ]
        log = run_sta(script, folder)
    delays_ns = [float(stage[1]) for line in log if (stage := _STAGE.match(line))]
    if len(delays_ns) != _STAGES:
        raise ToolError(f"sta must report {_STAGES} stages of the FO4 chain, not {len(delays_ns)}")
    inner = delays_ns[_SETTLED:-_SETTLED]
    return round(1000 * statistics.median((one + next_) / 2 for one, next_ in pairwise(inner)), 4)


_STAGE = re.compile(r"\s*([\d.]+)\s+[\d.]+ [v^] stage\d+/")


def _chain(library: Library) -> str:
    """A chain of inverters. Each drives the next inverter and three more without a load."""
    inverter = library.inverter
    lines = []
    for stage in range(_STAGES):
        source = f"w{stage}" if stage else "a"
        target = f"w{stage + 1}" if stage < _STAGES - 1 else "y"
        lines.append(inverter.instance(f"stage{stage}", source, target))
        if stage:
            lines += [
                inverter.instance(f"load{stage}_{n}", source, f"u{stage}_{n}") for n in range(3)
            ]
    wires = [f"w{stage}" for stage in range(1, _STAGES)]
    wires += [f"u{stage}_{n}" for stage in range(1, _STAGES) for n in range(3)]
    return (
        "module chain (clk, a, y);\n  input clk, a;\n  output y;\n"
        f"  wire {', '.join(wires)};\n{''.join(lines)}endmodule\n"
    )
