# SPDX-License-Identifier: Apache-2.0
"""What the measured figures of a table are: of which stage, over how many seeds, at which clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headwater.measure.record import Record
from headwater.measure.settings import LAYOUT, PLACEMENT, SYNTHESIS

_AFTER = {
    SYNTHESIS: "after synthesis, before layout",
    PLACEMENT: "after placement, with estimated wires",
    LAYOUT: "after layout",
}


def conditions(records: Iterable[Record]) -> str:
    """A sentence for each target that the records are of, and for systems."""
    by_target: dict[str, list[Record]] = {}
    for record in records:
        by_target.setdefault(str(record.get("target", "")), []).append(record)
    return " ".join(_sentence(target, those) for target, those in sorted(by_target.items()))


def _sentence(target: str, records: Sequence[Record]) -> str:
    if not target:
        return "Cycles are counted in a simulation of the RTL."
    if any(record.get("ge") for record in records):
        clocks = _listed(record.get("power_clock_mhz") for record in records)
        power = f"; power is of its simulated activity, at {clocks} MHz" if clocks else ""
        stages = {(record.get("flow") or {}).get("stage", SYNTHESIS) for record in records}
        return f"{target}: {' or '.join(_AFTER[one] for one in sorted(stages))}{power}."
    seeds = _listed((record.get("fmax_mhz") or {}).get("seeds") for record in records)
    if not seeds:
        return f"{target}: after synthesis; no open tool places it."
    return f"{target}: after place and route; frequencies are medians over {seeds} seeds."


def _listed(numbers: Iterable[float | None]) -> str:
    """The least number, and the most if this is another one."""
    distinct = sorted({number for number in numbers if number})
    return " to ".join(f"{number:g}" for number in dict.fromkeys((*distinct[:1], *distinct[-1:])))
