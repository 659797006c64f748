# SPDX-License-Identifier: Apache-2.0
"""The clock of a routed circuit: when it reaches the registers, and whether data wait for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from headwater.errors import ToolError
from headwater.flow.liberty import Library
from headwater.flow.opensta import Wires, delays_as_sdf, run_sta, sta_setup

_PERIOD_NS = 1.0
_ARRIVAL = re.compile(r"\(clk \^\) r [^:]+:(\S+)")
_HOLD = "hold "


@dataclass(frozen=True)
class ClockTiming:
    """The clock at the registers."""

    insertion_ns: float
    """Mean delay from the clock port to a register."""
    skew_ns: float
    """The difference between the latest and the earliest register."""
    hold_slack_ns: float
    """How much later than it must the earliest new data arrive at a register."""
    sdf: str
    """All delays as SDF."""


def clock_timing(netlist: str, library: Library, top: str, folder: Path, spef: str) -> ClockTiming:
    """The clock of a routed netlist with these wires."""
    setup = sta_setup(netlist, library, top, folder, _PERIOD_NS, Wires(spef))
    arrivals = [
        float(arrival[1])
        for line in run_sta([*setup, "clock_arrivals"], folder)
        if (arrival := _ARRIVAL.search(line))
    ]
    if not arrivals:
        raise ToolError(f"sta found no register of {top} that gets the clock")
    insertion = fmean(arrivals)
    script = [
        *sta_setup(netlist, library, top, folder, _PERIOD_NS, Wires(spef, insertion)),
        f'puts "{_HOLD}[get_property [find_timing_paths -path_delay min] slack]"',
    ]
    lines = run_sta(script, folder)
    slacks = [float(line.removeprefix(_HOLD)) for line in lines if line.startswith(_HOLD)]
    sdf = delays_as_sdf(netlist, library, top, folder, Wires(spef, insertion))
    return ClockTiming(insertion, max(arrivals) - min(arrivals), min(slacks), sdf)
