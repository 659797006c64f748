# SPDX-License-Identifier: Apache-2.0
"""The design point, and the figures measured at it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from headwater.bench.settings import Settings
from headwater.bench.target import Target
from headwater.cipher.description import Cipher
from headwater.core.architecture import Architecture
from headwater.kinds.registry import facts_of

Record = dict[str, Any]
"""The figures of a design point as ``evaluate --json`` prints them and the store keeps them."""


def area_of(record: Record) -> float | None:
    """The area in throughput per area: LUTs on an FPGA, GE in standard cells."""
    area: float | None = record["lut"] if record["lut"] is not None else record["ge"]
    return area


def design_point_of(record: Record) -> str:
    """The design point of a record in words; equal for two measurements of the same design
    point."""
    options, flow = (
        " ".join(f"{name}={value}" for name, value in record[member].items())
        for member in ("options", "flow")
    )
    return (
        f"{record['cipher']} radix {record['radix']}, load width {record['load_width']}, "
        f"{options} on {record['target']}, {flow}"
    )


@dataclass(frozen=True)
class DesignPoint:
    """What is measured: a cipher, an architecture, a target and the flow's settings."""

    cipher: Cipher
    architecture: Architecture
    target: Target
    settings: Settings = field(default_factory=Settings)

    def __str__(self) -> str:
        return f"{self.cipher.name} {self.architecture} on {self.target.name}"


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
    """The figures of one design point. A figure is None if the target does not give it.

    Members
    -------
    lut, ff, slices, mapping
        LUTs and flip-flops of the core alone; the least number of slices that hold them, on targets
        that count slices; and the mapping that all figures belong to.
    mappings
        The results of each way of mapping.
    absent
        Why the target gives no such figure, by the figure's name.
    area_um2, ge, ge_smallest, ge_cell
        Cell area of the reported netlist; this area in units of the library's ``ge_cell``; and the
        least area, reached by mapping without a timing goal.
    ge_sequential, ge_combinational
        The parts of ``ge``: registers with integrated clock gates, and all other cells.
    ff_cell, ff_ge
        The library's smallest plain flip-flop and its area, which explains much of the rest.
    clock_gates
        Number of clock gates.
    fmax_mhz
        On an FPGA over seeds, in the shell; in standard cells from timing analysis.
    critical_path, critical_stage
        Ends of the slowest path, and whether it belongs to the running cipher ("running") or to
        load and setup alone ("setup"); None if this is unknown.
    running_fmax_mhz, running_path
        Frequency and slowest path of the running cipher alone: the bound for a core whose setup
        costs no time.
    fo4_ps, period_fo4
        Delay of an inverter of the library that drives four of its size, by the same timer; and the
        shortest clock period in units of this delay.
    pareto
        Netlists of the period sweep that no other netlist beats in both frequency and area.
    power_mw, setup_power_mw, power_clock_mhz
        From the switching activity of the simulated netlist, running and during setup.
    leakage_mw
        The part of the power that does not depend on the clock.
    power_at_100khz_mw, power_at_10mhz_mw, power_at_fmax_mw
        Running power at other clocks, derived: leakage, and the rest in proportion to the clock.
    energy_pj_per_bit, energy_mj_per_gbit
        Energy of a bit of keystream or message in steady state, leakage at the clock of the power
        included; the second per 2^30 bits.
    energy_cycle_pj, setup_energy_nj, tag_energy_nj, energy_message_nj
        Energy of a running cycle; of one setup; of the words of the tag; of whole messages without
        associated data. `headwater.bench.energy.message_energy_nj` adds them up for any length.
    """

    point: DesignPoint
    rtl_sha256: str
    tools: dict[str, str]
    fmax_mhz: Frequency | None
    critical_path: tuple[str, str] | None
    lut: int | None = None
    ff: int | None = None
    slices: int | None = None
    mapping: str | None = None
    mappings: dict[str, dict[str, Any]] | None = None
    area_um2: float | None = None
    ge: float | None = None
    ge_smallest: float | None = None
    ge_cell: str | None = None
    ge_sequential: float | None = None
    ge_combinational: float | None = None
    ff_cell: str | None = None
    ff_ge: float | None = None
    clock_gates: int | None = None
    critical_stage: str | None = None
    running_fmax_mhz: float | None = None
    running_path: tuple[str, str] | None = None
    fo4_ps: float | None = None
    period_fo4: float | None = None
    pareto: tuple[dict[str, float], ...] | None = None
    power_mw: float | None = None
    setup_power_mw: float | None = None
    power_clock_mhz: float | None = None
    leakage_mw: float | None = None
    power_at_100khz_mw: float | None = None
    power_at_10mhz_mw: float | None = None
    power_at_fmax_mw: float | None = None
    energy_pj_per_bit: float | None = None
    energy_mj_per_gbit: float | None = None
    energy_cycle_pj: float | None = None
    setup_energy_nj: float | None = None
    tag_energy_nj: float | None = None
    energy_message_nj: Energy | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    @property
    def bits_per_cycle(self) -> float:
        """Bits of keystream, or of an authenticated message, in each clock cycle."""
        bits = facts_of(self.point.cipher, self.point.architecture).bits_per_cycle
        return int(bits) if bits == int(bits) else bits

    @property
    def throughput_mbps(self) -> float | None:
        """Throughput in Mbit/s (10^6 bits) in steady state, at the median frequency."""
        return round(self.fmax_mhz.median * self.bits_per_cycle, 2) if self.fmax_mhz else None

    @property
    def mbps_per_area(self) -> float | None:
        """Throughput divided by LUTs or by GE."""
        area, throughput = self.lut or self.ge, self.throughput_mbps
        return round(throughput / area, 4) if area and throughput is not None else None

    @property
    def setup_ns(self) -> float | None:
        """Time from the first key bit to the first keystream word, at the median frequency."""
        cycles = facts_of(self.point.cipher, self.point.architecture).setup_cycles
        return round(1000 * cycles / self.fmax_mhz.median, 2) if self.fmax_mhz else None

    def as_json(self) -> Record:
        """The record that ``evaluate --json`` prints."""
        point = self.point
        architecture = point.architecture
        setup_cycles = facts_of(point.cipher, architecture).setup_cycles
        measured = {
            name: value for name, value in asdict(self).items() if name not in ("point", "tools")
        }
        return {
            "cipher": point.cipher.name,
            "radix": architecture.radix,
            "bits_per_cycle": self.bits_per_cycle,
            "load_width": architecture.load_width,
            "options": architecture.options,
            "target": point.target.name,
            **measured,
            "throughput_mbps": self.throughput_mbps,
            "mbps_per_area": self.mbps_per_area,
            "area_unit": point.target.area_unit,
            "setup_cycles": setup_cycles,
            "setup_ns": self.setup_ns,
            "flow": point.settings.as_json(),
            "tools": self.tools,
        }
