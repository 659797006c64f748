# SPDX-License-Identifier: Apache-2.0
"""Settings of the flow: choices beside cipher, architecture and target."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

from headwater.errors import InputError, between, unknown

MOST_SEEDS = 1000

OBJECTIVES = {
    "balanced": "the mapping with the best throughput per LUT or per GE",
    "area": "the smallest mapping",
    "speed": "the fastest mapping",
    "power": "the mapping with the least energy per bit (standard cells)",
}
"""Objectives: which of the netlists of a flow its figures belong to."""

AUTO_GATING, NO_GATING = "auto", "none"
CLOCK_GATING = {
    AUTO_GATING: "the library's own clock gates, else of latches, else none (standard cells)",
    NO_GATING: "no clock gates: an enable is a multiplexer",
    "latch": "clock gates of a latch and an AND gate (standard cells)",
    "integrated": "the library's own clock gates (standard cells)",
}
"""How enables of registers are made in standard cells."""

ONE_RECIPE, BEST_RECIPE = "yosys", "best"
RECIPES = {
    ONE_RECIPE: "Yosys' own script",
    BEST_RECIPE: "a portfolio of scripts and adders; the best netlist counts (standard cells)",
}
"""Recipes of synthesis that are tried in standard cells."""

FLAT, PARTS = "flat", "parts"
HIERARCHIES = {
    FLAT: "one module: synthesis may move logic anywhere",
    PARTS: "controller and datapath are mapped each by itself (standard cells)",
}
"""What synthesis may look through."""

SYNTHESIS, PLACEMENT, LAYOUT = "synthesis", "placement", "layout"
STAGES = {
    SYNTHESIS: "mapped: no wires, and an ideal clock",
    PLACEMENT: "placed, with a clock tree and estimated wires (standard cells with LEF)",
    LAYOUT: "placed and routed, with a clock tree (standard cells with a LEF file)",
}
"""How far a netlist in standard cells is made before it is measured."""


@dataclass(frozen=True)
class Settings:
    """Settings of the flow; always legal."""

    seeds: int = 5
    """Place-and-route runs on an FPGA; standard cells have no seed."""
    objective: str = "balanced"
    """One of `OBJECTIVES`."""
    clock_mhz: float = 100.0
    """The clock that power in standard cells is given at, or the highest clock of the netlist if
    this is lower."""
    clock_gating: str = AUTO_GATING
    """One of `CLOCK_GATING`."""
    stage: str = SYNTHESIS
    """One of `STAGES`."""
    glitches: bool = False
    """Whether power in standard cells is that of gates with delays, too."""
    recipe: str = ONE_RECIPE
    """One of `RECIPES`."""
    hierarchy: str = FLAT
    """One of `HIERARCHIES`."""

    def __post_init__(self) -> None:
        between(1, MOST_SEEDS, "seeds", self.seeds)
        if self.objective not in OBJECTIVES:
            raise unknown("objective", self.objective, OBJECTIVES)
        if not (math.isfinite(self.clock_mhz) and self.clock_mhz > 0):
            raise InputError(f"clock_mhz must be a positive number of MHz, not {self.clock_mhz!r}")
        if self.clock_gating not in CLOCK_GATING:
            raise unknown("clock gating", self.clock_gating, CLOCK_GATING)
        if self.stage not in STAGES:
            raise unknown("stage", self.stage, STAGES)
        if self.recipe not in RECIPES:
            raise unknown("recipe", self.recipe, RECIPES)
        if self.hierarchy not in HIERARCHIES:
            raise unknown("hierarchy", self.hierarchy, HIERARCHIES)
        gates_are_asked_for = self.clock_gating not in (AUTO_GATING, NO_GATING)
        if self.stage != SYNTHESIS and gates_are_asked_for:
            raise InputError(
                f"a {self.stage} has a clock tree without gates, so clock gating must be none, not "
                f"{self.clock_gating}"
            )
        if self.glitches and gates_are_asked_for:
            raise InputError(
                "glitches are simulated with a clock without gates, so clock gating must be none, "
                f"not {self.clock_gating}"
            )

    @property
    def can_gate_clocks(self) -> bool:
        """Whether netlists of standard cells may have clock gates."""
        return self.stage == SYNTHESIS and not self.glitches

    @property
    def chosen(self) -> list[str]:
        """The names of those that are not the default and need something of a target."""
        named = {one.name for one in fields(self) if getattr(self, one.name) != one.default}
        return sorted(named - ({"clock_gating"} if self.clock_gating == NO_GATING else set()))

    def as_json(self) -> dict[str, Any]:
        """The settings as plain data. The stage is left out of synthesis, glitches where they are
        not simulated, the recipe if it is Yosys' own, and a flat hierarchy, as in results that
        are older than these settings."""
        settings = asdict(self)
        if self.stage == SYNTHESIS:
            del settings["stage"]
        if not self.glitches:
            del settings["glitches"]
        if self.recipe == ONE_RECIPE:
            del settings["recipe"]
        if self.hierarchy == FLAT:
            del settings["hierarchy"]
        return settings
