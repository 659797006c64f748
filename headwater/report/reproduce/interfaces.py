# SPDX-License-Identifier: Apache-2.0
"""The tables of the study of hardware/software interfaces (2007)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headwater.cipher.catalogue import find
from headwater.codesign.cells import InCells
from headwater.codesign.scenario import Scenario
from headwater.measure.point import DesignPoint
from headwater.measure.record import Record
from headwater.measure.settings import Settings
from headwater.measure.target import AsicTarget, Target
from headwater.report.printed import PHELIX_BITS, Row
from headwater.report.reproduce.comparison import (
    SYSTEM,
    Comparison,
    Points,
    core,
    only_measured,
    only_printed,
    quantity,
)
from headwater.report.reproduce.targets import Targets
from headwater.report.slices import least_slices

_BLOCK_BITS = 32
_Choices = tuple[int | None, dict[str, str]]

_TEAMS: dict[str, _Choices] = {
    "A": (None, {"fold": "double", "buffer": "none"}),
    "B": (None, {"fold": "round", "buffer": "block"}),
    "C": (None, {"fold": "quarter", "buffer": "none"}),
    "D": (16, {}),
    "E": (256, {}),
}
"""Radix and options of the teams' cores, deduced from print: Salsa20 of team C is 24 times as fast
as software, which is about the 80 cycles of a quarter round in each; the others have the option
whose area comes nearest. Of Phelix, team D has half a block in a cycle and team E eight blocks."""


def _slices(record: Record, _row: Row) -> float | None:
    return least_slices(record)


def _core_bits(record: Record, _row: Row) -> float:
    return 128 / float(record["core_cycles_per_128_bits"])


def _slowdown(record: Record, _row: Row) -> float:
    return round(1 / float(record["interface_efficiency"]), 2)


def _core(
    name: str, radix: int, target: Target, options: Mapping[str, str] | None = None
) -> DesignPoint:
    """The design point of a core. Several blocks of Phelix in a cycle get a single seed, because
    they take long to place and route."""
    several = name == "phelix" and radix > _BLOCK_BITS
    return core(name, radix, target, options, Settings(seeds=1) if several else None)


def _phelix(row: Row, targets: Targets) -> Points:
    radix = PHELIX_BITS[row["version"]]
    return {
        "slices": _core("phelix", radix, targets.slices),
        "fpga": _core("phelix", radix, targets.fpga),
    }


_UNROLLED, _ONE_RESULT = f"{SYSTEM}.unrolled", f"{SYSTEM}.one result"

_KEPT = f"{SYSTEM}.kept"
_WHOLE = "cells.whole"

_MICROBLAZE_SLICES = 1000
"""The paper's processor has about as many."""


def _times_larger(row: Row) -> float:
    """The printed system over its processor."""
    return round(1 + row["area_slices_spartan3e"] / _MICROBLAZE_SLICES, 2)


_SLOW_BUS = 20
"""Wait states of a peripheral bus as slow as the paper's."""


def _custom(_row: Row, _targets: Targets) -> Points:
    """The loop of the paper, of two instructions with two results each; the same unrolled, and
    unrolled with one result."""
    trivium = find("trivium")
    return {
        SYSTEM: Scenario.choose(trivium, interface="custom2x2", driver="four", radix=64),
        _UNROLLED: Scenario.choose(trivium, interface="custom2x2", radix=64),
        _ONE_RESULT: Scenario.choose(trivium, interface="custom", radix=64),
    }


def _team(row: Row, targets: Targets) -> Points:
    """The systems of a team's row. Blocks of Salsa20 are requested one by one, and beside that the
    core keeps key, nonce and number; Phelix has the driver `polling`."""
    cipher, bus = find(row["cipher"]), row["interface"] == "OPB"
    radix, options = _TEAMS[row["team"]]
    system = Scenario.choose(
        cipher,
        interface="bus" if bus else "fifo",
        driver="polling" if cipher.name == "phelix" else "blocking",
        wait_states=_SLOW_BUS if bus else 0,
        stateless=cipher.name == "salsa20",
        radix=radix,
        options=options,
    )
    assert system.architecture is not None
    area = _core(cipher.name, system.architecture.radix, targets.slices, options)
    kept = {_KEPT: replace(system, stateless=False)} if system.stateless else {}
    assert isinstance(targets.cells, AsicTarget)
    return {SYSTEM: system, "slices": area, _WHOLE: InCells(system, targets.cells), **kept}


INTERFACES_2007: tuple[Comparison, ...] = (
    Comparison(
        "trivium_op2x2",
        ("bits_per_iteration",),
        _custom,
        (
            quantity(
                "cycles/128 bits", "cycles_per_iteration", SYSTEM, "cycles_per_128_bits", "cycles"
            ),
            quantity("bits/cycle", "bits_per_cycle", SYSTEM, "bits_per_cycle", "bits/cycle"),
            quantity("core alone", "kernel_bits_per_cycle", SYSTEM, _core_bits, "bits/cycle"),
            quantity("slower than the core", "slowdown_vs_kernel", SYSTEM, _slowdown, "times"),
            only_measured("unrolled", _UNROLLED, "cycles_per_128_bits", "cycles"),
            only_measured("unrolled, one result", _ONE_RESULT, "cycles_per_128_bits", "cycles"),
        ),
        note="A loop of four words, read by two instructions of two results each (OP2x2), and "
        "stored. Beside it stands a loop of sixteen words, and the same with an instruction that "
        "gives one.",
    ),
    Comparison(
        "table2",
        ("team", "cipher", "interface"),
        _team,
        (
            only_printed("lines of C", "c_lines"),
            only_printed("lines of GEZEL", "gezel_lines"),
            quantity(
                "slices",
                "area_slices_spartan3e",
                "slices",
                _slices,
                "slices, at least",
                other_circuit=True,
            ),
            quantity(
                "size",
                _times_larger,
                _WHOLE,
                "area_factor",
                "times",
                derived=True,
                other_circuit=True,
            ),
            quantity("hardware speed-up", "speedup_hw_vs_sw", SYSTEM, "speedup_hw", "times"),
            quantity("system speed-up", "speedup_hw_sw_vs_sw", SYSTEM, "speedup_hw_sw", "times"),
            only_measured("state in the core", _KEPT, "speedup_hw_sw", "times"),
        ),
        note=f"FSL is a FIFO here, OPB a bus with {_SLOW_BUS} wait states; Salsa20 is asked for "
        "each block, Phelix polled for each word. The designs are deduced from areas and "
        "speed-ups: in a cycle Salsa20 makes a double round (A), a round with a buffer behind it "
        "(B), a quarter round (C), Phelix half a block (D), eight blocks (E). Speed-ups are over "
        "word-parallel C at -O2, slices those of the core alone, and relative only. Why printed "
        "systems with Salsa20 gain less is not tested. In print 64 bytes move both ways "
        '"For each iteration of the hash", which may be each of its ten double rounds; here they '
        "move once for each block. Size is that of the whole over what is left without the "
        'coprocessor: in print a MicroBlaze of "approximately 1000 slices", with 870 more of which '
        'the design size "nearly doubles"; here the processor without its caches, and the bus.',
    ),
    Comparison(
        "table3",
        ("version",),
        _phelix,
        (
            quantity(
                "slices",
                "area_slices",
                "slices",
                _slices,
                "slices, at least",
                relative=True,
                other_circuit=True,
            ),
            quantity(
                "clock MHz",
                "clock_mhz",
                "fpga",
                "fmax_mhz.median",
                "MHz",
                relative=True,
                other_circuit=True,
            ),
        ),
        reference="half block",
        note="The paper's accelerator makes blocks alone, and software does the rest. Here stands "
        "the whole cipher: key mixing, schedules of key and nonce, both directions and the tag are "
        "in it at every width. So both columns are relative only, and what compares are the slices "
        "of a further block.",
    ),
)
