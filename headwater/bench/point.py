# SPDX-License-Identifier: Apache-2.0
"""The design point, and the figures measured at it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from headwater.bench.effect import effective
from headwater.bench.facts import facts_at
from headwater.bench.layout import LayoutFigures
from headwater.bench.settings import LAYOUT, ONE_RECIPE, PLACEMENT, SYNTHESIS, Settings
from headwater.bench.target import TARGETS, FpgaTarget, Target
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.flow.fpga.packing import SLICE, Packing
from headwater.flow.layout.tools import layout_tools, placement_tools
from headwater.kinds.stepped.prng.shape import RANDOM_BITS, source_of

Record = dict[str, Any]
"""The figures of a design point as ``evaluate --json`` prints them and the store keeps them."""


WITH_GLITCHES = ", glitches"
BEST_OF_RECIPES = ", best of the recipes"
OF_RANDOM_BITS = ", random bits"


def too_large(record: Record) -> str | None:
    """What the part has too little of for the core; None if it fits, or if nobody looked."""
    missing: str | None = record.get("too_large")
    return missing


def area_of(record: Record) -> float | None:
    """The area in throughput per area: on an FPGA the slices or cells that hold LUTs and
    flip-flops, in standard cells GE."""
    found: float | None = record["ge"]
    if record["lut"] is not None:
        found = _packing(record).least(record["lut"], record.get("ff") or 0)
    return found


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
    recipes were tried, and whether it is a source of random bits: older records are all of
    synthesis, without them."""
    flow = record.get("flow") or {}
    recipes = BEST_OF_RECIPES if flow.get("recipe", ONE_RECIPE) != ONE_RECIPE else ""
    glitches = WITH_GLITCHES if flow.get("glitches") else ""
    source = OF_RANDOM_BITS if RANDOM_BITS in (record.get("options") or {}) else ""
    return f"{flow.get('stage', SYNTHESIS)}{glitches}{recipes}{source}"


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


_SETTINGS = {"objective": "objective {}", "seeds": "{} seeds", "clock_mhz": "{:g} MHz",
             "clock_gating": "clock gating {}"}  # fmt: skip
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

    def __str__(self) -> str:
        stage = "" if self.settings.stage == SYNTHESIS else f" after {self.settings.stage}"
        glitches = " with glitches" if self.settings.glitches else ""
        recipes = BEST_OF_RECIPES if self.settings.recipe != ONE_RECIPE else ""
        made = f"{self.cipher.name} {self.architecture} on {self.target.name}"
        others = "".join(f", {words.format(getattr(self.settings, name))}"
                         for name, words in _SETTINGS.items()
                         if name in self.settings.chosen)  # fmt: skip
        return f"{made}{stage}{glitches}{recipes}{others}"

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


@dataclass(frozen=True)
class Frequency:
    """Highest clock frequency in MHz over ``seeds`` runs."""

    median: float
    min: float
    max: float
    seeds: int

    @classmethod
    def over(cls, runs: Sequence[float]) -> Frequency:
        """Median and range of one or more runs."""
        return cls(
            round(statistics.median(runs), 2), round(min(runs), 2), round(max(runs), 2), len(runs)
        )


@dataclass(frozen=True)
class Energy:
    """Energy in nJ of whole messages, key setup and tag included; a block is 64 bits."""

    one_block: float
    thousand_blocks: float


@dataclass(frozen=True)
class Figures:
    """The figures of one design point. A figure is None if the target does not give it."""

    point: DesignPoint
    rtl_sha256: str
    tools: dict[str, str]
    fmax_mhz: Frequency | None
    """On an FPGA over seeds, in the shell; in standard cells from timing analysis."""
    critical_path: tuple[str, str] | None
    """Ends of the slowest path."""
    lut: int | None = None
    """LUTs of the core alone, as are flip-flops and slices."""
    ff: int | None = None
    slices: int | None = None
    """The least number of slices that hold LUTs and flip-flops, on targets that count slices."""
    too_large: str | None = None
    """What an FPGA part has too little of for the core, which then has no frequency; None if it
    fits."""
    mapping: str | None = None
    """The way of mapping that all figures belong to; in standard cells the recipe, if several were
    tried."""
    mappings: dict[str, dict[str, Any]] | None = None
    """The results of each way of mapping."""
    area_um2: float | None = None
    """Cell area of the reported netlist."""
    ge: float | None = None
    """This area in units of the library's ``ge_cell``."""
    ge_smallest: float | None = None
    """The least area, reached by mapping without a timing goal."""
    ge_cell: str | None = None
    ge_sequential: float | None = None
    """The part of ``ge`` in flip-flops."""
    ge_combinational: float | None = None
    """The part of ``ge`` in all other cells, those of clock gates too."""
    ff_cell: str | None = None
    """The library's smallest plain flip-flop."""
    ff_ge: float | None = None
    """Its area, which explains much of the rest."""
    clock_gates: int | None = None
    """Number of clock gates."""
    critical_stage: str | None = None
    """Whether the slowest path belongs to the running cipher ("running") or to load and setup alone
    ("setup"); None if this is unknown."""
    running_fmax_mhz: float | None = None
    """Frequency of the running cipher alone: the bound for a core whose setup costs no time."""
    running_path: tuple[str, str] | None = None
    """Slowest path of the running cipher alone."""
    fo4_ps: float | None = None
    """Delay of an inverter of the library that drives four of its size, by the same timer."""
    period_fo4: float | None = None
    """The shortest clock period in units of this delay."""
    pareto: tuple[dict[str, float], ...] | None = None
    """Netlists of the period sweep that no other netlist beats in both frequency and area."""
    power_mw: float | None = None
    """From the switching activity of the simulated netlist, running."""
    setup_power_mw: float | None = None
    """The same during setup."""
    power_clock_mhz: float | None = None
    """The clock of both."""
    leakage_mw: float | None = None
    """The part of the power that does not depend on the clock."""
    power_at_100khz_mw: float | None = None
    """Running power at another clock, derived: leakage, and the rest in proportion to the clock."""
    power_at_10mhz_mw: float | None = None
    power_at_fmax_mw: float | None = None
    energy_pj_per_bit: float | None = None
    """Energy of a bit of keystream or message in steady state, leakage at the clock of the power
    included."""
    energy_mj_per_gbit: float | None = None
    """The same for 2^30 bits."""
    energy_cycle_pj: float | None = None
    """Energy of a running cycle."""
    setup_energy_nj: float | None = None
    """Energy of one setup."""
    tag_energy_nj: float | None = None
    """Energy of the words of the tag."""
    energy_message_nj: Energy | None = None
    """Energy of whole messages without associated data; for any length see
    `headwater.bench.energy.message_energy_nj`."""
    glitch_share: float | None = None
    """The part of the dynamic power of the running cipher that is due to glitches; power and energy
    above are then with them. None if they were not simulated."""
    power_mw_without_glitches: float | None = None
    energy_pj_per_bit_without_glitches: float | None = None
    layout: LayoutFigures | None = None
    """Die, clock tree and wires of a placement or layout; None after synthesis."""
    settings: dict[str, Any] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    """Why the target gives no such figure, by the figure's name."""

    @property
    def bits_per_cycle(self) -> float:
        """Bits of keystream, or of an authenticated message, in each clock cycle."""
        bits = facts_at(self.point.cipher, self.point.architecture).bits_per_cycle
        return int(bits) if bits == int(bits) else bits

    @property
    def throughput_mbps(self) -> float | None:
        """Throughput in Mbit/s (10^6 bits) in steady state, at the median frequency."""
        return round(self.fmax_mhz.median * self.bits_per_cycle, 2) if self.fmax_mhz else None

    @property
    def setup_ns(self) -> float | None:
        """Time from the first key bit to the first keystream word, at the median frequency."""
        cycles = facts_at(self.point.cipher, self.point.architecture).setup_cycles
        return round(1000 * cycles / self.fmax_mhz.median, 2) if self.fmax_mhz else None

    @property
    def _of_source(self) -> Record:
        """What a record of a source of random bits has more: the cores side by side, and the cost
        of the output register: its flip-flops, without the multiplexers of their enable."""
        source = source_of(self.point.cipher, self.point.architecture)
        if source is None:
            return {}
        bits, ff_ge = source.random_bits, self.ff_ge
        return {
            "random_bits": bits,
            "instances": source.instances,
            "output_register_ff": bits,
            "output_register_ge": None if ff_ge is None else round(bits * ff_ge, 1),
        }

    def as_json(self) -> Record:
        """The record that ``evaluate --json`` prints."""
        point = self.point
        architecture = point.architecture
        setup_cycles = facts_at(point.cipher, architecture).setup_cycles
        measured = {
            name: value for name, value in asdict(self).items() if name not in ("point", "tools")
        }
        record = {
            "cipher": point.cipher.name,
            "radix": architecture.radix,
            "bits_per_cycle": self.bits_per_cycle,
            "load_width": architecture.load_width,
            "options": architecture.options,
            "target": point.target.name,
            "stage": point.settings.stage,
            **measured,
            "throughput_mbps": self.throughput_mbps,
            "setup_cycles": setup_cycles,
            "setup_ns": self.setup_ns,
            **self._of_source,
            "flow": point.settings.as_json(),
            "tools": self.tools,
        }
        return {
            **record,
            "area": area_of(record),
            "area_unit": area_unit_of(record),
            "mbps_per_area": mbps_per_area_of(record),
        }
