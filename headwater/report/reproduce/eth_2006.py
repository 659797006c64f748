# SPDX-License-Identifier: Apache-2.0
"""The tables of ETH Zurich's study of nine ciphers in a 0.25 um technology (2006)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from headwater.measure.energy import GBIT
from headwater.measure.record import Record
from headwater.measure.settings import Settings
from headwater.report.printed import Row
from headwater.report.published import ETH_FO4_NS, ETH_NAND2_UM2
from headwater.report.reproduce.comparison import (
    EVERY,
    Comparison,
    Points,
    core,
    only_measured,
    quantity,
)
from headwater.report.reproduce.targets import Targets
from headwater.report.slices import least_slices

_RADIX = {
    "aes_ofb": 32,
    "achterbahn": 2,
    "grain_v1": 16,
    "mickey": 1,
    "mosquito": 3,
    "sfinks": 8,
    "trivium": 64,
    "vest": 16,
    "zk_crypt": 32,
}
"""The radix of each chip, which fits its printed throughput and frequency."""

_OPTIONS = {"mosquito": {"layers": "1"}, "sfinks": {"stages": "3"}, "aes_ofb": {"sbox": "table"}}
"""MOSQUITO has all pipeline registers that its radix allows; SFINKS the fewest with which the
period comes near that of the chip; the S-boxes of AES are left to synthesis, as the chip's area
says."""

_ETH_NOTE = (
    'Printed after layout; "All synthesized algorithms include test structures", such as scan '
    "chains, and the measured cores have none. GE of the printed column are of "
    f"an assumed 2-input NAND of {ETH_NAND2_UM2} um2; FO4 there is {ETH_FO4_NS} ns. "
    "Gb is 2^30 bits; mW is at the highest clock of each core. MICKEY is version 1, AES took "
    "41 cycles for a block (128 / 3.12)."
)


def _chip(row: Row, targets: Targets) -> Points:
    name = row["cipher"]
    settings = Settings(stage=targets.stage)
    return {
        "cells": core(name, _RADIX[name], targets.cells, _OPTIONS.get(name), settings),
        "slices": core(name, _RADIX[name], targets.slices, _OPTIONS.get(name)),
    }


def _ge_per_slice(records: Record, _row: Row) -> float | None:
    slices = least_slices(records["of"]["slices"])
    return records["of"]["cells"]["ge"] / slices if slices else None


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
    """The lower or the upper end of a printed range; a single value is the lower one."""

    def value(row: Row) -> float | None:
        numbers = str(row[column]).split("-") if row[column] else []
        ends = dict(zip(("least", "most"), numbers, strict=False))
        return round(factor * float(ends[end]), 3) if end in ends else None

    return value


def _kum2(record: Record, _row: Row) -> float | None:
    area = record.get("area_um2")
    return area / 1000 if area else None


def _throughput_gib(record: Record, _row: Row) -> float:
    return round(record["throughput_mbps"] * 1e6 / GBIT, 3)


def _gib_per_mm2(record: Record, row: Row) -> float | None:
    area = record.get("area_um2")
    return _throughput_gib(record, row) / (area / 1e6) if area else None


_CHIPS = Comparison(
    "postlayout",
    ("cipher",),
    _chip,
    (
        quantity("um2", "area_um2", "cells", "area_um2", "um2", relative=True),
        quantity(
            "GE",
            "area_um2",
            "cells",
            "ge",
            "GE",
            relative=True,
            factor=1 / ETH_NAND2_UM2,
            derived=True,
        ),
        quantity("fmax MHz", "fmax_mhz", "cells", "fmax_mhz.median", "MHz"),
        quantity("period FO4", _printed_fo4, "cells", "period_fo4", "FO4", derived=True),
        quantity("Gb/s", "throughput_gbps", "cells", _throughput_gib, "Gb/s", relative=True),
        quantity("Gb/s/mm2", "gbps_per_mm2", "cells", _gib_per_mm2, "Gb/s/mm2", relative=True),
        quantity(
            "kb/s/GE",
            "gbps_per_mm2",
            "cells",
            "mbps_per_area",
            "kb/s/GE",
            relative=True,
            factor=GBIT / 1e9 * ETH_NAND2_UM2,
            measured_factor=1000,
            derived=True,
        ),
        quantity("mW", "power_mw", "cells", "power_at_fmax_mw", "mW", relative=True),
        quantity(
            "mJ/Gb", "energy_mj_per_gb", "cells", "energy_mj_per_gbit", "mJ/Gb", relative=True
        ),
        only_measured("GE per slice", EVERY, _ge_per_slice, "GE/slice"),
    ),
    reference="aes_ofb",
    note=_ETH_NOTE,
)
"""The nine chips."""


ETH_2006_LAYOUT: tuple[Comparison, ...] = (
    replace(
        _CHIPS,
        quantities=(
            *_CHIPS.quantities,
            only_measured("GE without layout", "cells", "layout.ge_before", "GE"),
            only_measured("fmax without layout", "cells", "layout.fmax_mhz_before", "MHz"),
            only_measured("energy", "cells", "energy_pj_per_bit", "pJ/bit"),
            only_measured(
                "energy without layout", "cells", "layout.energy_pj_per_bit_before", "pJ/bit"
            ),
        ),
    ),
)
"""The tables of which the measured chips are laid out, too."""

ETH_2006: tuple[Comparison, ...] = (
    _CHIPS,
    Comparison(
        "ranges",
        ("cipher", "radix"),
        _ends,
        tuple(
            quantity(
                f"{heading}, {end}",
                _end(column, end, factor),
                f"cells.{end}",
                figure,
                heading,
                doubts=column,
            )
            for heading, column, factor, figure in (
                ("flip-flops", "flip_flops", 1.0, "ff"),
                ("kum2", "area_kum2", 1.0, _kum2),
                ("Gb/s", "throughput_gbps", 1.0, _throughput_gib),
            )
            for end in ("least", "most")
        ),
        note=_ETH_NOTE,
    ),
)
