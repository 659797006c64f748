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
    Comparison,
    Points,
    core,
    member,
    quantity,
)
from headwater.report.reproduce.targets import Targets

_RADIX = {"aes_ofb": 32, "achterbahn": 2, "grain_v1": 16, "mickey_v2": 1, "mosquito": 3,
          "sfinks": 8, "trivium": 64, "vest": 16, "zk_crypt": 32}  # fmt: skip
"""The radix of each chip, which fits its printed throughput and frequency."""

_PIPELINED = {"mosquito": {"layers": "1"}, "sfinks": {"stages": "3"}}
"""Options with the fewest pipeline registers with which the period comes near that of the chip."""

_ETH_NOTE = (
    "Printed after layout with scan test, measured before layout. GE of the printed column are of "
    f"an assumed 2-input NAND of {ETH_NAND2_UM2} um2; FO4 there is {ETH_FO4_NS} ns. "
    "Gb is 2^30 bits. MICKEY of the paper is version 1, AES there took about 44 cycles for a block."
)


def _chip(row: Row, targets: Targets) -> Points:
    name = row["cipher"]
    return {"cells": core(name, _RADIX[name], targets.cells, _PIPELINED.get(name))}


def _printed_fo4(row: Row) -> float:
    return round(1000 / row["fmax_mhz"] / ETH_FO4_NS, 1)


_RANGES: dict[str, tuple[tuple[str, int], tuple[str, int]]] = {
    "aes_ofb": (("aes_ofb", 32), ("aes_ofb", 32)),
    "achterbahn": (("achterbahn", 1), ("achterbahn", 16)),
    "mickey_v2": (("mickey2", 1), ("mickey2", 1)),
    "mosquito": (("mosquito", 1), ("mosquito", 3)),
    "sfinks": (("sfinks", 1), ("sfinks", 16)),
    "trivium": (("trivium", 1), ("trivium", 64)),
    "vest": (("vest4", 4), ("vest32", 32)),
    "zk_crypt": (("zkcrypt", 32), ("zkcrypt", 32)),
}
"""Cipher and radix at each end of a printed range."""


def _ends(row: Row, targets: Targets) -> Points:
    least, most = _RANGES[row["cipher"]]
    return {
        "cells.least": core(*least, targets.cells),
        "cells.most": core(*most, targets.cells),
    }


def _end(column: str, end: str, factor: float) -> Callable[[Row], float | None]:
    """The lower or the upper end of a printed range; a single value is both."""

    def value(row: Row) -> float | None:
        if row[column] is None:
            return None
        numbers = [float(number) for number in str(row[column]).split("-")]
        return round(factor * (numbers[0] if end == "least" else numbers[-1]), 3)

    return value


def _throughput_gib(record: Record, _row: Row) -> float:
    return round(record["throughput_mbps"] * 1e6 / GBIT, 3)


ETH_2006 = (
    Comparison(
        "postlayout", ("cipher",), _chip,
        (
            quantity("GE", "area_um2", "cells", "ge", "GE", relative=True,
                     factor=1 / ETH_NAND2_UM2),
            quantity("fmax MHz", "fmax_mhz", "cells", "fmax_mhz.median", "MHz"),
            quantity("period FO4", _printed_fo4, "cells", "period_fo4", "FO4"),
            quantity("Gb/s", "throughput_gbps", "cells", _throughput_gib, "Gb/s", relative=True),
            quantity("kb/s/GE", "gbps_per_mm2", "cells", "mbps_per_area", "kb/s/GE", relative=True,
                     factor=GBIT / 1e9 * ETH_NAND2_UM2, times=1000),
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
                ("GE", "area_kum2", 1000 / ETH_NAND2_UM2, "ge"),
                ("Gb/s", "throughput_gbps", 1.0, _throughput_gib),
            )
            for end in ("least", "most")
        ),
        note=_ETH_NOTE,
    ),
)  # fmt: skip


# Grain-128AEAD: n of the paper, pre-output bits in a cycle, is the radix here.

_STRAIGHT = {"direction": "encrypt"}
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
            quantity("Gbit/s", "throughput_gbps", "cells", "throughput_mbps", "Gbit/s",
                     relative=True, times=1e-3),
            quantity("GE", "area_ge", "cells", "ge", "GE", relative=True),
            quantity("kbit/s/GE", lambda row: round(1e6 * row["throughput_gbps"] / row["area_ge"]),
                     "cells", "mbps_per_area", "kbit/s/GE", relative=True, times=1000),
            quantity("pJ/bit", lambda row: round(row["power_mw"] / row["throughput_gbps"], 3),
                     "cells", "energy_pj_per_bit", "pJ/bit", relative=True, doubts="power_mw"),
        ),
        reference=1, note=_GRAIN_NOTE,
    )  # fmt: skip


_GRAIN_NOTE = (
    "kbit/s/GE and pJ/bit of the printed side are computed from its throughput, area and power."
)


def _period_ns(record: Record, _row: Row) -> float:
    return round(1000 / float(record["fmax_mhz"]["median"]), 3)


def _low_power_table(table: str, clock_mhz: float, power: str) -> Comparison:
    """A table of power at a low clock; ``power`` is the name of this power in a record."""
    lowest = Settings(objective="power", clock_mhz=clock_mhz)

    def points(row: Row, targets: Targets) -> Points:
        n, optimised = row["n"], _STRAIGHT | {"controller": "shift"}
        made = {"cells": core("grain128aead", n, targets.cells, optimised, lowest)}
        for role, target, settings in (
            ("fast", targets.fast, _SPEED),
            ("low_leakage", targets.low_leakage, Settings(objective="power")),
        ):
            if target:
                made[role] = core("grain128aead", n, target, _STRAIGHT, settings)
        return made

    return Comparison(
        table, ("n",), points,
        (
            quantity("GE, fast", "area_ge_speed", "fast", "ge", "GE", relative=True),
            quantity("GE, low leakage", "area_ge_power", "low_leakage", "ge", "GE", relative=True,
                     doubts="area_ge_speed"),
            quantity("uW, fast", "power_uw_speed", "fast", power, "uW", relative=True, times=1000),
            quantity("uW, low leakage", "power_uw_power", "low_leakage", power, "uW", relative=True,
                     times=1000),
            quantity("GE", "area_ge_power_opt", "cells", "ge", "GE", relative=True,
                     doubts="area_ge_speed"),
            quantity("uW", "power_uw_power_opt", "cells", "power_mw", "uW", relative=True,
                     times=1000),
            quantity("nJ/block", "energy_nj_1_block", "cells",
                     "energy_message_nj.one_block", "nJ", relative=True),
            quantity("nJ/1000 blocks", "energy_nj_1000_blocks", "cells",
                     "energy_message_nj.thousand_blocks", "nJ", relative=True),
        ),
        reference=1, note=_LOW_POWER_NOTE,
    )  # fmt: skip


_LOW_POWER_NOTE = (
    "GE, uW and nJ are of the optimised controller with the netlist of least energy. The columns "
    "of fast and of low-leakage transistors are of the regular one, in the two thresholds of a "
    "library that is looked for below $HEADWATER_PDK_ROOT."
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
        ),
        reference=1,
    ),
    _speed_table("table2", lambda _n: _STRAIGHT),
    _energies("table3", (1, 2, 4, 8, 16, 32), lambda _n: _STRAIGHT),
    _speed_table("table4_regular", _fast),
    _speed_table("table4_optimized", _optimised),
    _energies("table5", (1, 2, 4, 8, 16, 32, 64), _fast),
    _low_power_table("table6", 0.1, "power_at_100khz_mw"),
    _low_power_table("table7", 10.0, "power_at_10mhz_mw"),
)  # fmt: skip
