# SPDX-License-Identifier: Apache-2.0
"""Units of area in sentences."""

from __future__ import annotations

from headwater.measure.record import Record, area_of, area_unit_of


def plural(unit: str) -> str:
    """Several of a unit: slices, but GE."""
    return unit if unit.isupper() else f"{unit}s"


def area_in_words(record: Record) -> str:
    """The area of a design point with its unit: 45 slices."""
    area, unit = area_of(record), area_unit_of(record)
    return f"{area:g} {unit if area == 1 else plural(unit)}"
