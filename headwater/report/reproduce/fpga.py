# SPDX-License-Identifier: Apache-2.0
"""The tables of the two papers that measured on Spartan-3 FPGAs, and of one of them in 90 nm."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.bench.point import Record
from headwater.report.printed import PHELIX_BITS, Row
from headwater.report.reproduce.comparison import (
    Comparison,
    Points,
    Quantity,
    core,
    quantity,
)
from headwater.report.reproduce.targets import Targets
from headwater.report.slices import least_slices, mbps_per_slice

_NAND2_90NM_UM2 = 2.8224
"""Area of a 2-input NAND in TSMC's 90 nm library, which the paper does not print: an assumption."""


def _least_slices(record: Record, row: Row) -> float | None:
    return least_slices(record, with_srl="SRL16" in row.get("implementation", ""))


def _per_slice(record: Record, _row: Row) -> float | None:
    found = mbps_per_slice(record)
    return found and round(found, 3)


def _times(role: str) -> tuple[Quantity, ...]:
    """Frequency, setup and throughput."""
    return (
        quantity("fmax MHz", "fmax_mhz", role, "fmax_mhz.median", "MHz", relative=True),
        quantity("setup cycles", "setup_cycles", role, "setup_cycles", "cycles"),
        quantity("Mbit/s", "throughput_mbps", role, "throughput_mbps", "Mbit/s", relative=True),
    )


_FMAX, _SETUP, _THROUGHPUT = _times("fpga")
_SLICES = quantity("slices", "area_slices", "slices", _least_slices, "slices, at least",
                   relative=True)  # fmt: skip
_PER_AREA = quantity("Mbit/s/slice", "mbps_per_slice", "fpga", _per_slice, "Mbit/s/slice",
                     relative=True)  # fmt: skip
_FIGURES = (_FMAX, _SETUP, _THROUGHPUT, _SLICES, _PER_AREA)
_NOTE = (
    "Slices are a lower bound from synthesis for Spartan-3, which no open tool places and routes, "
    "with shift registers in look-up tables only where the paper says so; frequency and throughput "
    "are those of the FPGA named, throughput per area counts its LUTs and flip-flops in slices of "
    "two and two. Compare what is relative to the reference row."
)


def _on_fpga(
    name: str, radix: int, targets: Targets, options: Mapping[str, str] | None = None
) -> Points:
    return {
        "slices": core(name, radix, targets.slices, options),
        "fpga": core(name, radix, targets.fpga, options),
    }


def _table_of(table: str, name: str) -> Comparison:
    """A table of one cipher at several radices."""
    return Comparison(
        table, ("d",), lambda row, targets: _on_fpga(name, row["d"], targets), _FIGURES,
        reference=1, note=_NOTE,
    )  # fmt: skip


def _radix(row: Row) -> int:
    """Bits per cycle; for Phelix the paper's d is the width of the port."""
    phelix = row.get("cipher", "phelix") == "phelix"
    return PHELIX_BITS[row["architecture"]] if phelix else row["d"]


_SALSA20 = {"fold": "double", "buffer": "none"}


def _ranked(row: Row, targets: Targets) -> Points:
    if row["cipher"] == "salsa20":
        return _on_fpga("salsa20", 512, targets, _SALSA20)
    return _on_fpga(row["cipher"], _radix(row), targets)


def _in_cells(row: Row, targets: Targets) -> Points:
    return {"cells": core(row["cipher"], _radix(row), targets.cells)}


def _both(row: Row, targets: Targets) -> Points:
    return {"fpga": core(row["cipher"], _radix(row), targets.fpga), **_in_cells(row, targets)}


_CELL_QUANTITIES = (
    *_times("cells"),
    quantity("GE", "area_um2", "cells", "ge", "GE", relative=True, factor=1 / _NAND2_90NM_UM2),
    quantity("Mbit/s/GE", "mbps_per_um2", "cells", "mbps_per_area", "Mbit/s/GE", relative=True,
             factor=_NAND2_90NM_UM2),
)  # fmt: skip
_CELL_NOTE = (
    f"Printed areas are in GE of an assumed 2-input NAND of {_NAND2_90NM_UM2} um2; the paper "
    "prints um2."
)
_VERSION = ("cipher", "d", "architecture")

ESTREAM_2007 = (
    _table_of("table4", "grain_v1"),
    _table_of("table5", "trivium"),
    _table_of("table6", "a51"),
    Comparison(
        "table7", ("architecture",),
        lambda row, targets: _on_fpga("phelix", _radix(row), targets), _FIGURES,
        reference="block", note=_NOTE,
    ),
    *(Comparison(table, _VERSION, _ranked, _FIGURES, reference="trivium", note=_NOTE)
      for table in ("table8", "table9")),
    *(Comparison(table, _VERSION, _in_cells, _CELL_QUANTITIES, reference="trivium", note=_CELL_NOTE)
      for table in ("table10", "table11")),
    Comparison(
        "table12", _VERSION, _both,
        (
            quantity("FPGA MHz", "fpga_mhz", "fpga", "fmax_mhz.median", "MHz"),
            quantity("ASIC MHz", "asic_mhz", "cells", "fmax_mhz.median", "MHz"),
        ),
        note="Both technologies are others than the paper's: 90 nm cells and a 90 nm FPGA there.",
    ),
)  # fmt: skip


_TABLES = {"sbox": "table"}
"""On FPGAs, S-boxes as tables are faster than as circuits, and larger."""


def _one_bit(row: Row, targets: Targets) -> Points:
    if row["cipher"] in ("zuc", "snow3g"):
        return _on_fpga(row["cipher"], 32, targets, _TABLES)
    return _on_fpga(row["cipher"], 1, targets)


SPARTAN3_2012 = (
    Comparison(
        "table1", ("cipher",), _one_bit, (_SLICES, _FMAX, _THROUGHPUT), reference="trivium",
        note=_NOTE,
    ),
    Comparison("fig7", ("cipher",), _one_bit, (_PER_AREA,), reference="trivium", note=_NOTE),
    Comparison(
        "table2", ("cipher", "implementation"), _one_bit,
        (
            quantity("area", "area", "slices", _least_slices, "slices, at least"),
            _FMAX,
            _THROUGHPUT,
        ),
        note=_NOTE,
    ),
)  # fmt: skip
