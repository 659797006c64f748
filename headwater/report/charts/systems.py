# SPDX-License-Identifier: Apache-2.0
"""Charts of systems of processor and coprocessor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import altair as alt

from headwater.codesign.processor import PROCESSORS
from headwater.codesign.scenario import INTERFACES
from headwater.report.charts.colours import (
    MEASURED,
    PRINTED,
    Palette,
    Row,
    listed_colour,
    listed_shape,
)
from headwater.report.charts.parts import (
    Chart,
    dash,
    log_x,
    log_y,
    marks,
    names_y,
    plot,
    radix_x,
    sources,
    spec_of,
    thin_lines,
)
from headwater.report.printed import paper
from headwater.report.published import INTERFACES as PAPER
from headwater.report.published import printed_rows
from headwater.report.systems import SOFTWARE, System

_ACCESSES = (*INTERFACES, SOFTWARE)
_HINT = "headwater codesign trivium,salsa20,phelix --interface all"
_WHOLE, _ALONE = "whole system", "core alone"
_CYCLES = "Time of 128 bits (clock cycles)"
_SIMULATED = "In steady state, in simulation of the whole system, until the words are in memory."


def systems_charts(systems: Sequence[System], palette: Palette) -> list[Chart]:
    """The charts of all measured systems."""
    return [cycles_by_interface(systems), cycles_by_radix(systems, palette)]


def cycles_by_interface(systems: Sequence[System]) -> Chart:
    """Cycles of a fixed amount of keystream or text, cipher by cipher."""
    rows = [_row(system) for system in systems]
    base = plot(log_x("cycles", _CYCLES), names_y(rows, "cycles", least_first=True))
    return Chart(
        "systems-interfaces",
        "Cycles behind a processor",
        f"{_SIMULATED} Each mark is a system, or software on the processor alone.",
        spec_of(
            marks(base).encode(
                listed_colour("access", _used(rows, "access", _ACCESSES), among=_ACCESSES),
                listed_shape("cpu", _used(rows, "cpu", tuple(PROCESSORS))),
            ),
            height=alt.Step(22),
        ),
        rows,
        _HINT,
    )


def cycles_by_radix(systems: Sequence[System], palette: Palette) -> Chart:
    """Cycles against radix: they show from where on a faster core makes no faster system."""
    rows = [_row(system) for system in systems if system["radix"] and not system["wait_states"]]
    base = plot(radix_x("Radix of the core (bits per cycle)", rows), log_y("cycles", _CYCLES))
    colour, shape = palette.colour(rows), listed_shape("access", _used(rows, "access", _ACCESSES))
    lines = thin_lines(base).encode(colour, detail="series:N", strokeDash=dash("cpu", rows))
    return Chart(
        "systems-radix",
        "Cycles behind a processor against radix",
        f"{_SIMULATED} Without wait states: where a line is level, the interface decides.",
        spec_of(lines, marks(base).encode(colour, shape), height=320),
        rows,
        "headwater codesign trivium --radix 1,2,4,8,16,32,64 --interface custom,bus,dma",
    )


def speed_ups(systems: Sequence[System]) -> Chart:
    """Speed-up over software of the core alone and of the whole system, printed and measured."""
    rows = [
        {"printed": each.key, "source": PRINTED, "cipher": each.cipher, "times": times, "of": of}
        for each in printed_rows(PAPER, "table2")
        for of, times in ((_ALONE, each["speedup_hw_vs_sw"]), (_WHOLE, each["speedup_hw_sw_vs_sw"]))
        if times
    ] + [
        {"id": system.id, "source": MEASURED, "cipher": system.cipher, "times": times, "of": of}
        for system in systems
        for of, times in ((_ALONE, system.core_speed_up), (_WHOLE, system.speed_up))
        if times
    ]
    base = plot(log_x("times", "Speed-up (times software)"), names_y(rows, "times"))
    return Chart(
        "interfaces-speed-up",
        "What the interface leaves of the speed-up",
        "Measured: over word-parallel C on the same processor. Printed: over the paper's own "
        "software.",
        spec_of(sources(base, partial(listed_colour, "of", (_WHOLE, _ALONE))), height=alt.Step(26)),
        rows,
        _HINT,
        f"Printed: {paper(PAPER).technology}.",
    )


def _row(system: System) -> Row:
    return {
        "id": system.id,
        "cipher": system.cipher,
        "cpu": system["cpu"],
        "access": system["interface"],
        "radix": system["radix"],
        "cycles": system.cycles,
        "series": system.series,
    }


def _used(rows: Sequence[Row], field: str, every: Sequence[str]) -> list[str]:
    values = {row[field] for row in rows}
    return [name for name in every if name in values]
