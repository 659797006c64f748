# SPDX-License-Identifier: Apache-2.0
"""The tables of the study of hardware/software interfaces (2007)."""

from __future__ import annotations

from headwater.report.printed import Row
from headwater.report.reproduce.comparison import (
    Comparison,
    Points,
    Quantity,
    Targets,
    core,
    member,
    printed,
)

_UNROLLED = {"8x full block": 256, "full block": 32, "half block": 16}
"""Bits in a cycle of the versions of Phelix."""


def _phelix(row: Row, targets: Targets) -> Points:
    radix = _UNROLLED[row["version"]]
    return {role: core("phelix", radix, targets.named(role)) for role in ("slices", "fpga")}


def _nowhere(_row: Row, _targets: Targets) -> Points:
    return {}


_ABSENT = "Absent: cycles behind a processor are not among the figures of a core."

INTERFACES_2007 = (
    Comparison(
        "trivium_op2x2", ("bits_per_iteration",), _nowhere,
        (
            Quantity("cycles/128 bits", printed("cycles_per_iteration"), "fpga",
                     member("cycles_per_128_bits"), "cycles"),
            Quantity("bits/cycle", printed("bits_per_cycle"), "fpga", member("bits_per_cycle"),
                     "bits/cycle"),
        ),
        note=_ABSENT,
    ),
    Comparison(
        "table2", ("team", "cipher", "interface"), _nowhere,
        (
            Quantity("hardware speed-up", printed("speedup_hw_vs_sw"), "fpga",
                     member("speedup_hw"), "times"),
            Quantity("system speed-up", printed("speedup_hw_sw_vs_sw"), "fpga",
                     member("speedup_hw_sw"), "times", False, "speedup_hw_sw_vs_sw"),
        ),
        note=_ABSENT,
    ),
    Comparison(
        "table3", ("version",), _phelix,
        (
            Quantity("slices", printed("area_slices"), "slices", member("slices"),
                     "slices, at least", True, "area_slices"),
            Quantity("clock MHz", printed("clock_mhz"), "fpga", member("fmax_mhz.median"), "MHz",
                     True, "clock_mhz"),
        ),
        reference="half block",
    ),
)  # fmt: skip
