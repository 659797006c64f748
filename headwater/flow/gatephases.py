# SPDX-License-Identifier: Apache-2.0
"""How often each pin toggles in the parts of a simulated run, from its waveform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.power import Activity, States
from headwater.flow.toggles import Interval, Watch, count_toggles, values_at

MOMENTS = ("setup", "message", "running", "tag", "end")
"""The moments at which parts of a run begin, and the end."""

Pin = tuple[str, str]
"""An instance and its pin; instance "" is for input ports."""

Sources = Mapping[Pin, str]
"""For each watched output pin or input port its net."""


@dataclass(frozen=True)
class Watched:
    """What is counted in a run.

    Members
    -------
    sources : Sources
        Empty if nothing is counted, and no waveform read.
    states : dict of Pin to Watch
        Pins whose toggles are counted by the values of the other pins of their cell.
    clocks : frozenset of str
        The nets of clocks.
    """

    sources: Sources = field(default_factory=dict)
    states: Mapping[Pin, Watch] = field(default_factory=dict)
    clocks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Phase:
    """One part of a run: clock cycles, and toggles per cycle of every output pin and input port;
    for the running phase also the values of pins and ports that are equal in its middle and at
    three quarters of it, well before a text ends."""

    cycles: int
    activity: Activity
    states: States = field(default_factory=dict)
    """Toggles per cycle of watched input pins by the values of their cell's pins."""
    steady: Mapping[Pin, int] = field(default_factory=dict)


def phases_of(
    times: Mapping[str, int], cycle: int, watched: Watched, folder: Path
) -> dict[str, Phase]:
    """The activity from each moment to the next, by the name of its first moment.

    ``times`` says when each moment was (see :mod:`headwater.flow.gatebench`), and ``cycle`` how
    long a clock cycle is.
    """
    moments = [moment for moment in MOMENTS if moment in times]
    marks = [times[moment] for moment in moments]
    if not {"setup", "running"} <= set(moments) or marks != sorted(marks):
        raise ToolError("netlist took load and data, or gave text and tag, in the wrong order")
    intervals = [Interval({}, []) for _ in marks[1:]]
    steady: dict[str, int] = {}
    if watched.sources:
        with (folder / "dump.vcd").open("rb") as dump:
            intervals = count_toggles(dump, marks, [*watched.states.values()], watched.clocks)
        begin, end = marks[moments.index("running") :][:2]
        steady = _steady(folder, (begin + end) // 2, (begin + 3 * end) // 4)
    return {
        moment: _phase(
            interval, steady if moment == "running" else {}, watched, (end - begin) // cycle
        )
        for moment, interval, begin, end in zip(
            moments[:-1], intervals, marks[:-1], marks[1:], strict=True
        )
        if end > begin
    }


def _steady(folder: Path, *times: int) -> dict[str, int]:
    """The nets that have the same value at all given times, and this value."""
    states: list[dict[str, int]] = []
    for time in times:
        with (folder / "dump.vcd").open("rb") as dump:
            states.append(values_at(dump, time))
    return dict(set.intersection(*(set(values.items()) for values in states)))


def _phase(interval: Interval, steady: Mapping[str, int], watched: Watched, cycles: int) -> Phase:
    return Phase(
        cycles,
        {pin: interval.toggles[net] / cycles for pin, net in watched.sources.items()},
        {
            pin: {state: count / cycles for state, count in sorted(counts.items())}
            for pin, counts in zip(watched.states, interval.by_state, strict=False)
        },
        {pin: steady[net] for pin, net in watched.sources.items() if net in steady},
    )
