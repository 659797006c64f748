# SPDX-License-Identifier: Apache-2.0
"""The record of a design point: its figures as they are printed and stored, and how it is read."""

from __future__ import annotations

from typing import Any

from headwater.cipher.option import DATAPATH
from headwater.flow.fpga.packing import SLICE, Packing
from headwater.kinds.stepped.prng.shape import RANDOM_BITS
from headwater.measure.settings import FLAT, ONE_RECIPE, SYNTHESIS
from headwater.measure.target import TARGETS, FpgaTarget

Record = dict[str, Any]
"""The figures of a design point as ``evaluate --json`` prints them and the store keeps them."""


WITH_GLITCHES = ", glitches"
BEST_OF_RECIPES = ", best of the recipes"
IN_PARTS = ", in parts"
OF_RANDOM_BITS = ", random bits"
OF_DATAPATH = ", datapath"


NOT_TRIED = "not tried"
"""How ``not_routed`` begins where place and route was not tried."""


def unfit(record: Record) -> str | None:
    """Why a core has no place on its part, or no way for its wires there; None if it has both, or
    if nobody looked."""
    if missing := record.get("too_large"):
        return f"does not fit: {missing}"
    stopped = record.get("not_routed")
    return f"not routed: {stopped}" if stopped else None


def left_out(record: Record) -> str | None:
    """Which ways of mapping took too long, or were not tried for that, where another gave the
    figures; None if there are none."""
    mappings = record.get("mappings") or {}
    reasons = {way: why for way, facts in mappings.items() if (why := facts.get("not_routed"))}
    if not reasons or unfit(record):
        return None
    untried = [way for way, why in reasons.items() if why.startswith(NOT_TRIED)]
    slow = " and ".join(way for way in reasons if way not in untried)
    told = f"is mapped for {record['mapping']}: {slow} took too long in place and route"
    return f"{told} ({NOT_TRIED}: {', '.join(untried)})" if untried else told


def area_of(record: Record) -> float | None:
    """The area in throughput per area: on an FPGA the slices or cells that hold LUTs and
    flip-flops, in standard cells GE."""
    area: float | None = record["ge"]
    if record["lut"] is not None:
        area = _packing(record).least(record["lut"], record.get("ff") or 0)
    return area


def area_unit_of(record: Record) -> str:
    """What `area_of` counts."""
    return "GE" if record["lut"] is None else _packing(record).unit


def mbps_per_area_of(record: Record) -> float | None:
    """Throughput in Mbit/s divided by the area; None if one of them is unknown."""
    area, throughput = area_of(record), record["throughput_mbps"]
    return round(throughput / area, 4) if area and throughput is not None else None


def _packing(record: Record) -> Packing:
    target = TARGETS.get(record["target"])
    return target.part.family.packing if isinstance(target, FpgaTarget) else SLICE


def stage_of(record: Record) -> str:
    """How far the circuit of a record was made, whether its power is with glitches, whether several
    recipes were tried or parts mapped each by itself, and whether it is a source of random bits, or
    a datapath alone: older records are all of synthesis, without them."""
    flow = record.get("flow") or {}
    recipes = BEST_OF_RECIPES if flow.get("recipe", ONE_RECIPE) != ONE_RECIPE else ""
    parts = IN_PARTS if flow.get("hierarchy", FLAT) != FLAT else ""
    glitches = WITH_GLITCHES if flow.get("glitches") else ""
    options = record.get("options") or {}
    source = OF_RANDOM_BITS if RANDOM_BITS in options else ""
    datapath = OF_DATAPATH if DATAPATH.name in options else ""
    return f"{flow.get('stage', SYNTHESIS)}{glitches}{recipes}{parts}{source}{datapath}"


def design_point_of(record: Record) -> str:
    """The design point of a record in words; equal for two measurements of the same design point,
    whatever the order of their options."""
    options, flow = (
        " ".join(f"{name}={value}" for name, value in sorted(record[member].items()))
        for member in ("options", "flow")
    )
    return (
        f"{record['cipher']} radix {record['radix']}, load width {record['load_width']}, "
        f"{options} on {record['target']}, {flow}"
    )
