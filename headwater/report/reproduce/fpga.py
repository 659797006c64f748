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
    member,
    printed,
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


_FMAX = Quantity("fmax MHz", printed("fmax_mhz"), "fpga", member("fmax_mhz.median"), "MHz",
                 True, "fmax_mhz")  # fmt: skip
_SETUP = Quantity("setup cycles", printed("setup_cycles"), "fpga", member("setup_cycles"),
                  "cycles", False, "setup_cycles")  # fmt: skip
_THROUGHPUT = Quantity("Mbit/s", printed("throughput_mbps"), "fpga", member("throughput_mbps"),
                       "Mbit/s", True, "throughput_mbps")  # fmt: skip
_SLICES = Quantity("slices", printed("area_slices"), "slices", _least_slices,
                   "slices, at least", True, "area_slices")  # fmt: skip
_PER_AREA = Quantity("Mbit/s/slice", printed("mbps_per_slice"), "fpga", _per_slice,
                     "Mbit/s/slice", True, "mbps_per_slice")  # fmt: skip
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
        table,
        ("d",),
        lambda row, targets: _on_fpga(name, row["d"], targets),
        (_FMAX, _SETUP, _THROUGHPUT, _SLICES, _PER_AREA),
        reference=1,
        note=_NOTE,
    )


def _phelix_bits(row: Row) -> int:
    """Bits per cycle of Phelix, for which the paper's d is the width of the port."""
    return PHELIX_BITS[row["architecture"]]


_SALSA20 = {"fold": "double", "buffer": "none"}


def _ranked(row: Row, targets: Targets) -> Points:
    if row["cipher"] == "salsa20":
        return _on_fpga("salsa20", 512, targets, _SALSA20)
    if row["cipher"] == "phelix":
        return _on_fpga("phelix", _phelix_bits(row), targets)
    return _on_fpga(row["cipher"], row["d"], targets)


def _in_cells(row: Row, targets: Targets) -> Points:
    radix = _phelix_bits(row) if row["cipher"] == "phelix" else row["d"]
    return {"cells": core(row["cipher"], radix, targets.cells)}


def _both(row: Row, targets: Targets) -> Points:
    radix = _phelix_bits(row) if row["cipher"] == "phelix" else row["d"]
    return {
        "fpga": core(row["cipher"], radix, targets.fpga),
        "cells": core(row["cipher"], radix, targets.cells),
    }


_CELL_QUANTITIES = (
    Quantity("fmax MHz", printed("fmax_mhz"), "cells", member("fmax_mhz.median"), "MHz", True,
             "fmax_mhz"),
    Quantity("setup cycles", printed("setup_cycles"), "cells", member("setup_cycles"), "cycles",
             False, "setup_cycles"),
    Quantity("Mbit/s", printed("throughput_mbps"), "cells", member("throughput_mbps"), "Mbit/s",
             True, "throughput_mbps"),
    Quantity("GE", printed("area_um2", 1 / _NAND2_90NM_UM2), "cells", member("ge"), "GE", True,
             "area_um2"),
    Quantity("Mbit/s/GE", printed("mbps_per_um2", _NAND2_90NM_UM2), "cells",
             member("mbps_per_area"), "Mbit/s/GE", True, "mbps_per_um2"),
)  # fmt: skip
_CELL_NOTE = (
    f"Printed areas are in GE of an assumed 2-input NAND of {_NAND2_90NM_UM2} um2; the paper "
    "prints um2."
)


ESTREAM_2007 = (
    _table_of("table4", "grain_v1"),
    _table_of("table5", "trivium"),
    _table_of("table6", "a51"),
    Comparison(
        "table7", ("architecture",),
        lambda row, targets: _on_fpga("phelix", _phelix_bits(row), targets),
        (_FMAX, _SETUP, _THROUGHPUT, _SLICES, _PER_AREA), reference="block", note=_NOTE,
    ),
    Comparison(
        "table8", ("cipher", "d", "architecture"), _ranked,
        (_FMAX, _SETUP, _THROUGHPUT, _SLICES, _PER_AREA), reference="trivium", note=_NOTE,
    ),
    Comparison(
        "table9", ("cipher", "d", "architecture"), _ranked,
        (_FMAX, _SETUP, _THROUGHPUT, _SLICES, _PER_AREA), reference="trivium", note=_NOTE,
    ),
    Comparison(
        "table10", ("cipher", "d", "architecture"), _in_cells, _CELL_QUANTITIES,
        reference="trivium", note=_CELL_NOTE,
    ),
    Comparison(
        "table11", ("cipher", "d", "architecture"), _in_cells, _CELL_QUANTITIES,
        reference="trivium", note=_CELL_NOTE,
    ),
    Comparison(
        "table12", ("cipher", "d", "architecture"), _both,
        (
            Quantity("FPGA MHz", printed("fpga_mhz"), "fpga", member("fmax_mhz.median"), "MHz"),
            Quantity("ASIC MHz", printed("asic_mhz"), "cells", member("fmax_mhz.median"), "MHz"),
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
            Quantity("area", printed("area"), "slices", _least_slices, "slices, at least",
                     False, "area"),
            _FMAX,
            _THROUGHPUT,
        ),
        note=_NOTE,
    ),
)  # fmt: skip
