# SPDX-License-Identifier: Apache-2.0
"""The figures that are measured at a design point."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from headwater.kinds.stepped.prng.shape import source_of
from headwater.measure.facts import facts_at
from headwater.measure.layout import LayoutFigures
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record, area_of, area_unit_of, mbps_per_area_of


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
    """Hash of the Verilog file."""
    tools: dict[str, str]
    fmax_mhz: Frequency | None
    """On an FPGA over seeds, in the shell; in standard cells from timing analysis."""
    critical_path: tuple[str, str] | None
    """Ends of the slowest path."""
    circuit_sha256: str = ""
    """Hash of the circuit, which no comment changes."""
    lut: int | None = None
    """LUTs of the core alone, as are flip-flops and slices."""
    ff: int | None = None
    slices: int | None = None
    """The least number of slices that hold LUTs and flip-flops, on targets that count slices."""
    too_large: str | None = None
    """What an FPGA part has too little of for the core, which then has no frequency; None if it
    fits."""
    not_routed: str | None = None
    """Why the core has no way for its wires on an FPGA part within the time limit, and so no
    frequency; None if it has one."""
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
    `headwater.measure.energy.message_energy_nj`."""
    glitch_share: float | None = None
    """The part of the dynamic power of the running cipher that is due to glitches; power and energy
    above are then with them. None if they were not simulated."""
    power_mw_without_glitches: float | None = None
    energy_pj_per_bit_without_glitches: float | None = None
    layout: LayoutFigures | None = None
    """Die, clock tree and wires of a placement or layout; None after synthesis."""
    leakage: str | None = None
    """Of a core in shares: the verdict on the netlist, mapped without clock gates."""
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

    @property
    def _of_shares(self) -> Record:
        """What a record of a core in shares has more."""
        cipher, architecture = self.point.cipher, self.point.architecture
        if not architecture.is_masked:
            return {}
        return {**facts_at(cipher, architecture).sheet(), "leakage": self.leakage}

    def as_json(self) -> Record:
        """The record that ``evaluate --json`` prints."""
        point = self.point
        architecture = point.architecture
        setup_cycles = facts_at(point.cipher, architecture).setup_cycles
        measured = {
            name: value
            for name, value in asdict(self).items()
            if name not in ("point", "tools", "leakage")
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
            **self._of_shares,
            "flow": point.settings.as_json(),
            "tools": self.tools,
        }
        return {
            **record,
            "area": area_of(record),
            "area_unit": area_unit_of(record),
            "mbps_per_area": mbps_per_area_of(record),
        }
