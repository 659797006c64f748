# SPDX-License-Identifier: Apache-2.0
"""The tables of the two papers that measured on Spartan-3 FPGAs, and of one of them in 90 nm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from headwater.cipher.catalogue import find
from headwater.core.architecture import Architecture
from headwater.measure.record import Record
from headwater.report.printed import PHELIX_BITS, Row
from headwater.report.reproduce.comparison import (
    EVERY,
    LEAN,
    Comparison,
    Points,
    Quantity,
    core,
    only_measured,
    quantity,
)
from headwater.report.reproduce.targets import Targets
from headwater.report.slices import least_slices, mbps_per_slice

_NAND2_90NM_UM2 = 2.8224
"""Area of a 2-input NAND in TSMC's 90 nm library, which the paper does not print: an assumption."""


def _least_slices(record: Record, row: Row) -> float | None:
    return least_slices(record, with_srl="SRL16" in row.get("implementation", ""))


def _per_slice(record: Record, _row: Row) -> float | None:
    rate = mbps_per_slice(record)
    return rate and round(rate, 3)


def _times(role: str) -> tuple[Quantity, ...]:
    """Frequency, setup and throughput."""
    return (
        quantity(
            "fmax MHz", "fmax_mhz", role, "fmax_mhz.median", "MHz", relative=True, clocked=True
        ),
        quantity("setup cycles", "setup_cycles", role, "setup_cycles", "cycles"),
        quantity("setup ns", "setup_ns", role, "setup_ns", "ns", clocked=True),
        quantity(
            "Mbit/s",
            "throughput_mbps",
            role,
            "throughput_mbps",
            "Mbit/s",
            relative=True,
            clocked=True,
        ),
    )


_FMAX, _SETUP, _SETUP_NS, _THROUGHPUT = _times("fpga")
_SLICES = quantity(
    "slices", "area_slices", "slices", _least_slices, "slices, at least", relative=True
)
_PER_AREA = quantity(
    "Mbit/s/slice",
    "mbps_per_slice",
    "fpga",
    _per_slice,
    "Mbit/s/slice",
    relative=True,
    clocked=True,
)
_FIGURES = (_FMAX, _SETUP, _SETUP_NS, _THROUGHPUT, _SLICES, _PER_AREA)
_STEMS = {
    "Mbit/s": "throughput",
    "slices": "area",
    "um2": "area",
    "Mbit/s/slice": "ratio",
    "Mbit/s/um2": "ratio",
}


def _with_ratios(quantities: tuple[Quantity, ...], basis: str) -> tuple[Quantity, ...]:
    """The columns of a table that prints three of them relative to a row, too. Where this row is
    Trivium's, its throughput and ratio are printed over those of the others."""
    return tuple(
        replace(
            one,
            relative_column=f"{_STEMS[one.heading]}_x_{basis}",
            inverse=basis == "trivium" and _STEMS[one.heading] != "area",
        )
        if one.heading in _STEMS
        else one
        for one in quantities
    )


_NOTE = (
    "Slices are a lower bound from synthesis for Spartan-3, which no open tool places and routes, "
    "with shift registers in look-up tables only where the paper says so; frequency and throughput "
    "are those of the FPGA named, throughput per area counts its LUTs and flip-flops in slices of "
    "two and two. Compare what is relative to the reference row."
)


def _on_fpga(
    name: str,
    radix: int,
    targets: Targets,
    options: Mapping[str, str] | None = None,
    load_width: int | None = None,
) -> Points:
    return {
        role: core(name, radix, target, options, load_width=load_width)
        for role, target in (("slices", targets.slices), ("fpga", targets.fpga))
    }


def _table_of(table: str, name: str) -> Comparison:
    """A table of one cipher at several radices."""
    return Comparison(
        table,
        ("d",),
        lambda row, targets: _on_fpga(name, row["d"], targets),
        _with_ratios(_FIGURES, "basic"),
        reference=1,
        note=_NOTE,
    )


def _radix(row: Row) -> int:
    """Bits per cycle; for Phelix the paper's d is the width of the port."""
    phelix = row.get("cipher", "phelix") == "phelix"
    return PHELIX_BITS[row["architecture"]] if phelix else row["d"]


_SALSA20 = {"fold": "double", "buffer": "block"}
"""A double round in a cycle, and words of 64 bits from a buffer that holds a block."""


def _ranked(row: Row, targets: Targets) -> Points:
    if row["cipher"] == "salsa20":
        return _on_fpga("salsa20", row["d"], targets, _SALSA20, load_width=row["k"])
    return _on_fpga(row["cipher"], _radix(row), targets)


def _in_cells(row: Row, targets: Targets) -> Points:
    return {"cells": core(row["cipher"], _radix(row), targets.cells)}


def _both(row: Row, targets: Targets) -> Points:
    return {"fpga": core(row["cipher"], _radix(row), targets.fpga), **_in_cells(row, targets)}


def _per_um2(record: Record, _row: Row) -> float | None:
    mbps, area = record.get("throughput_mbps"), record.get("area_um2")
    return mbps / area if mbps and area else None


_CELL_QUANTITIES = (
    *_times("cells"),
    quantity("um2", "area_um2", "cells", "area_um2", "um2", relative=True),
    quantity("Mbit/s/um2", "mbps_per_um2", "cells", _per_um2, "Mbit/s/um2", relative=True),
    quantity(
        "GE",
        "area_um2",
        "cells",
        "ge",
        "GE",
        relative=True,
        factor=1 / _NAND2_90NM_UM2,
        derived=True,
    ),
    quantity(
        "Mbit/s/GE",
        "mbps_per_um2",
        "cells",
        "mbps_per_area",
        "Mbit/s/GE",
        relative=True,
        factor=_NAND2_90NM_UM2,
        derived=True,
    ),
)
_CELL_NOTE = (
    f"Printed GE are computed from um2 by an assumed 2-input NAND of {_NAND2_90NM_UM2} um2; um2 of "
    "two technologies do not compare."
)
_VERSION = ("cipher", "d", "k", "architecture")


def _ratio(records: Record, _row: Row) -> float | None:
    """The clock of cells over that of the FPGA; None if the core has none there."""
    cells, fpga = (records["of"][role]["fmax_mhz"] for role in ("cells", "fpga"))
    return round(cells["median"] / fpga["median"], 2) if cells and fpga else None


ESTREAM_2007: tuple[Comparison, ...] = (
    _table_of("table4", "grain_v1"),
    _table_of("table5", "trivium"),
    _table_of("table6", "a51"),
    Comparison(
        "table7",
        ("architecture",),
        lambda row, targets: _on_fpga("phelix", _radix(row), targets),
        _with_ratios(_FIGURES, "basic"),
        reference="block",
        note=_NOTE,
    ),
    *(
        Comparison(
            table,
            _VERSION,
            points,
            _with_ratios(quantities, reference),
            reference=reference,
            note=note,
        )
        for table, points, quantities, reference, note in (
            ("table8", _ranked, _FIGURES, "grain_v1", _NOTE),
            ("table9", _ranked, _FIGURES, "trivium", _NOTE),
            ("table10", _in_cells, _CELL_QUANTITIES, "grain_v1", _CELL_NOTE),
            ("table11", _in_cells, _CELL_QUANTITIES, "trivium", _CELL_NOTE),
        )
    ),
    Comparison(
        "table12",
        ("cipher", "d", "architecture"),
        _both,
        (
            quantity("FPGA MHz", "fpga_mhz", "fpga", "fmax_mhz.median", "MHz", clocked=True),
            quantity("ASIC MHz", "asic_mhz", "cells", "fmax_mhz.median", "MHz"),
            quantity("ratio", "ratio", EVERY, _ratio, "times", clocked=True),
        ),
        note="Both technologies are others than the paper's: 90 nm cells and a 90 nm FPGA there.",
    ),
)


_TABLES = {"sbox": "table"}
"""On FPGAs, S-boxes as tables are faster than as circuits, and larger."""


def _one_bit(row: Row, targets: Targets) -> Points:
    if row["cipher"] in ("zuc", "snow3g"):
        return _on_fpga(row["cipher"], 32, targets, _TABLES)
    return _on_fpga(row["cipher"], 1, targets)


_KEY_GIVEN = "slices.key_given"
_E0_NOTE = (
    "E0 is measured with its payload key generator, a circuit that forms K'c from Kc and from a "
    "length of 1 to 16 bytes, both loaded."
)


def _with_parts(row: Row, targets: Targets) -> Points:
    """As `_one_bit`; of E0 also the keystream generator alone, which is given K'c."""
    points = _one_bit(row, targets)
    if row["cipher"] != "e0":
        return points
    alone = find("e0")
    architecture = Architecture.choose(alone, options=LEAN)
    return {
        **points,
        _KEY_GIVEN: replace(core("e0", 1, targets.slices), cipher=alone, architecture=architecture),
    }


_GATES = "gates"
_WIDER_SLICES = "XC5V"
"""The beginning of names of Virtex-5 devices, whose slices have four look-up tables of six
inputs."""


def _earlier(row: Row, targets: Targets) -> Points:
    """On cells where the row counts gates, else on the FPGAs; nothing beside wider slices."""
    if row["device"].startswith(_WIDER_SLICES):
        return {}
    if row["area_unit"] == _GATES:
        return {"cells": core(row["cipher"], 32, targets.cells)}
    return _one_bit(row, targets)


def _area_in(unit: str) -> Callable[[Row], float | None]:
    return lambda row: row["area"] if row["area_unit"] == unit else None


def _on_device(column: str, figure: str, unit: str) -> tuple[Quantity, Quantity]:
    """A printed column beside the FPGA for rows of slices, beside cells for rows of gates."""

    def printed(unit: str) -> Callable[[Row], float | None]:
        return lambda row: row[column] if row["area_unit"] == unit else None

    return (
        quantity(unit, printed("slices"), "fpga", figure, unit, doubts=column, clocked=True),
        quantity(f"{unit}, cells", printed(_GATES), "cells", figure, unit, doubts=column),
    )


SPARTAN3_2012: tuple[Comparison, ...] = (
    Comparison(
        "table1",
        ("cipher",),
        _with_parts,
        (
            _SLICES,
            only_measured("slices, K'c given", _KEY_GIVEN, _least_slices, "slices, at least"),
            _FMAX,
            _THROUGHPUT,
            only_measured("setup cycles", "fpga", "setup_cycles", "cycles"),
        ),
        reference="trivium",
        note=f"{_NOTE} {_E0_NOTE}",
    ),
    Comparison(
        "fig7",
        ("cipher",),
        _one_bit,
        (_PER_AREA,),
        reference="trivium",
        note=f"{_NOTE} {_E0_NOTE}",
    ),
    Comparison(
        "table2",
        ("cipher", "implementation", "device"),
        _earlier,
        (
            quantity(
                "slices",
                _area_in("slices"),
                "slices",
                _least_slices,
                "slices, at least",
                doubts="area",
            ),
            quantity(_GATES, _area_in(_GATES), "cells", "ge", "GE"),
            *_on_device("fmax_mhz", "fmax_mhz.median", "MHz"),
            *_on_device("throughput_mbps", "throughput_mbps", "Mbit/s"),
        ),
        note=f"{_NOTE} {_E0_NOTE} A row in gates stands beside standard cells. Nothing stands "
        "beside the row of a Virtex-5: its slices are wider, and its ZUC is an older one that "
        "software sets up.",
    ),
)
