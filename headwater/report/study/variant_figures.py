# SPDX-License-Identifier: Apache-2.0
"""What a study of variants tells of a core: which core, which variant, which figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from headwater.measure.facts import facts_at
from headwater.measure.point import DesignPoint
from headwater.measure.record import BEST_OF_RECIPES, Record
from headwater.measure.settings import NO_GATING, ONE_RECIPE
from headwater.report.choose import fmax_of
from headwater.report.study.cores import chosen
from headwater.report.study.study import Cell

Figure = Callable[[Record], object]


def _of_layout(name: str) -> Figure:
    return lambda record: record["layout"] and record["layout"][name]


FIGURES: Mapping[str, Figure] = {
    "GE": lambda record: record["ge"],
    "smallest GE": lambda record: record["ge_smallest"],
    "MHz": fmax_of,
    "pJ/bit": lambda record: record["energy_pj_per_bit"],
    "glitches, % of dynamic power": lambda record: (
        None if record["glitch_share"] is None else round(100 * record["glitch_share"], 1)
    ),
    "wire mm": _of_layout("wire_mm"),
    "wire pF": _of_layout("wire_pf"),
    "recipe": lambda record: record["mapping"],
}


def core_of(cell: Cell) -> tuple[str, float, str]:
    """What tells a core from the others: cipher, bits per cycle, options."""
    bits = facts_at(cell.point.cipher, cell.point.architecture).bits_per_cycle
    options = " ".join(f"{name}={value}" for name, value in chosen(cell).items())
    return cell.cipher, int(bits) if bits == int(bits) else round(bits, 2), options


def variant_of(point: DesignPoint) -> str:
    """What the flow made of a core, in words."""
    settings = point.settings
    gates = " without clock gates" if settings.clock_gating == NO_GATING else ""
    glitches = " with glitches" if settings.glitches else ""
    recipe = BEST_OF_RECIPES if settings.recipe != ONE_RECIPE else ""
    return f"{settings.stage}{gates}{glitches}{recipe}"


def value_of(record: Record | None, figure: str) -> object:
    """A figure of `FIGURES`; None if it was not measured."""
    return FIGURES[figure](record) if record else None
