# SPDX-License-Identifier: Apache-2.0
"""How often each pin toggles in the parts of a simulated run, from its waveform."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headwater.errors import ToolError
from headwater.flow.power import Activity
from headwater.flow.toggles import count_toggles, values_at

MOMENTS = ("setup", "message", "running", "tag", "end")
"""The moments at which parts of a run begin, and the end."""

Sources = Mapping[tuple[str, str], str]
"""For each watched output pin or input port its net."""


@dataclass(frozen=True)
class Phase:
    """One part of a run: clock cycles, and toggles per cycle of every output pin and input port;
    for the running phase also the values of pins and ports that are equal in its middle and at
    three quarters of it, well before a text ends."""

    cycles: int
    activity: Activity
    steady: Mapping[tuple[str, str], int] = field(default_factory=dict)


def phases_of(
    times: Mapping[str, int], cycle: int, sources: Sources, folder: Path
) -> dict[str, Phase]:
    """The activity from each moment to the next, by the name of its first moment.

    ``times`` says when each moment was (see :mod:`headwater.flow.gatebench`), and ``cycle`` how
    long a clock cycle is; ``sources`` are the watched pins and ports: if there are none, no
    waveform is read.
    """
    moments = [moment for moment in MOMENTS if moment in times]
    marks = [times[moment] for moment in moments]
    if not {"setup", "running"} <= set(moments) or marks != sorted(marks):
        raise ToolError("netlist took load and data, or gave text and tag, in the wrong order")
    intervals: list[dict[str, int]] = [{} for _ in marks[1:]]
    steady: dict[str, int] = {}
    if sources:
        with (folder / "dump.vcd").open("rb") as dump:
            intervals = count_toggles(dump, marks)
        begin, end = marks[moments.index("running") :][:2]
        steady = _steady(folder, (begin + end) // 2, (begin + 3 * end) // 4)
    return {
        moment: _phase(
            toggles, steady if moment == "running" else {}, sources, (end - begin) // cycle
        )
        for moment, toggles, begin, end in zip(
            moments[:-1], intervals, marks[:-1], marks[1:], strict=True
        )
        if end > begin
    }


def _steady(folder: Path, *times: int) -> dict[str, int]:
    """The nets that have the same value at all given times, and this value."""
    found: list[dict[str, int]] = []
    for time in times:
        with (folder / "dump.vcd").open("rb") as dump:
            found.append(values_at(dump, time))
    return dict(set.intersection(*(set(values.items()) for values in found)))


def _phase(
    toggles: Mapping[str, int], steady: Mapping[str, int], sources: Sources, cycles: int
) -> Phase:
    return Phase(
        cycles,
        {pin: toggles[net] / cycles for pin, net in sources.items()},
        {pin: steady[net] for pin, net in sources.items() if net in steady},
    )
