# SPDX-License-Identifier: Apache-2.0
"""Figures that only a placed netlist has."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.flow.layout.layout import Layout
from headwater.flow.layout.picture import packed, picture
from headwater.flow.liberty import Library


@dataclass(frozen=True)
class LayoutFigures:
    """Die, clock tree and wires of a layout or a placement, and what the netlist reached before."""

    die_um2: float
    """No pads and no ring; of a layout with pins and power stripes."""
    cells_um2: float
    """Outlines of all cells but fillers."""
    density: float
    """The part of the die that these cells cover."""
    wire_mm: float
    wire_pf: float
    """Capacitance of all wires; that of pins is not in it."""
    longest_net: str
    longest_wire_um: float
    vias: int | None
    """None, as the next: wires are estimated."""
    stacked_vias: int | None
    """Places where the router kept more vias above one another than it should."""
    ge_clock: float
    """The part of ``ge`` in the clock tree."""
    clock_buffers: int
    clock_levels: int
    """Buffers between the clock port and each register."""
    clock_insertion_ps: float
    """Mean delay from the clock port to a register."""
    clock_skew_ps: float
    """Difference between the latest and the earliest register."""
    hold_slack_ps: float
    """How much later than it must the earliest new data arrive at a register."""
    ge_before: float
    """Area, frequency and energy of the same netlist before layout."""
    fmax_mhz_before: float
    energy_pj_per_bit_before: float | None
    picture: str
    """The die as SVG (`headwater.flow.layout.picture`), compressed, in base 64."""


def layout_figures(
    layout: Layout, library: Library, ge: float, fmax_mhz: float, energy_pj: float | None
) -> LayoutFigures:
    """The figures of a layout, of which these were the area, frequency and energy before."""
    clock = layout.clock
    longest, length_um = layout.longest
    return LayoutFigures(
        die_um2=round(layout.die_um2, 1),
        cells_um2=round(layout.cells_um2, 1),
        density=round(layout.cells_um2 / layout.die_um2, 4),
        wire_mm=round(layout.wire_mm, 3),
        wire_pf=round(layout.wire_pf, 4),
        longest_net=longest,
        longest_wire_um=round(length_um, 1),
        vias=layout.vias,
        stacked_vias=layout.stacked_vias,
        ge_clock=round(layout.clock_um2 / library.nand_area_um2, 1),
        clock_buffers=len(layout.tree.buffers),
        clock_levels=layout.tree.levels,
        clock_insertion_ps=round(1000 * clock.insertion_ns, 1),
        clock_skew_ps=round(1000 * clock.skew_ns, 1),
        hold_slack_ps=round(1000 * clock.hold_slack_ns, 1),
        ge_before=round(ge, 1),
        fmax_mhz_before=round(fmax_mhz, 2),
        energy_pj_per_bit_before=energy_pj,
        picture=packed(picture(layout, library)),
    )
