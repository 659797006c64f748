# SPDX-License-Identifier: Apache-2.0
"""Power with glitches: simulation with the delays of the timer, beside the one without delays."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from headwater.flow.gatesim import Timed
from headwater.flow.liberty import Library
from headwater.flow.opensta import Timing, Wires, delays_as_sdf
from headwater.flow.power import Power
from headwater.flow.sdf import FEMTOSECONDS, read_delays
from headwater.measure.energy import figure

_ROUNDING = 1.001
"""How much longer than the shortest period the clock of the simulation is: the timer tells seven
digits of a delay, and paths have many delays."""


def timed_gates(
    netlist: str, library: Library, top: str, folder: Path, timing: Timing, wires: Wires | None
) -> Timed:
    """The delays of a netlist, and a clock as fast as its timing allows. Its energy in a cycle
    holds for every slower clock: all has settled at the end of a cycle."""
    sdf = delays_as_sdf(netlist, library, top, folder, wires)
    half = math.ceil(FEMTOSECONDS * _ROUNDING * timing.period_ns / 2)
    latency = round(FEMTOSECONDS * wires.latency_ns) if wires else 0
    return Timed(read_delays(sdf), 2 * half, latency)


def glitch_figures(
    with_glitches: Power, without: Power, clock_mhz: float, bits_per_cycle: float
) -> dict[str, Any]:
    """The members of `Figures` for glitches, from the power of the running cipher."""
    dynamic, settled = (power.internal + power.switching for power in (with_glitches, without))
    return {
        "glitch_share": round((dynamic - settled) / dynamic, 4),
        "power_mw_without_glitches": figure(1e3 * without.total),
        "energy_pj_per_bit_without_glitches": figure(
            1e6 * without.total / clock_mhz / bits_per_cycle
        ),
    }
