# SPDX-License-Identifier: Apache-2.0
"""The design point: what is measured."""

from __future__ import annotations

from dataclasses import dataclass, field

from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.flow.layout.tools import layout_tools, placement_tools
from headwater.measure.effect import effective, of_shares, refuse_parts, refuse_whole_core
from headwater.measure.record import BEST_OF_RECIPES
from headwater.measure.settings import FLAT, LAYOUT, ONE_RECIPE, PLACEMENT, SYNTHESIS, Settings
from headwater.measure.target import FpgaTarget, Target

_SETTINGS = {
    "objective": "objective {}",
    "seeds": "{} seeds",
    "clock_mhz": "{:g} MHz",
    "clock_gating": "clock gating {}",
    "hierarchy": "hierarchy {}",
}
"""What a design point says of settings that are not the default."""


@dataclass(frozen=True)
class DesignPoint:
    """What is measured: a cipher, an architecture, a target and the flow's settings. Settings that
    do nothing on the target are the default ones, so that points are equal whose figures are."""

    cipher: Cipher
    architecture: Architecture
    target: Target
    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", effective(self.settings, self.target))
        if self.architecture.is_masked:
            object.__setattr__(
                self, "settings", of_shares(self.settings, self.target, self.architecture)
            )
        if self.architecture.has_datapath_apart:
            refuse_whole_core(self.settings)
        if self.settings.hierarchy != FLAT:
            refuse_parts(self.cipher, self.architecture)

    def __str__(self) -> str:
        stage = "" if self.settings.stage == SYNTHESIS else f" after {self.settings.stage}"
        glitches = " with glitches" if self.settings.glitches else ""
        recipes = BEST_OF_RECIPES if self.settings.recipe != ONE_RECIPE else ""
        text = f"{self.cipher.name} {self.architecture} on {self.target.name}"
        others = "".join(
            f", {words.format(getattr(self.settings, name))}"
            for name, words in _SETTINGS.items()
            if name in self.settings.chosen
        )
        return f"{text}{stage}{glitches}{recipes}{others}"

    @property
    def tools(self) -> dict[str, str]:
        """Versions of the tools that measure the point."""
        return {**self.target.tools(), **self._tools_of_stage()}

    def _tools_of_stage(self) -> dict[str, str]:
        if self.settings.stage == LAYOUT:
            return layout_tools()
        if self.settings.stage == PLACEMENT and not isinstance(self.target, FpgaTarget):
            return placement_tools(self.target.outlines().lef_sha256)
        return {}
