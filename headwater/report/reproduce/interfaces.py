# SPDX-License-Identifier: Apache-2.0
"""The tables of the study of hardware/software interfaces (2007)."""

from __future__ import annotations

from headwater.bench.point import Record
from headwater.bench.settings import Settings
from headwater.cipher.catalogue import find
from headwater.codesign.scenario import Scenario
from headwater.report.printed import PHELIX_BITS, Row
from headwater.report.reproduce.comparison import (
    SYSTEM,
    Comparison,
    Points,
    Quantity,
    Targets,
    core,
    member,
    printed,
)
from headwater.report.slices import least_slices

_BLOCK_BITS = 32


def _slices(record: Record, _row: Row) -> float | None:
    return least_slices(record)


def _slowdown(record: Record, _row: Row) -> float:
    return round(1 / float(record["interface_efficiency"]), 2)


def _phelix(row: Row, targets: Targets) -> Points:
    radix = PHELIX_BITS[row["version"]]
    # Placing and routing eight blocks takes long: one seed has to do.
    settings = Settings(seeds=1) if radix > _BLOCK_BITS else Settings()
    return {
        "slices": core("phelix", radix, targets.slices, settings=settings),
        "fpga": core("phelix", radix, targets.fpga, settings=settings),
    }


_SLOW_BUS = 20
"""Wait states of a peripheral bus as slow as the paper's."""


def _custom(_row: Row, _targets: Targets) -> Points:
    return {SYSTEM: Scenario.choose(find("trivium"), interface="custom", radix=64)}


def _team(row: Row, _targets: Targets) -> Points:
    """Blocks of Salsa20 are asked for one by one; Phelix is driven as simply as can be."""
    cipher, bus = find(row["cipher"]), row["interface"] == "OPB"
    radix = {"D": 16, "E": 256}.get(row["team"])
    return {
        SYSTEM: Scenario.choose(
            cipher,
            interface="bus" if bus else "fifo",
            driver="polling" if cipher.name == "phelix" else "blocking",
            wait_states=_SLOW_BUS if bus else 0,
            stateless=cipher.name == "salsa20",
            radix=radix,
        )
    }


INTERFACES_2007 = (
    Comparison(
        "trivium_op2x2", ("bits_per_iteration",), _custom,
        (
            Quantity("cycles/128 bits", printed("cycles_per_iteration"), SYSTEM,
                     member("cycles_per_128_bits"), "cycles"),
            Quantity("bits/cycle", printed("bits_per_cycle"), SYSTEM, member("bits_per_cycle"),
                     "bits/cycle"),
            Quantity("slower than the core", printed("slowdown_vs_kernel"), SYSTEM, _slowdown,
                     "times"),
        ),
        note="The custom instruction here gives one word; the paper's gives two.",
    ),
    Comparison(
        "table2", ("team", "cipher", "interface"), _team,
        (
            Quantity("hardware speed-up", printed("speedup_hw_vs_sw"), SYSTEM,
                     member("speedup_hw"), "times", False, "speedup_hw_vs_sw"),
            Quantity("system speed-up", printed("speedup_hw_sw_vs_sw"), SYSTEM,
                     member("speedup_hw_sw"), "times", False, "speedup_hw_sw_vs_sw"),
        ),
        note=f"FSL is a FIFO here, OPB a bus with {_SLOW_BUS} wait states; Salsa20 is asked for "
        "each block, Phelix polled for each word. Speed-ups are over word-parallel C at -O2.",
    ),
    Comparison(
        "table3", ("version",), _phelix,
        (
            Quantity("slices", printed("area_slices"), "slices", _slices,
                     "slices, at least", True, "area_slices"),
            Quantity("clock MHz", printed("clock_mhz"), "fpga", member("fmax_mhz.median"), "MHz",
                     True, "clock_mhz"),
        ),
        reference="half block",
    ),
)  # fmt: skip
