# SPDX-License-Identifier: Apache-2.0
"""Delays of a netlist's gates, read from the SDF file that the timer writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headwater.errors import ToolError

FEMTOSECONDS = 1_000_000
"""Time units of the simulation in a nanosecond."""

Arc = tuple[str, str, str]
"""Instance, input pin and output pin."""


@dataclass(frozen=True)
class Delay:
    """Delay of an output that rises and of one that falls, in femtoseconds."""

    rise: int
    fall: int

    def plus(self, more: Delay) -> Delay:
        """Both delays, one behind the other."""
        return Delay(self.rise + more.rise, self.fall + more.fall)

    def longest(self, other: Delay) -> Delay:
        """The longer one at each edge."""
        return Delay(max(self.rise, other.rise), max(self.fall, other.fall))


_NONE = Delay(0, 0)
_INSTANCE = re.compile(r"\(INSTANCE ([^\s()]*)\)")
_DELAY = re.compile(r"\((IOPATH|INTERCONNECT) (\S+) (\S+) \(([^()]*)\)(?: \(([^()]*)\))?\)")


def read_delays(sdf: str) -> Mapping[Arc, Delay]:
    """The delay of every arc, with that of the wire in front of its input.

    Where the timer tells several delays of an arc, for values of other inputs or for the direction
    of the edge, the longest counts.
    """
    if "(TIMESCALE 1ns)" not in sdf:
        raise ToolError("the SDF of the timer must have delays in nanoseconds")
    wires: dict[tuple[str, str], Delay] = {}
    gates: dict[Arc, Delay] = {}
    for kind, instance, source, target, delay in _entries(sdf):
        if kind == "IOPATH":
            arc = (instance, source, target)
            gates[arc] = gates.get(arc, _NONE).longest(delay)
        else:
            reached, _, pin = target.rpartition("/")
            wires[reached, pin] = delay
    return {
        (instance, source, target): delay.plus(wires.get((instance, source), _NONE))
        for (instance, source, target), delay in gates.items()
    }


def _entries(sdf: str) -> Iterator[tuple[str, str, str, str, Delay]]:
    """Kind, instance, both ends and delay of each entry."""
    instance = ""
    for line in sdf.splitlines():
        if entry := _INSTANCE.search(line):
            instance = entry[1].replace("\\", "")
        elif entry := _DELAY.search(line):
            kind, source, target, rise, fall = entry.groups()
            delay = Delay(_femtoseconds(rise), _femtoseconds(fall or rise))
            yield kind, instance, source, target.replace("\\", ""), delay


def _femtoseconds(triple: str) -> int:
    """The last number of minimum, typical and maximum; a delay is never negative."""
    return max(0, round(FEMTOSECONDS * float(triple.rpartition(":")[2])))
