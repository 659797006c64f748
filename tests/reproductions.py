# SPDX-License-Identifier: Apache-2.0
"""Made-up records for the tables of papers."""

from __future__ import annotations

from headwater.codesign.cells import InCells
from headwater.codesign.scenario import Scenario
from headwater.measure.record import Record
from headwater.measure.target import TARGETS
from headwater.report.printed import papers
from headwater.report.reproduce.comparison import Measurable
from headwater.report.reproduce.targets import Targets

EVERYWHERE = Targets(
    *(TARGETS[name] for name in ("spartan3", "ecp5-25k", "osu018", "asap7-lvt", "asap7-rvt"))
)
PAPERS = sorted(papers())


def nothing(_point: Measurable) -> None:
    return None


def made_up(point: Measurable) -> Record:
    """A record in which everything follows from the radix."""
    if isinstance(point, Scenario):
        return {
            "id": "2",
            "cpu": "vexriscv",
            "tools": {},
            "cycles_per_128_bits": 10.0,
            "bits_per_cycle": 12.8,
            "interface_efficiency": 0.2,
            "speedup_hw": 100.0,
            "speedup_hw_sw": 2.0,
            "core_cycles_per_128_bits": 2.0,
        }
    if isinstance(point, InCells):
        return {"id": "3", "target": "osu018", "tools": {}, "ge": 3000.0, "area_factor": 1.5}
    radix = point.architecture.radix
    return {
        "id": "1",
        "target": point.target.name,
        "tools": {"tool": "1.0"},
        "setup_cycles": radix,
        "fmax_mhz": {"median": 100.0},
        "throughput_mbps": 100.0 * radix,
        "lut": 10 * radix,
        "slices": 50 + radix,
        "mbps_per_area": 10.0,
        "ge": 1000.0 + radix,
        "ff": 300,
        "power_mw": 1.0,
        "power_at_100khz_mw": 0.1,
        "power_at_10mhz_mw": 0.5,
        "energy_pj_per_bit": 1.0 / radix,
        "energy_mj_per_gbit": 1.074 / radix,
        "period_fo4": 20.0,
        "setup_ns": 10.0 * radix,
        "area_um2": 24000.0,
        "power_at_fmax_mw": 2.0,
        "critical_path": ["s[0]", "s[79]"],
        "energy_message_nj": {"one_block": 1.0, "thousand_blocks": 1000.0},
    }
