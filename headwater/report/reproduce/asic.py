# SPDX-License-Identifier: Apache-2.0
"""The tables of ETH Zurich's ASIC study (2006) and of the Grain-128AEAD study in 65 nm (2019)."""

from __future__ import annotations

from collections.abc import Callable

from headwater.bench.energy import GBIT
from headwater.bench.point import Record
from headwater.bench.settings import Settings
from headwater.report.printed import Row
from headwater.report.published import ETH_FO4_NS, ETH_NAND2_UM2
from headwater.report.reproduce.comparison import (
    EVERY,
    Comparison,
    Points,
    core,
    member,
    only_measured,
    only_printed,
    quantity,
)
from headwater.report.reproduce.targets import Targets

_RADIX = {"aes_ofb": 32, "achterbahn": 2, "grain_v1": 16, "mickey": 1, "mosquito": 3,
          "sfinks": 8, "trivium": 64, "vest": 16, "zk_crypt": 32}  # fmt: skip
"""The radix of each chip, which fits its printed throughput and frequency."""

_OPTIONS = {"mosquito": {"layers": "1"}, "sfinks": {"stages": "3"}, "aes_ofb": {"sbox": "table"}}
"""MOSQUITO has all pipeline registers that its radix allows; SFINKS the fewest with which the
period comes near that of the chip; the S-boxes of AES are left to synthesis, as the chip's area
says."""

_ETH_NOTE = (
    "Printed after layout with scan test, measured before layout. GE of the printed column are of "
    f"an assumed 2-input NAND of {ETH_NAND2_UM2} um2; FO4 there is {ETH_FO4_NS} ns. "
    "Gb is 2^30 bits; mW is at the highest clock of each core. MICKEY is version 1, AES took "
    "41 cycles for a block (128 / 3.12)."
)


def _chip(row: Row, targets: Targets) -> Points:
    name = row["cipher"]
    return {"cells": core(name, _RADIX[name], targets.cells, _OPTIONS.get(name))}


def _printed_fo4(row: Row) -> float:
    return round(1000 / row["fmax_mhz"] / ETH_FO4_NS, 1)


_End = tuple[str, int, dict[str, str]]

_RANGES: dict[str, tuple[_End, _End]] = {
    "aes_ofb": (("aes_ofb", 32, _OPTIONS["aes_ofb"]), ("aes_ofb", 32, _OPTIONS["aes_ofb"])),
    "achterbahn": (("achterbahn", 1, {}), ("achterbahn", 16, {})),
    "mickey": (("mickey1", 1, {}), ("mickey1", 1, {})),
    "mosquito": (("mosquito", 1, {"layers": "7"}), ("mosquito", 3, _OPTIONS["mosquito"])),
    "sfinks": (("sfinks", 1, {}), ("sfinks", 16, {})),
    "trivium": (("trivium", 1, {}), ("trivium", 64, {})),
    "vest": (("vest4", 4, {}), ("vest32", 32, {})),
    "zk_crypt": (("zkcrypt", 32, {}), ("zkcrypt", 32, {})),
}
"""Cipher, radix and options at each end of a printed range; MOSQUITO has the paper's registers at
radix 1."""


def _ends(row: Row, targets: Targets) -> Points:
    ends = zip(("cells.least", "cells.most"), _RANGES[row["cipher"]], strict=True)
    return {
        role: core(name, radix, targets.cells, options) for role, (name, radix, options) in ends
    }


def _end(column: str, end: str, factor: float) -> Callable[[Row], float | None]:
    """The lower or the upper end of a printed range; a single value is both."""

    def value(row: Row) -> float | None:
        if row[column] is None:
            return None
        numbers = [float(number) for number in str(row[column]).split("-")]
        return round(factor * (numbers[0] if end == "least" else numbers[-1]), 3)

    return value


def _kum2(record: Record, _row: Row) -> float | None:
    area = record.get("area_um2")
    return area / 1000 if area else None


def _throughput_gib(record: Record, _row: Row) -> float:
    return round(record["throughput_mbps"] * 1e6 / GBIT, 3)


def _gib_per_mm2(record: Record, row: Row) -> float | None:
    area = record.get("area_um2")
    return _throughput_gib(record, row) / (area / 1e6) if area else None


ETH_2006 = (
    Comparison(
        "postlayout", ("cipher",), _chip,
        (
            quantity("um2", "area_um2", "cells", "area_um2", "um2", relative=True),
            quantity("GE", "area_um2", "cells", "ge", "GE", relative=True,
                     factor=1 / ETH_NAND2_UM2, derived=True),
            quantity("fmax MHz", "fmax_mhz", "cells", "fmax_mhz.median", "MHz"),
            quantity("period FO4", _printed_fo4, "cells", "period_fo4", "FO4", derived=True),
            quantity("Gb/s", "throughput_gbps", "cells", _throughput_gib, "Gb/s", relative=True),
            quantity("Gb/s/mm2", "gbps_per_mm2", "cells", _gib_per_mm2, "Gb/s/mm2", relative=True),
            quantity("kb/s/GE", "gbps_per_mm2", "cells", "mbps_per_area", "kb/s/GE", relative=True,
                     factor=GBIT / 1e9 * ETH_NAND2_UM2, times=1000, derived=True),
            quantity("mW", "power_mw", "cells", "power_at_fmax_mw", "mW", relative=True),
            quantity("mJ/Gb", "energy_mj_per_gb", "cells", "energy_mj_per_gbit", "mJ/Gb",
                     relative=True),
        ),
        reference="aes_ofb", note=_ETH_NOTE,
    ),
    Comparison(
        "ranges", ("cipher", "radix"), _ends,
        tuple(
            quantity(f"{heading}, {end}", _end(column, end, factor), f"cells.{end}", figure,
                     heading, doubts=column)
            for heading, column, factor, figure in (
                ("flip-flops", "flip_flops", 1.0, "ff"),
                ("kum2", "area_kum2", 1.0, _kum2),
                ("Gb/s", "throughput_gbps", 1.0, _throughput_gib),
            )
            for end in ("least", "most")
        ),
        note=_ETH_NOTE,
    ),
)  # fmt: skip


# Grain-128AEAD: n of the paper, pre-output bits in a cycle, is the radix here.

_STRAIGHT = {"direction": "encrypt"}
_SHIFTING = _STRAIGHT | {"controller": "shift"}
_GATED = "latch"
_SPEED = Settings(objective="speed")
_WIDEST_GALOIS = 16
"""The widest radix at which terms of the feedback can be moved."""


def _fast(n: int) -> dict[str, str]:
    """The options of the high-speed version that are legal at a radix."""
    moved = {"form": "galois", "output": "split"} if n <= _WIDEST_GALOIS else {}
    return {"direction": "encrypt", "authenticator": "isolated", **moved}


def _grain(options: Callable[[int], dict[str, str]], settings: Settings) -> Callable[
    [Row, Targets], Points
]:  # fmt: skip
    def points(row: Row, targets: Targets) -> Points:
        n = row["n"]
        return {"cells": core("grain128aead", n, targets.cells, options(n), settings)}

    return points


def _speed_table(table: str, options: Callable[[int], dict[str, str]]) -> Comparison:
    return Comparison(
        table, ("n",), _grain(options, _SPEED),
        (
            quantity("period ns", "period_ns", "cells", _period_ns, "ns", relative=True),
            quantity("GHz", "freq_ghz", "cells", "fmax_mhz.median", "GHz", times=1e-3),
            quantity("Gbit/s", "throughput_gbps", "cells", "throughput_mbps", "Gbit/s",
                     relative=True, times=1e-3),
            quantity("GE", "area_ge", "cells", "ge", "GE", relative=True),
            quantity("mW", "power_mw", "cells", "power_at_fmax_mw", "mW", relative=True),
            quantity("as printed", "kbps_per_ge", "cells", "mbps_per_area", "kbit/s/GE",
                     times=1000),
            quantity("kbit/s/GE", lambda row: round(1e6 * row["throughput_gbps"] / row["area_ge"]),
                     "cells", "mbps_per_area", "kbit/s/GE", relative=True, times=1000,
                     derived=True),
            quantity("Gbit/s/mW", "gbps_per_mw", "cells", _per_mw, "Gbit/s/mW", relative=True,
                     doubts="power_mw"),
            quantity("pJ/bit", lambda row: round(row["power_mw"] / row["throughput_gbps"], 3),
                     "cells", "energy_pj_per_bit", "pJ/bit", relative=True, doubts="power_mw",
                     derived=True),
            only_printed("grouping", "grouping"),
        ),
        reference=1, note=_GRAIN_NOTE,
    )  # fmt: skip


_GRAIN_NOTE = (
    "kbit/s/GE and pJ/bit of the printed side are computed from its throughput, area and "
    "power; mW is at the highest clock of each core."
)


def _per_mw(record: Record, _row: Row) -> float | None:
    power, mbps = record.get("power_at_fmax_mw"), record.get("throughput_mbps")
    return mbps / 1000 / power if power and mbps else None


_PATHS = {"b": "D_yn", "s": "D_yl", "q": "D_ya"}
"""The paper's names of paths from the pre-output y, by the register that they lead into: NFSR, LFSR
or authenticator."""


def _path(record: Record, row: Row) -> str | None:
    """The paper's name of the critical path; its registers where it begins elsewhere than in the
    two that the pre-output is made of."""
    path = record.get("critical_path")
    if not path:
        return None
    first, last = (end.partition("[")[0] for end in (path[0], path[-1]))
    named = first in ("b", "s") and last in _PATHS
    return _PATHS[last] if named else _registers_of_path(record, row)


def _registers_of_path(record: Record, _row: Row) -> str | None:
    """The registers at both ends of the critical path."""
    path = record.get("critical_path")
    return f"{path[0]} to {path[-1]}" if path else None


def _period_ns(record: Record, _row: Row) -> float:
    return round(1000 / float(record["fmax_mhz"]["median"]), 3)


def _low_power_table(table: str, clock_mhz: float, power: str) -> Comparison:
    """A table of power at a low clock; ``power`` is the name of this power in a record. As in the
    paper clocks are gated, both controllers are in the same cells, and the energy of a message is
    that of the better controller."""
    fast = Settings(objective="speed", clock_gating=_GATED)
    lowest = Settings(objective="power", clock_mhz=clock_mhz, clock_gating=_GATED)

    def points(row: Row, targets: Targets) -> Points:
        n, slow = row["n"], targets.quiet
        made = {
            "low_leakage": core("grain128aead", n, slow, _STRAIGHT, lowest),
            "low_leakage.shift": core("grain128aead", n, slow, _SHIFTING, lowest),
        }
        if targets.fast:
            made["fast"] = core("grain128aead", n, targets.fast, _STRAIGHT, fast)
        return made

    def energy(message: str) -> Callable[[Record, Row], float]:
        def least(records: Record, _row: Row) -> float:
            both = (one for role, one in records["of"].items() if role != "fast")
            return min(float(one["energy_message_nj"][message]) for one in both)

        return least

    return Comparison(
        table, ("n",), points,
        (
            quantity("GE, fast", "area_ge_speed", "fast", "ge", "GE", relative=True),
            quantity("GE, low leakage", "area_ge_power", "low_leakage", "ge", "GE", relative=True,
                     doubts="area_ge_speed"),
            quantity("uW, fast", "power_uw_speed", "fast", power, "uW", relative=True, times=1000),
            quantity("uW, low leakage", "power_uw_power", "low_leakage", power, "uW", relative=True,
                     times=1000),
            quantity("GE, optimised", "area_ge_power_opt", "low_leakage.shift", "ge", "GE",
                     relative=True, doubts="area_ge_speed"),
            quantity("uW, optimised", "power_uw_power_opt", "low_leakage.shift", power, "uW",
                     relative=True, times=1000),
            quantity("nJ/block", "energy_nj_1_block", EVERY, energy("one_block"), "nJ",
                     relative=True),
            quantity("nJ/1000 blocks", "energy_nj_1000_blocks", EVERY,
                     energy("thousand_blocks"), "nJ", relative=True),
        ),
        reference=1, note=_LOW_POWER_NOTE,
    )  # fmt: skip


_LOW_POWER_NOTE = (
    "Fast and low-leakage transistors are the two thresholds of a library that is looked for below "
    "$HEADWATER_PDK_ROOT; without it low leakage stands for the cells. Clocks are gated. The "
    "optimised controller is in the cells of low leakage; nJ are of the better controller, "
    "uW and nJ at the clock in the title."
)

_LENGTHS = {1: "one_block", 1000: "thousand_blocks"}


def _energies(
    table: str, radices: tuple[int, ...], options: Callable[[int], dict[str, str]]
) -> Comparison:
    """A table whose columns are the radices and whose rows are lengths of a message."""

    def points(_row: Row, targets: Targets) -> Points:
        return {
            f"cells.{n}": core("grain128aead", n, targets.cells, options(n), _SPEED)
            for n in radices
        }

    def energy(record: Record, row: Row) -> float | None:
        return member(f"energy_message_nj.{_LENGTHS[row['blocks']]}")(record, row)

    quantities = tuple(quantity(f"x{n}", f"x{n}", f"cells.{n}", energy, "nJ") for n in radices)
    return Comparison(table, ("blocks",), points, quantities)


def _optimised(n: int) -> dict[str, str]:
    return _fast(n) | {"controller": "shift"}


GRAIN_2019 = (
    Comparison(
        "table1", ("n",), _grain(lambda _n: _STRAIGHT, _SPEED),
        (
            quantity("period ns", "period_ps", "cells", _period_ns, "ns", relative=True,
                     factor=1e-3),
            quantity("path", "critical_path", "cells", _path, "path"),
            only_measured("registers", "cells", _registers_of_path, "path"),
        ),
        reference=1,
    ),
    _speed_table("table2", lambda _n: _STRAIGHT),
    _energies("table3", (1, 2, 4, 8, 16, 32), lambda _n: _STRAIGHT),
    _speed_table("table4_regular", _fast),
    _speed_table("table4_optimized", _optimised),
    _energies("table5", (1, 2, 4, 8, 16, 32, 64), _optimised),
    _low_power_table("table6", 0.1, "power_at_100khz_mw"),
    _low_power_table("table7", 10.0, "power_at_10mhz_mw"),
)  # fmt: skip
